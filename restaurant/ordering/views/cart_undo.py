"""Undo of a line's removal without JavaScript: the phone keeps the line for a moment, in a cookie."""

from typing import Any

from django.core import signing
from django.http import HttpResponse
from rest_framework.request import Request

from restaurant.menu.queries import item_names
from restaurant.ordering.serializers.cart import EntryBody
from restaurant.ordering.services.cart import Entry
from restaurant.ordering.views import guests

COOKIE = "removedLine"
MAX_AGE = 120  # seconds
_SALT = "restaurant.removed_line"


def remember(request: Request, response: HttpResponse, removed: dict[str, Any] | None, table_number: int) -> None:
    """Keep the removed line, in the form that it has in JSON; None forgets one that was removed before."""
    path = f"/table/{table_number}/cart"
    if removed is None:
        if COOKIE in request.COOKIES:
            response.delete_cookie(COOKIE, path=path, samesite="Lax")
        return
    line = signing.dumps(removed, salt=_SALT, compress=True)
    guests.set_cookie(response, COOKIE, line, max_age=MAX_AGE, path=path)


def removed_line(request: Request) -> Entry | None:
    try:
        line = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=MAX_AGE)
    except signing.BadSignature:
        return None
    body = EntryBody(data=line)
    return body.validated_data if body.is_valid() else None


def removed_name(request: Request) -> str:
    """The name of the dish that was removed just now; empty if there is none."""
    line = removed_line(request)
    return next(iter(item_names([line.menu_item_id])), "") if line else ""
