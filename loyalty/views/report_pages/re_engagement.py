"""The page of the members to ask back."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports import re_engagement as asking_back
from loyalty.views.report_pages import Page, Table, grouped, report_links, table_of, tier_name, tile

OFFERS = {
    "reminder": gettext_lazy("Reminder of points"),
    "bonus_points": gettext_lazy("Bonus points"),
    "discount": gettext_lazy("Discount"),
}


def page(data: dict[str, Any], details: dict[str, Any], now: datetime) -> Page:
    since, until = asking_back.window(now)
    table = _targets(data, sum(details.values()))
    return {
        "heading": _("Members to ask back"),
        "since": since,
        "until": until,
        "tiles": [
            tile(_("Members to ask back"), sum(details.values())),
            *(tile(str(OFFERS[offer]), details[offer]) for offer in asking_back.OFFERS),
        ],
        "tables": [table],
        "targets_table": table,
        "notes": [
            _("Members who last earned points between 180 and 30 days ago, and have 100 lifetime points or more."),
            _("Whoever has 500 points is reminded of them. Others get bonus points after 90 days, else a discount."),
            _("The message is a suggestion: how much you give, you decide."),
        ],
    }


def _targets(data: dict[str, Any], count: int) -> Table:
    columns = [
        (_("Member"), "text"), (_("Email"), "text"), (_("Last active"), "date"), (_("Offer"), "text"),
        (_("Message"), "text"), (_("Tier"), "text"), (_("Points"), "number"), (_("Lifetime points"), "number"),
    ]  # fmt: skip
    rows = [
        [each["name"], each["email"], each["last_activity_at"], str(OFFERS[each["suggestedOffer"]["type"]]),
         each["suggestedOffer"]["message"], tier_name(each["tier"]), each["points_balance"], each["lifetime_points"]]
        for each in data["targets"]
    ]  # fmt: skip
    left_out = count - len(rows)
    note = ngettext(
        "The first %(shown)s by lifetime points; %(count)s more is not shown.",
        "The first %(shown)s by lifetime points; %(count)s more are not shown.",
        left_out,
    ) % {
        "shown": grouped(len(rows)),
        "count": grouped(left_out),
    }
    return table_of(
        _("Whom to write to, those with the most lifetime points first"),
        columns,
        rows,
        links=report_links(data["targets"]),
        note=note if left_out > 0 else "",
        empty=_("Nobody with 100 lifetime points or more was last active between 180 and 30 days ago."),
    )
