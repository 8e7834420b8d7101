"""The cookies of loyalty: which card a phone is signed in to, and the location of a till."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries
from loyalty.errors import MemberUnknown, NotYourCard

MEMBER_COOKIE = "member"
LOCATION_COOKIE = "till_location"
AWARD_POINTS = "loyalty.award_points"  # the permission of whoever works at the till

_LIFETIME = 365 * 24 * 3600  # seconds; renewed whenever the member opens the card
_SALT = "loyalty.member"


def works_at_till(request: Request) -> bool:
    return bool(request.user.has_perm(AWARD_POINTS))


def is_own_card(request: Request | HttpRequest, member: queries.Member) -> bool:
    """Whether this phone is signed in to this card."""
    return _cookie(request) == _value(member)


def signed_in_member(request: Request | HttpRequest) -> queries.Member | None:
    """The member whose phone this is. None without a valid cookie."""
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


def require_credentials(request: Request) -> None:
    """Refuse strangers before the body is read. Raises NotAuthenticated."""
    if not request.user.is_authenticated and _cookie(request) is None:
        raise NotAuthenticated


def check_may_spend(request: Request, member_id: str) -> None:
    """See "Spending points" in docs/behaviour.md. Raises NotAuthenticated, PermissionDenied, NotYourCard."""
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


def remember_location(response: Response, location_id: str) -> None:
    """For the next form of this till."""
    response.set_cookie(
        LOCATION_COOKIE,
        location_id,
        max_age=_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
