"""The allergens that a phone's guest goes without: the menu's filter, kept until the browser is closed."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from restaurant.menu.models import ALLERGENS

COOKIE = "without"  # such as `nuts,milk`


def allergies_of(request: Request) -> list[str]:
    """Return the allergens of the phone's cookie, in the order of `Allergen`."""
    return _known(request.COOKIES.get(COOKIE, "").split(","))


def chosen_in(request: Request) -> list[str] | None:
    """Return the allergens of `?without=`, which has commas or is repeated; None where it is not there."""
    if COOKIE not in request.query_params:
        return None
    return _known(",".join(request.query_params.getlist(COOKIE)).split(","))


def set_cookie(response: HttpResponse, allergies: Iterable[str]) -> None:
    """Set the cookie to these allergens, or delete it if there are none."""
    value = ",".join(allergies)
    if value:
        response.set_cookie(COOKIE, value, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def _known(names: Iterable[str]) -> list[str]:
    """Return the allergens among the names."""
    cleaned = {name.strip().lower() for name in names}
    return [allergen for allergen in ALLERGENS if allergen in cleaned]
