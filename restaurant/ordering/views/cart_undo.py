"""Undo of a line's removal without JavaScript: the phone keeps the line for a moment, in a cookie."""

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from rest_framework.request import Request

from restaurant.menu import queries as menu_queries
from restaurant.ordering.serializers.cart import EntryBody
from restaurant.ordering.services.cart import Entry

COOKIE = "removedLine"
MAX_AGE = 120  # seconds
_SALT = "restaurant.removed_line"


def remember(request: Request, response: HttpResponse, removed: dict[str, Any] | None, table_number: int) -> None:
    """`removed`: the line as JSON would have it; None forgets one that was removed before."""
    path = f"/table/{table_number}/cart"
    if removed is None:
        if COOKIE in request.COOKIES:
            response.delete_cookie(COOKIE, path=path, samesite="Lax")
        return
    response.set_cookie(
        COOKIE,
        signing.dumps(removed, salt=_SALT, compress=True),
        max_age=MAX_AGE,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def removed_line(request: Request) -> Entry | None:
    try:
        line = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=MAX_AGE)
    except signing.BadSignature:
        return None
    body = EntryBody(data=line)
    return body.validated_data if body.is_valid() else None


def removed_name(request: Request) -> str:
    """Of the dish that was removed just now, else empty."""
    line = removed_line(request)
    return next(iter(menu_queries.item_names([line.menu_item_id])), "") if line else ""
