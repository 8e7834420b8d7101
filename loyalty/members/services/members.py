"""Changing members' details, and signing their phones in by email."""

import hashlib
import uuid
from functools import partial
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import F, Func, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import mail, rules
from loyalty.errors import LinkExpired, MemberErased, MemberUnknown
from loyalty.members.models import Member, new_card_key
from loyalty.members.queries import member_by_id
from web import languages, venue
from web.throttling import seconds_to_wait

MAX_SIGNED_OUT = 100  # phones of one card that are remembered
_SALT = "loyalty.sign-in-link"


def locked_member(member_id: str | uuid.UUID) -> Member:
    """Lock the member's row in the caller's transaction, of a merged card that of the one which was kept.

    Raises MemberUnknown, MemberErased.
    """
    member = Member.objects.select_for_update(no_key=True).filter(pk=member_id).first()
    if member is None:
        raise MemberUnknown
    if member.merged_into_id is not None:
        return locked_member(member.merged_into_id)
    if member.erased_at is not None:
        raise MemberErased
    return member


def all_signed_out() -> dict[str, Any]:
    """Return changes that sign every phone out of the card, and end the request for another email."""
    return {"card_key": new_card_key(), "signed_out_phones": None, "new_email": "", "new_email_asked_at": None}


def keep_language(*, member: Member, language: str) -> None:
    """Write mails in this language from now on."""
    if member.language != language:
        Member.objects.filter(pk=member.pk).update(language=language)


def sign_out(*, member: Member, phone: str) -> None:
    """Refuse this phone's cookie from now on, and every copy of it.

    Cookies from before phones had names, and a card with very many that have signed out, sign out every phone.
    """
    row = Member.objects.filter(pk=member.pk)
    if not phone or len(member.signed_out_phones or ()) >= MAX_SIGNED_OUT:
        row.update(**all_signed_out())
    else:
        # One statement, so that none is lost of several that sign out at once.
        column = Member._meta.get_field("signed_out_phones")
        added = Func(F(column.name), Value(phone), function="array_append", output_field=column)
        row.update(signed_out_phones=added)


def correct(*, member: Member, changes: dict[str, Any]) -> None:
    """Change name, email, phone or note, and by `offers` whether they agree to get some. Raises MemberErased.

    Another email signs every phone out of the card. The first day of agreeing to offers stays, also where two phones
    agree at once: the statement that writes the row reads it.
    """
    values = dict(changes)
    if "email" in values:
        values |= all_signed_out()
        member.merged.filter(email__iexact=values["email"]).update(email="")  # it may lead here already
    if "offers" in values:
        values["offers_agreed_at"] = Coalesce("offers_agreed_at", timezone.now()) if values.pop("offers") else None
    if values and not Member.objects.filter(pk=member.pk, erased_at=None).update(**values):
        raise MemberErased


# --- sign-in links --------------------------------------------------------------------------------


def send_sign_in_link(*, member: Member | None) -> None:
    """Start mailing a link that signs one browser in, once, within the hour.

    None is an address without a card, for which the same is done, except the mail.
    """
    language = languages.of_reader(member.language) if member and member.language else ""
    mail.send_later(partial(_sign_in_mail, member), language=language)


def _sign_in_mail(member: Member | None) -> EmailMessage | None:
    """Return None also past the limit of a member's mailbox: a response must not tell whose mailbox it is.

    The mail leaves out the member's name: anybody could have enrolled this address under any name.
    """
    if member is None or seconds_to_wait("sign_in_link", f"member-{member.pk}"):
        return None
    address = sign_in_address(member=member)
    paragraphs = [
        _("Tap this link to open your card on your phone. It works once and expires in an hour:"),
        address,
        _("If you didn't request this, you can ignore this email."),
    ]
    subject = _("Your card at %(venue)s") % {"venue": venue.name()}
    return mail.compose(
        subject=subject, paragraphs=paragraphs, to=member.email, link=address, link_label=_("Open your card")
    )


def sign_in_address(*, member: Member) -> str:
    """Return a link with which anybody can spend the member's points within the hour."""
    token = signing.dumps({"member": str(member.pk), "state": _link_state(member)}, salt=_SALT)
    return f"{settings.APP_BASE_URL}/member-sign-in/{token}"


def _link_state(member: Member) -> str:
    """Return a text that changes when a link is used or the card gets another address, which ends earlier links."""
    last = member.signed_in_at.isoformat() if member.signed_in_at else ""
    return hashlib.sha256(f"{last} {member.email}".encode()).hexdigest()[:16]


def member_of_link(token: str) -> Member:
    """Return the link's member. The link stays unused: mail programs open links to preview. Raises LinkExpired."""
    try:
        content = signing.loads(token, salt=_SALT, max_age=rules.LINK_LIFETIME)
        member = member_by_id(content["member"])
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
        changes |= all_signed_out()
    unused = Member.objects.filter(pk=member.pk, signed_in_at=member.signed_in_at, email=member.email)
    if unused.update(**changes) != 1:
        raise LinkExpired
    member.refresh_from_db()
    return member
