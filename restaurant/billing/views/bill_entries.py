"""Dishes of a bill in forms, which are ticked to be divided or taken off."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rest_framework.request import Request

from restaurant.billing.queries import Bill, Line, Part
from restaurant.ordering.models import OrderItem
from restaurant.ordering.queries.sessions import NOTHING
from web.fields import FormText
from web.forms import body_of, form_fields
from web.money import rounded


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an order in a form. `much`: how much is chosen, as `sizes` have it; None where it is not ticked."""

    item: OrderItem
    total: Decimal  # what all of it comes to on this bill
    free: Fraction  # of it, in nobody else's part
    who: str  # has the rest
    much: str | None
    in_shares: bool

    @property
    def value(self) -> str:
        return f"{self.item.order_id}:{self.item.position}"

    @property
    def sizes(self) -> dict[str, Fraction]:
        """How much of it can be chosen, as far as nobody has it, and what share of it that is; none on the house."""
        if not self.total:
            return {}
        left = self.item.remaining
        sizes = {"": Fraction(1)} | {str(count): Fraction(count, left) for count in range(min(left - 1, 20), 0, -1)}
        if self.in_shares:
            rest = {self.free} if 0 < self.free < 1 and self.free.denominator < 100 else set()
            shares = sorted({Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), *rest}, reverse=True)
            sizes |= {str(share): share for share in shares}
        return {much: share for much, share in sizes.items() if share <= self.free}

    @property
    def chosen_total(self) -> Decimal:
        sizes = self.sizes
        if self.much is None or not sizes:
            return NOTHING
        share = sizes.get(self.much) or next(iter(sizes.values()))
        return rounded(self.total * share.numerator / share.denominator)


def entries_of(
    request: Request, bill: Bill, own: Part | None = None, phone: str = "", *, in_shares: bool = True
) -> list[Entry]:
    """Return the entries of the bill: ticked is what the form said that was refused, else what is in the own part.

    Without shares they are those of the whole bill, whoever pays for them.
    """
    form = form_fields(request)
    sent = {entry["orderId"] + ":" + entry["position"] for entry in chosen_items(request)} if form else set()
    ours = {line.item.pk: line for line in own.lines} if own else {}
    left, goods = bill.total, sum(bill.sums.lines.values())
    taken: dict[Any, Fraction] = defaultdict(Fraction)
    holders: dict[Any, str] = {}
    for part in bill.parts if in_shares else ():
        # What is a phone's by itself, its guest may take and staff may give.
        is_free = part is own or part.part.is_rest or (part.part.phone_key and phone in ("", part.part.phone_key))
        for line in () if is_free else part.lines:
            taken[line.item.pk] += line.share
            holders[line.item.pk] = part.part.name
    entries = []
    for item in bill.items:
        place = f"{item.order_id}:{item.position}"
        if form:
            much = form.get(f"much-{place}", "") if place in sent else None
        elif own:
            much = _much(ours[item.pk]) if item.pk in ours else None
        else:
            much = "" if phone and item.order.phone_key == phone else None
        # Its share of service too.
        total = bill.sums.lines[item.pk] * left / goods if goods else NOTHING
        entries.append(Entry(item, total, 1 - taken[item.pk], holders.get(item.pk, ""), much, in_shares))
    return entries


def _much(line: Line) -> str:
    """Return what was chosen of an entry, as `Entry.sizes` has it."""
    if line.share == 1:
        return ""
    return str(line.quantity if line.quantity.denominator == 1 else line.share)


def parts_body(request: Any) -> Any:
    """Return the body in the shape of JSON. Of a form, what is ticked is one part."""
    if form_fields(request) is None:
        return request.data
    body = body_of(request, numbers=("count", "add"), optional=("sessionId", "count", "name"))
    if body.get("by") == "items":
        body["parts"] = [{"name": body.pop("name", ""), "items": chosen_items(request)}]
    return body


def chosen_items(request: Any) -> list[dict[str, Any]]:
    """Read a form's boxes `item`, each `order:position`, and beside it how much of that: `2`, `1/3`, or all."""
    chosen = []
    for text in request.data.getlist("item"):
        order, _colon, position = text.partition(":")
        entry = {"orderId": order, "position": FormText(position)}
        if much := request.data.get(f"much-{text}", ""):
            entry |= {"share": much} if "/" in much else {"quantity": FormText(much)}
        chosen.append(entry)
    return chosen
