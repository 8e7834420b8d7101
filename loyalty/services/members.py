"""Enrolling members, and letting them in again by email."""

import hashlib
import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import queries, tiers
from loyalty.errors import EmailTaken, LinkSpent
from loyalty.models import Member, PointTransaction, new_card_key
from loyalty.services import codes, mail

log = logging.getLogger(__name__)

LINK_LIFETIME = timedelta(hours=1)
_SALT = "loyalty.sign-in-link"


def enrol(*, email: str, name: str, phone: str = "") -> Member:
    """A new member with a code and the bonus of 100 points (document 2, decision 4.1).

    Raises EmailTaken, gateway.QRServiceError; then nothing was stored.
    """
    now = timezone.now()
    if queries.member_by_email(email) is not None:
        raise EmailTaken
    member = Member(
        email=email,
        name=name,
        phone=phone,
        points_balance=tiers.SIGNUP_BONUS,
        lifetime_points=tiers.SIGNUP_BONUS,
        created_at=now,
        last_activity_at=now,
    )
    code = codes.of_member(member)
    codes.give(member, code)
    try:
        with transaction.atomic():
            member.save(force_insert=True)
            PointTransaction.objects.create(
                customer=member,
                type=PointTransaction.Type.EARN,
                points=tiers.SIGNUP_BONUS,
                description=_("Welcome bonus"),
                created_at=now,
            )
    except IntegrityError as error:  # the same address, enrolled since we looked
        codes.drop(code)
        if queries.member_by_email(email) is None:
            raise
        raise EmailTaken from error
    return member


# --- sign-in links --------------------------------------------------------------------------------


def send_sign_in_link(*, member: Member) -> None:
    """Mail a link that signs one browser in, once, within the hour. Raises what the mail backend raises.

    Whoever enrolled this address chose the name: so it does not stand in the mail.
    """
    lines = [
        _("This link opens your card on the phone on which you tap it. It works once, for one hour:"),
        sign_in_address(member=member),
        _("If you did not ask for it, you need not do anything."),
    ]
    subject = _("Your card at %(venue)s") % {"venue": settings.VENUE_NAME}
    mail.arrives(mail.post(subject=subject, body="\n\n".join(lines), to=member.email), within=mail.PATIENCE)


def sign_in_address(*, member: Member) -> str:
    """Whoever has it within the hour can spend the member's points."""
    token = signing.dumps({"member": str(member.pk), "state": _state(member)}, salt=_SALT)
    return f"{settings.APP_BASE_URL}/member-sign-in/{token}"


def _state(member: Member) -> str:
    """What ends a link: another one was used, or the card has another address now."""
    last = member.signed_in_at.isoformat() if member.signed_in_at else ""
    return hashlib.sha256(f"{last} {member.email}".encode()).hexdigest()[:16]


def member_of_link(token: str) -> Member:
    """Whom the link is for, without using it up: mail programs open links to look at them. Raises LinkSpent."""
    try:
        said = signing.loads(token, salt=_SALT, max_age=LINK_LIFETIME)
        member = queries.member(said["member"])
    except (signing.BadSignature, queries.MemberUnknown) as error:
        raise LinkSpent from error
    if _state(member) != said.get("state"):
        raise LinkSpent
    return member


def use_link(token: str) -> Member:
    """Whom to sign in. The link, and all that were sent with it, work no more. Raises LinkSpent.

    Who uses a card's first link has proved to own its address: the phone that enrolled it is signed out, which may
    have been anybody's.
    """
    member = member_of_link(token)
    changes: dict[str, Any] = {"signed_in_at": timezone.now()}
    if member.signed_in_at is None:
        changes["card_key"] = new_card_key()
    unused = Member.objects.filter(pk=member.pk, signed_in_at=member.signed_in_at, email=member.email)
    if unused.update(**changes) != 1:
        raise LinkSpent
    for name, value in changes.items():
        setattr(member, name, value)
    return member


def correct(*, member: Member, changes: dict[str, str]) -> None:
    """Change name, email or phone. With another address, every phone that is signed in to the card is signed out."""
    values = dict(changes)
    if "email" in values:
        values["card_key"] = new_card_key()
    Member.objects.filter(pk=member.pk).update(**values)
