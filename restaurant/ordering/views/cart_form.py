"""The form of the cart's page, in which each field comes once for every line, in the same order."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from restaurant.ordering.services.cart import MAX_NOTE, MAX_QUANTITY, Entry

# Before the names of the fields of lines that can't be had: they stay in the cart and are not ordered.
SET_ASIDE = "unavailable-"


def key_of(item_id: str, options: Iterable[str]) -> str:
    """What a line's buttons name it by: its item's id, and its options."""
    return ",".join([item_id, *sorted(options)])


def entries(form: QueryDict, prefix: str = "") -> list[dict[str, Any]]:
    """The lines as JSON would have them."""
    quantities = form.getlist(f"{prefix}quantity")
    notes = form.getlist(f"{prefix}specialInstructions")
    options = form.getlist(f"{prefix}options")
    found: list[dict[str, Any]] = []
    for number, item_id in enumerate(form.getlist(f"{prefix}menuItemId")):
        quantity = quantities[number] if number < len(quantities) else "1"
        found.append(
            {
                "menuItemId": item_id,
                "quantity": int(quantity) if re.fullmatch(r"[0-9]{1,9}", quantity) else quantity,
                # Browsers send a line break as two characters, and count it as one.
                "specialInstructions": notes[number].replace("\r\n", "\n") if number < len(notes) else "",
                **({"options": options[number].split(",")} if number < len(options) and options[number] else {}),
            }
        )
    return found


def entries_after_button(form: QueryDict) -> list[Entry]:
    """The lines in their order, changed as the button says that sent the form; one to remove has a quantity below 1.

    Raises ValidationError.
    """
    order = {key: number for number, key in enumerate(form.getlist("line"))}
    changes = {form.get("more"): 1, form.get("fewer"): -1, form.get("remove"): -MAX_QUANTITY}
    few, _colon, line_with_few = form.get("take", "").partition(":")
    found = []
    lines = [*entries(form), *entries(form, SET_ASIDE)]
    for raw in sorted(lines, key=lambda each: order.get(_key(each), 0)):
        if not isinstance(raw["quantity"], int):
            raise ValidationError({"quantity": f"A whole number from 1 to {MAX_QUANTITY} is needed."})
        key = _key(raw)
        wanted = int(few) if key == line_with_few and re.fullmatch("[0-9]{1,2}", few, re.ASCII) else raw["quantity"]
        quantity = min(wanted + changes.get(key, 0), MAX_QUANTITY)
        note = raw["specialInstructions"].strip().replace("\0", "")[:MAX_NOTE]
        options = tuple(each.lower() for each in raw.get("options", ()))
        found.append(Entry(raw["menuItemId"], quantity, note, options))
    return found


def removed_by_button(form: QueryDict) -> dict[str, Any] | None:
    """The line as JSON would have it that the button takes out of the cart."""
    gone = form.get("remove") or form.get("fewer")
    for raw in entries(form):
        if _key(raw) == gone and isinstance(raw["quantity"], int) and (form.get("remove") or raw["quantity"] <= 1):
            return raw
    return None


def _key(raw: dict[str, Any]) -> str:
    return key_of(raw["menuItemId"], raw.get("options", ()))


def prices_seen(form: QueryDict) -> dict[str, Decimal]:
    """By line, as its buttons name it: the price on the page that sent the form."""
    seen = zip(map(_key, entries(form)), form.getlist("priceSeen"), strict=False)
    return {key: Decimal(text) for key, text in seen if re.fullmatch(r"[0-9]{1,8}\.[0-9]{2}", text, re.ASCII)}


def order_body(request: Request) -> Any:
    """The body of an order as JSON would have it, whether it came as JSON or from the cart's form."""
    if not isinstance(request.data, QueryDict):
        return request.data
    form = request.data
    lines = entries(form)
    allergies = {"allergies": form.getlist("allergies")} if "allergies" in form else {}
    collect = {"collect": "collect" in form} if "collectShown" in form else {"collect": None}
    return {**form.dict(), **allergies, **collect, "items": lines, "expectedTotal": _expected_total(form, lines)}


def _expected_total(form: QueryDict, lines: list[dict[str, Any]]) -> Decimal | None:
    """By the prices on the page and the quantities in the form, which change without JavaScript's knowledge."""
    prices = prices_seen(form)
    if not all(isinstance(each["quantity"], int) and _key(each) in prices for each in lines):
        return None
    return sum((prices[_key(each)] * each["quantity"] for each in lines), Decimal("0.00"))
