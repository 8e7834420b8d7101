"""How a member's points come about, as the card shows it."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from loyalty import rules

SOON = timedelta(hours=1)  # redeemed and given back within it: one row of the activity


def rate(multiplier: Decimal, programme: rules.Programme) -> Decimal:
    """Points for one unit of the currency, without zeros at the end."""
    return (programme.points_per_unit * multiplier).normalize()


def rates(tier: str, next_tier: str, programme: rules.Programme) -> dict[str, Any]:
    """What the card's tier gives and what the next one (empty at the top) would, as `_tier_rate.html` shows it."""
    return {
        "rate": rate(rules.multiplier_of(tier, programme), programme),
        "next_rate": rate(rules.multiplier_of(next_tier or tier, programme), programme),
        "counts_whole_units": programme.points_per_unit == 1,
    }


def activity(
    rows: Iterable[dict[str, Any]], reverses: Mapping[str, str], programme: rules.Programme
) -> list[dict[str, Any]]:
    """In the member's words: what the ledger calls cancelled was given back. `earned` is what a tier made of a bill.

    `reverses`: of the rows that take another back, by id, the other's id. A reward that was given back soon is one row.
    """
    shown = _given_back_soon_as_one(list(rows), reverses)
    cancelled, given_back = _("Cancelled: %(reward)s") % {"reward": ""}, _("Given back: %(reward)s")
    return [
        {**each, "description": given_back % {"reward": each["description"].removeprefix(cancelled)}}
        if each["type"] == "reversal" and each["description"].startswith(cancelled)
        else {**each, "earned": _earned(each, programme)}
        for each in shown
    ]


def _given_back_soon_as_one(rows: list[dict[str, Any]], reverses: Mapping[str, str]) -> list[dict[str, Any]]:
    """One row for both, at the time of the later one, which comes first. `is_undone`: nothing is left of its points."""
    redeemed = {each["id"]: each for each in rows if each["type"] == "redeem"}
    folded: set[str] = set()
    shown = []
    for each in rows:
        first = redeemed.get(reverses.get(each["id"], ""))
        if first is not None and each["created_at"] - first["created_at"] <= SOON:
            folded.add(first["id"])
            shown.append({**first, "is_undone": True, "created_at": each["created_at"]})
        elif each["id"] not in folded:
            shown.append(each)
    return shown


class Earned(NamedTuple):
    """The points of a bill in bronze, and what a tier multiplied them by."""

    points: int
    multiplier: Decimal


def _earned(row: dict[str, Any], programme: rules.Programme) -> Earned | None:
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
    if multiplier == 1:
        return None
    points = rules.points_for(order_total=total, tier=rules.TIER_NAMES[-1], programme=programme)
    return Earned(points, multiplier.normalize())
