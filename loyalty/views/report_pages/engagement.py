"""The page of a member's engagement."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.views.report_pages import Page, Table, table_of, tier_name, tile

TYPES = {
    "earn": gettext_lazy("Earned"),
    "redeem": gettext_lazy("Redeemed"),
    "expire": gettext_lazy("Taken"),
    "bonus": gettext_lazy("Given"),
}


def page(data: dict[str, Any], details: dict[str, Any], now: datetime) -> Page:
    figures, member = data["engagement"], data["customer"]
    activity, cities = _activity(data, details), _cities(data)
    return {
        "heading": member["name"],
        "until": now,
        "tier_name": tier_name(member["tier"]),
        "last_activity_at": details["lastActivityAt"],
        "tiles": [
            tile(_("Spent"), figures["totalSpend"], "money"),
            tile(_("Average order"), figures["averageOrderValue"], "money"),
            tile(_("Visits"), figures["totalVisits"]),
            tile(_("Visits a month"), figures["visitsPerMonth"], "decimal"),
            tile(_("Points"), member["pointsBalance"]),
            tile(_("Lifetime points"), member["lifetimePoints"]),
            tile(_("Days since joining"), figures["daysSinceJoin"]),
            tile(_("Scans of the card"), figures["totalScans"]),
        ],
        "tables": [activity, cities],
        "activity": activity,
        "cities": cities,
        "notes": [
            _("Visits and money are those of the latest 50 transactions; what is older is left out."),
            _("A visit is a transaction that earned points; the signup bonus is one."),
            _("The average order is the money divided by the visits."),
            _("A month has 30 days here, and whoever joined later than that has one month."),
        ],
    }


def _activity(data: dict[str, Any], details: dict[str, Any]) -> Table:
    columns = [
        (_("Time"), "time"), (_("What"), "text"), (_("Description"), "text"), (_("Points"), "number"),
        (_("Order total"), "money"), (_("Location"), "text"),
    ]  # fmt: skip
    rows = [
        [
            each["created_at"],
            str(TYPES[each["type"]]),
            each["description"],
            each["points"],
            each["order_total"],
            location,
        ]
        for each, location in zip(data["recentActivity"], details["locations"], strict=True)
    ]
    note = _("The latest 10 transactions.") if details["transactions"] > len(rows) else ""
    empty = _("Nothing was ever earned or redeemed with this card.")
    return table_of(_("Latest activity"), columns, rows, note=note, empty=empty)


def _cities(data: dict[str, Any]) -> Table:
    known = data["scanLocations"]
    empty = _("The card was scanned in no city that is known.") if known is not None else data["warnings"][0]
    return table_of(_("Cities of the scans"), [(_("City"), "text")], [[city] for city in known or []], empty=empty)
