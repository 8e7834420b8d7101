"""The form of the cart's page, in which each field comes once for every line, in the same order."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from restaurant.ordering.services.cart import MAX_NOTE, MAX_QUANTITY, Entry
from web.money import NOTHING

# Before the names of the fields of lines that can't be had: they stay in the cart and are not ordered.
SET_ASIDE = "unavailable-"


def key_of(item_id: str, options: Iterable[str]) -> str:
    """The name of a line in the values of its buttons: its item's id and its options."""
    return ",".join([item_id, *sorted(options)])


def entries(form: QueryDict, prefix: str = "") -> list[dict[str, Any]]:
    """The lines in the shape of JSON."""
    quantities = form.getlist(f"{prefix}quantity")
    notes = form.getlist(f"{prefix}specialInstructions")
    options = form.getlist(f"{prefix}options")
    lines: list[dict[str, Any]] = []
    for number, item_id in enumerate(form.getlist(f"{prefix}menuItemId")):
        quantity = quantities[number] if number < len(quantities) else "1"
        lines.append(
            {
                "menuItemId": item_id,
                "quantity": int(quantity) if re.fullmatch(r"[0-9]{1,9}", quantity) else quantity,
                # Browsers send a line break as two characters, and count it as one.
                "specialInstructions": notes[number].replace("\r\n", "\n") if number < len(notes) else "",
                **({"options": options[number].split(",")} if number < len(options) and options[number] else {}),
            }
        )
    return lines


def entries_after_button(form: QueryDict) -> list[Entry]:
    """The lines in their order, changed by the button that sent the form; one to remove has a quantity below 1.

    Raises ValidationError.
    """
    order = {key: number for number, key in enumerate(form.getlist("line"))}
    changes = {form.get("more"): 1, form.get("fewer"): -1, form.get("remove"): -MAX_QUANTITY}
    few, _colon, line_with_few = form.get("take", "").partition(":")
    changed = []
    lines = [*entries(form), *entries(form, SET_ASIDE)]
    for raw in sorted(lines, key=lambda line: order.get(_key(line), 0)):
        if not isinstance(raw["quantity"], int):
            raise ValidationError({"quantity": f"A whole number from 1 to {MAX_QUANTITY} is needed."})
        key = _key(raw)
        wanted = int(few) if key == line_with_few and re.fullmatch("[0-9]{1,2}", few, re.ASCII) else raw["quantity"]
        quantity = min(wanted + changes.get(key, 0), MAX_QUANTITY)
        note = raw["specialInstructions"].strip().replace("\0", "")[:MAX_NOTE]
        options = tuple(option_id.lower() for option_id in raw.get("options", ()))
        changed.append(Entry(raw["menuItemId"], quantity, note, options))
    return changed


def removed_by_button(form: QueryDict) -> dict[str, Any] | None:
    """The line, in the shape of JSON, that the button takes out of the cart."""
    key = form.get("remove") or form.get("fewer")
    line = next((line for line in entries(form) if _key(line) == key and isinstance(line["quantity"], int)), None)
    return line if line and (form.get("remove") or line["quantity"] <= 1) else None


def _key(raw: dict[str, Any]) -> str:
    return key_of(raw["menuItemId"], raw.get("options", ()))


def prices_seen(form: QueryDict) -> dict[str, Decimal]:
    """The prices on the page that sent the form, by the key of their line."""
    seen = zip(map(_key, entries(form)), form.getlist("priceSeen"), strict=False)
    return {key: Decimal(text) for key, text in seen if re.fullmatch(r"[0-9]{1,8}(\.[0-9]{2,3})?", text, re.ASCII)}


def order_body(request: Request) -> Any:
    """The body of an order in the shape of JSON, whether it came as JSON or from the cart's form."""
    if not isinstance(request.data, QueryDict):
        return request.data
    form = request.data
    lines = entries(form)
    allergies = {"allergies": form.getlist("allergies")} if "allergies" in form else {}
    collect = {"collect": "collect" in form} if "collectShown" in form else {"collect": None}
    return {**form.dict(), **allergies, **collect, "items": lines, "expectedTotal": _expected_total(form, lines)}


def _expected_total(form: QueryDict, lines: list[dict[str, Any]]) -> Decimal | None:
    """The sum of the prices on the page and the quantities in the form, which change without JavaScript's knowledge."""
    prices = prices_seen(form)
    if not all(isinstance(line["quantity"], int) and _key(line) in prices for line in lines):
        return None
    return sum((prices[_key(line)] * line["quantity"] for line in lines), NOTHING)
