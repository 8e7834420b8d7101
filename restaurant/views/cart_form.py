"""The form of the cart's page, in which each field comes once for every line, in the same order."""

import re
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from restaurant.services.cart import MAX_NOTE, MAX_QUANTITY, Entry


def entries(form: QueryDict) -> list[dict[str, Any]]:
    """The lines as JSON would have them."""
    quantities = form.getlist("quantity")
    notes = form.getlist("specialInstructions")
    options = form.getlist("options")
    found: list[dict[str, Any]] = []
    for number, item_id in enumerate(form.getlist("menuItemId")):
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
    """The lines, changed as the button says that sent the form. Raises ValidationError."""
    changes = {form.get("more"): 1, form.get("fewer"): -1, form.get("remove"): -MAX_QUANTITY}
    found = []
    for raw in entries(form):
        if not isinstance(raw["quantity"], int):
            raise ValidationError({"quantity": f"A whole number from 1 to {MAX_QUANTITY} is needed."})
        quantity = min(raw["quantity"] + changes.get(_line(raw), 0), MAX_QUANTITY)
        note = raw["specialInstructions"].strip().replace("\0", "")[:MAX_NOTE]
        options = tuple(each.lower() for each in raw.get("options", ()))
        found.append(Entry(raw["menuItemId"], quantity, note, options))
    return found


def _line(raw: dict[str, Any]) -> str:
    """What a line's buttons name it by: its item's id, and its options."""
    return ",".join([raw["menuItemId"], *raw.get("options", ())])


def prices_seen(form: QueryDict) -> dict[str, Decimal]:
    """By line, as its buttons name it: the price on the page that sent the form."""
    seen = zip(map(_line, entries(form)), form.getlist("priceSeen"), strict=False)
    return {item_id: Decimal(text) for item_id, text in seen if re.fullmatch(r"[0-9]{1,8}\.[0-9]{2}", text, re.ASCII)}


def order_body(request: Request) -> Any:
    """The body of an order as JSON would have it, whether it came as JSON or from the cart's form."""
    if not isinstance(request.data, QueryDict):
        return request.data
    form = request.data
    lines = entries(form)
    allergies = {"allergies": form.getlist("allergies")} if "allergies" in form else {}
    return {**form.dict(), **allergies, "items": lines, "expectedTotal": _expected_total(form, lines)}


def _expected_total(form: QueryDict, lines: list[dict[str, Any]]) -> Decimal | None:
    """By the prices on the page and the quantities in the form, which change without JavaScript's knowledge."""
    prices = prices_seen(form)
    if not all(isinstance(each["quantity"], int) and _line(each) in prices for each in lines):
        return None
    return sum((prices[_line(each)] * each["quantity"] for each in lines), Decimal("0.00"))
