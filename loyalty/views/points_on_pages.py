"""How a member's points come about, as the card shows it."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from loyalty import rules


def rate(multiplier: Decimal, programme: rules.Programme) -> Decimal:
    """Points for one unit of the currency, without zeros at the end."""
    return (programme.points_per_unit * multiplier).normalize()


def activity(rows: Iterable[dict[str, Any]], programme: rules.Programme) -> list[dict[str, Any]]:
    """In the member's words: what the ledger calls cancelled was given back. `rate` is what a tier made of a bill."""
    cancelled, given_back = _("Cancelled: %(reward)s") % {"reward": ""}, _("Given back: %(reward)s")
    return [
        {**each, "description": given_back % {"reward": each["description"].removeprefix(cancelled)}}
        if each["type"] == "reversal" and each["description"].startswith(cancelled)
        else {**each, "rate": _rate_of(each, programme)}
        for each in rows
    ]


def _rate_of(row: dict[str, Any], programme: rules.Programme) -> Decimal | None:
    """None unless the points of a bill are those of one tier above bronze: the tier of that day isn't stored."""
    total = row["order_total"]
    if row["type"] != "earn" or total is None:
        return None
    fitting = {
        each.multiplier
        for each in programme.tiers
        if rules.points_for(order_total=total, tier=each.name, programme=programme) == row["points"]
    }
    [multiplier] = fitting if len(fitting) == 1 else [Decimal(1)]
    return rate(multiplier, programme) if multiplier != 1 else None
