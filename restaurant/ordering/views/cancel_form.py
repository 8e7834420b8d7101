"""The form of the page that cancels an order: the whole (`scope`), or a quantity of each entry."""

import re
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from web.forms import body_of

PARTS = "parts"  # the value of `scope`; without it, the whole order
_QUANTITY = re.compile(r"quantity-([0-9]{1,4})", re.ASCII)


def cancel_body(request: Request) -> Any:
    """The body as JSON would have it, whether it came as JSON or from the form."""
    body = body_of(request, optional=("note",))
    if not isinstance(request.data, QueryDict):
        return body
    fields = {name: text for name, text in body.items() if name in ("reason", "note")}
    return {**fields, "items": _items(request.data)} if request.data.get("scope") == PARTS else fields


def _items(form: QueryDict) -> list[dict[str, Any]]:
    """Entries with a quantity above 0. What is not a number is passed on, to be refused."""
    quantities = {position: text.strip() for position, text in quantities_entered(form).items()}
    return [
        {"position": position, "quantity": int(text) if re.fullmatch("[0-9]{1,9}", text, re.ASCII) else text}
        for position, text in quantities.items()
        if text.strip("0")
    ]


def quantities_entered(form: QueryDict) -> dict[int, str]:
    """By position."""
    found = ((_QUANTITY.fullmatch(name), str(text)) for name, text in form.items())
    return {int(match[1]): text for match, text in found if match}
