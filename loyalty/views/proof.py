"""Who stands at the counter: a member by the signed cookie of their phone, or somebody of the staff (decision 2.4)."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries
from loyalty.errors import MemberUnknown, NotYourCard

MEMBER_COOKIE = "member"
TILL_COOKIE = "till_location"  # where this till stands: the location chosen last
_LIFETIME = 365 * 24 * 3600  # seconds; renewed whenever the member looks at the card
_SALT = "loyalty.member"
TILL = "loyalty.award_points"


def works_at_till(request: Request) -> bool:
    return bool(request.user.has_perm(TILL))


def is_own_card(request: Request | HttpRequest, member: queries.Member) -> bool:
    """Is this phone signed in to this card?"""
    return _cookie(request) == _value(member)


def signed_in_member(request: Request | HttpRequest) -> queries.Member | None:
    """Whose phone this is; None without a cookie, or with one that was tampered with or is no longer good."""
    value = _cookie(request)
    if value is None:
        return None
    try:
        member = queries.member(value.partition(":")[0])
    except MemberUnknown:
        return None
    return member if value == _value(member) else None


def _cookie(request: Request | HttpRequest) -> str | None:
    plain: HttpRequest = getattr(request, "_request", request)
    return plain.get_signed_cookie(MEMBER_COOKIE, default=None, salt=_SALT, max_age=_LIFETIME)


def _value(member: queries.Member) -> str:
    return f"{member.pk}:{member.card_key}"


def check_somebody(request: Request) -> None:
    """Is there anything that could be a proof? Before the request's body is looked at. Raises NotAuthenticated."""
    if not request.user.is_authenticated and _cookie(request) is None:
        raise NotAuthenticated


def check(request: Request, member_id: str) -> None:
    """May whoever is asking spend the points of this member?

    Raises NotAuthenticated, PermissionDenied, NotYourCard.
    """
    if works_at_till(request):
        return
    own = signed_in_member(request)
    if own is None:
        if request.user.is_authenticated:
            raise PermissionDenied
        raise NotAuthenticated
    if str(own.pk) != member_id:
        raise NotYourCard


def sign_in(response: Response, member: queries.Member) -> None:
    response.set_signed_cookie(
        MEMBER_COOKIE,
        _value(member),
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
