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
    found: list[dict[str, Any]] = []
    for number, item_id in enumerate(form.getlist("menuItemId")):
        quantity = quantities[number] if number < len(quantities) else "1"
        found.append(
            {
                "menuItemId": item_id,
                "quantity": int(quantity) if re.fullmatch(r"[0-9]{1,9}", quantity) else quantity,
                # Browsers send a line break as two characters, and count it as one.
                "specialInstructions": notes[number].replace("\r\n", "\n") if number < len(notes) else "",
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
        quantity = min(raw["quantity"] + changes.get(raw["menuItemId"], 0), MAX_QUANTITY)
        note = raw["specialInstructions"].strip().replace("\0", "")[:MAX_NOTE]
        found.append(Entry(raw["menuItemId"], quantity, note))
    return found


def prices_seen(form: QueryDict) -> dict[str, Decimal]:
    """By item id: the price on the page that sent the form."""
    seen = zip(form.getlist("menuItemId"), form.getlist("priceSeen"), strict=False)
    return {item_id: Decimal(text) for item_id, text in seen if re.fullmatch(r"[0-9]{1,8}\.[0-9]{2}", text, re.ASCII)}


def order_body(request: Request) -> Any:
    """The body of an order as JSON would have it, whether it came as JSON or from the cart's form."""
    if not isinstance(request.data, QueryDict):
        return request.data
    form = request.data
    lines = entries(form)
    return {**form.dict(), "items": lines, "expectedTotal": _expected_total(form, lines)}


def _expected_total(form: QueryDict, lines: list[dict[str, Any]]) -> Decimal | None:
    """By the prices on the page and the quantities in the form, which change without JavaScript's knowledge."""
    prices = prices_seen(form)
    if not all(isinstance(each["quantity"], int) and each["menuItemId"] in prices for each in lines):
        return None
    return sum((prices[each["menuItemId"]] * each["quantity"] for each in lines), Decimal("0.00"))
