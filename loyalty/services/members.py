"""Enrolling members, and signing their phones in by email."""

import hashlib
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import queries, rules
from loyalty.errors import EmailTaken, LinkExpired, MemberUnknown
from loyalty.models import Member, PointTransaction, new_card_key
from loyalty.services import codes, mail

LINK_LIFETIME = timedelta(hours=1)
_SALT = "loyalty.sign-in-link"


def enrol(*, email: str, name: str, phone: str = "") -> Member:
    """Create a member with a code and the signup bonus.

    Raises EmailTaken, gateway.QRServiceError; nothing is stored then.
    """
    now = timezone.now()
    if queries.member_by_email(email) is not None:
        raise EmailTaken
    member = Member(
        email=email,
        name=name,
        phone=phone,
        points_balance=rules.SIGNUP_BONUS,
        lifetime_points=rules.SIGNUP_BONUS,
        created_at=now,
        last_activity_at=now,
    )
    code = codes.of_member(member)
    codes.assign(member, code)
    bonus = PointTransaction(
        customer=member,
        type=PointTransaction.Type.EARN,
        points=rules.SIGNUP_BONUS,
        description=_("Welcome bonus"),
        created_at=now,
    )
    try:
        with transaction.atomic():
            member.save(force_insert=True)
            bonus.save(force_insert=True)
    except IntegrityError as error:  # the address was enrolled meanwhile
        codes.disable(code)
        if queries.member_by_email(email) is None:
            raise
        raise EmailTaken from error
    return member


def correct(*, member: Member, changes: dict[str, str]) -> None:
    """Change name, email or phone. Another email signs every phone out of the card."""
    values = dict(changes)
    if "email" in values:
        values["card_key"] = new_card_key()
    Member.objects.filter(pk=member.pk).update(**values)


# --- sign-in links --------------------------------------------------------------------------------


def send_sign_in_link(*, member: Member) -> None:
    """Mail a link that signs one browser in, once, within the hour. Raises what the mail backend raises.

    The mail leaves out the member's name: anybody could have enrolled this address under any name.
    """
    lines = [
        _("Tap this link to open your card on your phone. It works once and expires in an hour:"),
        sign_in_address(member=member),
        _("If you didn't request this, you can ignore this email."),
    ]
    subject = _("Your card at %(venue)s") % {"venue": settings.VENUE_NAME}
    mail.wait(mail.send(subject=subject, body="\n\n".join(lines), to=member.email), at_most=mail.MAX_WAIT)


def sign_in_address(*, member: Member) -> str:
    """Whoever opens it within the hour can spend the member's points."""
    token = signing.dumps({"member": str(member.pk), "state": _link_state(member)}, salt=_SALT)
    return f"{settings.APP_BASE_URL}/member-sign-in/{token}"


def _link_state(member: Member) -> str:
    """Changes when a link is used or the card gets another address, which ends all earlier links."""
    last = member.signed_in_at.isoformat() if member.signed_in_at else ""
    return hashlib.sha256(f"{last} {member.email}".encode()).hexdigest()[:16]


def member_of_link(token: str) -> Member:
    """The link's member. The link stays unused: mail programs open links to preview them. Raises LinkExpired."""
    try:
        content = signing.loads(token, salt=_SALT, max_age=LINK_LIFETIME)
        member = queries.member(content["member"])
    except (signing.BadSignature, MemberUnknown) as error:
        raise LinkExpired from error
    if _link_state(member) != content.get("state"):
        raise LinkExpired
    return member


def use_link(token: str) -> Member:
    """Use the link up, together with all that were sent before; return the member. Raises LinkExpired.

    The first link used for a card shows who owns its address: the phone that enrolled it, which may be anybody's,
    is signed out.
    """
    member = member_of_link(token)
    changes: dict[str, Any] = {"signed_in_at": timezone.now()}
    if member.signed_in_at is None:
        changes["card_key"] = new_card_key()
    unused = Member.objects.filter(pk=member.pk, signed_in_at=member.signed_in_at, email=member.email)
    if unused.update(**changes) != 1:
        raise LinkExpired
    for name, value in changes.items():
        setattr(member, name, value)
    return member
