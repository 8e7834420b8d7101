"""The page of the segments."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.views.report_pages import Page, Table, percent_text, share, table_of, tile

# Names, and who belongs there: the first rule that fits decides.
SEGMENTS = {
    "champions": (
        gettext_lazy("Champions"),
        gettext_lazy("Last active 30 days ago at most; points earned 4 times or more; 200 or more spent."),
    ),
    "loyal": (
        gettext_lazy("Loyal"),
        gettext_lazy("Last active 30 days ago at most; points earned twice or more."),
    ),
    "potential_loyalist": (
        gettext_lazy("Potential loyalists"),
        gettext_lazy("Last active 60 days ago at most; 100 or more spent."),
    ),
    "at_risk": (
        gettext_lazy("At risk"),
        gettext_lazy("Last active more than 90 days ago; 100 or more spent."),
    ),
    "hibernating": (
        gettext_lazy("Hibernating"),
        gettext_lazy("Last active more than 180 days ago; less than 100 spent."),
    ),
    "new_or_casual": (
        gettext_lazy("New or casual"),
        gettext_lazy("Everyone else, also those who never earned a point."),
    ),
}


def page(data: dict[str, Any], details: dict[str, Any], now: datetime) -> Page:
    counts = {each["segment"]: each["customer_count"] for each in data["segments"]}
    members = sum(counts.values())
    table = _by_segment(data, details, members)

    return {
        "heading": _("Segments of members"),
        "until": now,
        "tiles": [
            _part(_("Champions and loyal"), counts.get("champions", 0) + counts.get("loyal", 0), members),
            _part(_("At risk"), counts.get("at_risk", 0), members),
            _part(_("Hibernating"), counts.get("hibernating", 0), members),
            tile(_("Members"), members),
        ],
        "tables": [table],
        "by_segment": table,
        "notes": [
            _("A member is in the first segment whose rule fits, tried in this order:")
            + " "
            + ", ".join(str(name) for name, _rule in SEGMENTS.values()),
            _("Days are whole days of 24 hours since points were last earned."),
            _("All orders that ever earned points are counted. The signup bonus is one time, and nothing spent."),
        ],
    }


def _part(label: str, count: int, members: int) -> dict[str, Any]:
    return tile(label, count, note=_("%(share)s %% of all members") % {"share": percent_text(share(count, members))})


def _by_segment(data: dict[str, Any], details: dict[str, Any], members: int) -> Table:
    empty = [{"segment": each, "customer_count": 0, "avg_spend": None} for each in details["empty"]]
    columns = [
        (_("Segment"), "text"), (_("Members"), "number"), (_("Share"), "percent"), (_("Spent on average"), "money"),
        (_("Who belongs here"), "text"),
    ]  # fmt: skip
    rows = [
        [str(name), each["customer_count"], share(each["customer_count"], members), each["avg_spend"], str(rule)]
        for each in [*data["segments"], *empty]
        for name, rule in [SEGMENTS[each["segment"]]]
    ]
    note = "" if members else _("Nobody has enrolled yet.")
    return table_of(_("Members by segment, those who spent most first"), columns, rows, note=note)
