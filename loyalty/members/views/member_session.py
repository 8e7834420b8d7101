"""The cookies of loyalty: which card a phone is signed in to, and the location of a till."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.errors import NotYourCard
from loyalty.members.models import Member
from loyalty.members.services import members
from loyalty.rules import LINK_LIFETIME
from web import languages
from web.fields import is_uuid

MEMBER_COOKIE = "member"
LINK_COOKIE = "member_link"  # that this phone has used a link, for as long as links work
LOCATION_COOKIE = "till_location"
AWARD_POINTS = "loyalty.award_points"
VALIDATE = "loyalty.validate_redemption"
AT_TILL = (AWARD_POINTS, VALIDATE)  # the permissions of whoever works at the till: one is enough to see guests there

_LIFETIME = timedelta(days=365)  # renewed whenever the member opens the card
_SALT = "loyalty.member"
_LINK_SALT = "loyalty.member-link"
_LINK_PATH = "/member"


def recorded_by(request: Request) -> str | None:
    """Return the user name of whoever is signed in as staff."""
    return request.user.get_username() or None


def works_at_till(request: Request) -> bool:
    return any(map(request.user.has_perm, AT_TILL))


def is_own_card(request: HttpRequest, member: Member) -> bool:
    """Return whether this phone is signed in to this card."""
    value = _cookie(request)
    if value is None or value.startswith(f"{member.pk}:"):
        return _is_valid(value, member)
    own = signed_in_member(request)  # perhaps by a card that was merged into this one
    return own is not None and own.pk == member.pk


def signed_in_member(request: HttpRequest) -> Member | None:
    """Return the member whose phone this is; None without a valid cookie."""
    value = _cookie(request)
    if value is None:
        return None
    member_id = value.partition(":")[0]
    row = Member.objects.filter(pk=member_id).first() if is_uuid(member_id) else None
    return row.holder if row is not None and row.holder.erased_at is None and _is_valid(value, row) else None


def _cookie(request: HttpRequest) -> str | None:
    return request.get_signed_cookie(MEMBER_COOKIE, default=None, salt=_SALT, max_age=_LIFETIME)


def _is_valid(value: str | None, row: Member) -> bool:
    card, phone = _card_and_phone(value)
    if row.merged_into is not None and row.merged_key != row.merged_into.card_key:
        return False
    signed_out = [*(row.signed_out_phones or ()), *(row.holder.signed_out_phones or ())]
    return card == f"{row.pk}:{row.card_key}" and phone not in signed_out


def _card_and_phone(cookie: str | None) -> tuple[str, str]:
    """Return the name of the card and that of the phone, which is empty in cookies from before phones had names."""
    member_id, _colon, rest = (cookie or "").partition(":")
    key, _colon, phone = rest.partition(":")
    return f"{member_id}:{key}", phone


def require_credentials(request: Request) -> None:
    """Refuse strangers before the body is read. Raises NotAuthenticated."""
    if not request.user.is_authenticated and _cookie(request) is None:
        raise NotAuthenticated


def require_member(request: Request) -> Member:
    """Return the member whose phone this is. Raises NotAuthenticated, and PermissionDenied for staff."""
    member = signed_in_member(request)
    if member is None:
        raise PermissionDenied if request.user.is_authenticated else NotAuthenticated
    return member


def check_may(request: Request, member_id: str, *, permission: str | None) -> None:
    """Allow staff with this permission, and the member's own phone.

    Raises NotAuthenticated, PermissionDenied, NotYourCard.
    """
    if permission is not None and request.user.has_perm(permission):
        return
    own = require_member(request)
    if str(own.pk) != member_id and not own.merged.filter(pk=member_id).exists():
        raise NotYourCard


def sign_in(request: Request, response: Response, member: Member) -> None:
    """Sign the phone in to the card. One that is signed in already keeps its name, which copies of its cookie have.

    Mails are in the language of its pages from now on; a program that asks for none says nothing about that.
    """
    if request.headers.get("Accept-Language"):
        members.keep_language(member=member, language=languages.of_page())
    phone = _card_and_phone(_cookie(request))[1] if is_own_card(request, member) else secrets.token_urlsafe(9)
    response.set_signed_cookie(
        MEMBER_COOKIE,
        f"{member.pk}:{member.card_key}:{phone}" if phone else f"{member.pk}:{member.card_key}",
        salt=_SALT,
        max_age=_LIFETIME,
        **_protection(),
    )


def _protection() -> dict[str, Any]:
    return {"httponly": True, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}


def remember_link(response: Response, member: Member) -> None:
    """Remember that the phone has just used a link to this card, which was the latest one."""
    response.set_signed_cookie(
        LINK_COOKIE,
        _link_proof(member),
        salt=_LINK_SALT,
        max_age=LINK_LIFETIME,
        path=_LINK_PATH,
        **_protection(),
    )


def used_link_lately(request: Request, member: Member) -> bool:
    """Return whether this phone, which is signed in to the card, became so by a link within the hour."""
    value = request.get_signed_cookie(LINK_COOKIE, default="", salt=_LINK_SALT, max_age=LINK_LIFETIME)
    return is_own_card(request, member) and member.signed_in_at is not None and value == _link_proof(member)


def _link_proof(member: Member) -> str:
    return f"{member.pk}:{member.signed_in_at.isoformat() if member.signed_in_at else ''}"


def forget_phone(response: Response) -> None:
    """Delete the member's cookies."""
    response.delete_cookie(MEMBER_COOKIE, samesite="Lax")
    response.delete_cookie(LINK_COOKIE, path=_LINK_PATH, samesite="Lax")


def sign_out(request: Request, response: Response) -> None:
    """Delete the cookie, and refuse every copy of it."""
    own = signed_in_member(request)
    if own is not None:
        members.sign_out(member=own, phone=_card_and_phone(_cookie(request))[1])
    forget_phone(response)


def remember_location(response: Response, location_id: str) -> None:
    """Remember the location for the next form of this till."""
    response.set_cookie(LOCATION_COOKIE, location_id, max_age=_LIFETIME, **_protection())
