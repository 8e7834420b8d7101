"""The allergens that a phone's guest goes without: the menu's filter, kept until the browser is closed."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from restaurant.menu.models import Allergen

COOKIE = "without"  # such as `nuts,milk`


def allergies_of(request: Request) -> list[str]:
    """Of the phone's cookie, in the order of `Allergen`. Words that name none are left out."""
    return _known(request.COOKIES.get(COOKIE, "").split(","))


def chosen_in(request: Request) -> list[str] | None:
    """What `?without=` asks for, as a list with commas or repeated; None where it is not there."""
    if COOKIE not in request.query_params:
        return None
    return _known(word for text in request.query_params.getlist(COOKIE) for word in text.split(","))


def set_cookie(response: HttpResponse, allergies: Iterable[str]) -> None:
    """Without any: delete it."""
    value = ",".join(allergies)
    if value:
        response.set_cookie(COOKIE, value, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def _known(words: Iterable[str]) -> list[str]:
    wanted = {word.strip().lower() for word in words}
    return [allergen for allergen in Allergen.values if allergen in wanted]
