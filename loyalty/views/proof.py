"""Who stands at the counter: a member by the signed cookie of their phone, or somebody of the staff (decision 2.4)."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.errors import NotYourCard

MEMBER_COOKIE = "member"
TILL_COOKIE = "till_location"  # where this till stands: the location chosen last
_LIFETIME = 365 * 24 * 3600  # seconds; renewed whenever the member looks at the card
_SALT = "loyalty.member"
TILL = "loyalty.award_points"


def works_at_till(request: Request) -> bool:
    return bool(request.user.has_perm(TILL))


def signed_in_member(request: Request | HttpRequest) -> str | None:
    """The id in the member's cookie; None if there is none, or one that was tampered with."""
    plain: HttpRequest = getattr(request, "_request", request)
    return plain.get_signed_cookie(MEMBER_COOKIE, default=None, salt=_SALT, max_age=_LIFETIME)


def check(request: Request, member_id: str | None = None) -> None:
    """May whoever is asking spend the points of this member, or of any, if none is named?

    Raises NotAuthenticated, PermissionDenied, NotYourCard.
    """
    if works_at_till(request):
        return
    own = signed_in_member(request)
    if own is None:
        if request.user.is_authenticated:
            raise PermissionDenied
        raise NotAuthenticated
    if member_id is not None and member_id != own:
        raise NotYourCard


def sign_in(response: Response, member_id: str) -> None:
    response.set_signed_cookie(
        MEMBER_COOKIE,
        member_id,
        salt=_SALT,
        max_age=_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def sign_out(response: Response) -> None:
    response.delete_cookie(MEMBER_COOKIE, samesite="Lax")


def remember_till(response: Response, location_id: str) -> None:
    response.set_cookie(
        TILL_COOKIE,
        location_id,
        max_age=_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
