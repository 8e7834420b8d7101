"""Another email address for a card, confirmed by a link. See "Another email" in docs/behaviour/loyalty.md."""

from datetime import datetime
from functools import partial

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from loyalty import mail, rules
from loyalty.errors import EmailTaken, LinkExpired, MemberErased, MemberUnknown
from loyalty.members.models import Member
from loyalty.members.queries import member_by_email, member_by_id
from loyalty.members.services.members import all_signed_out
from web import languages, venue

_SALT = "loyalty.email-link"


def ask(*, member: Member, email: str) -> bool:
    """Start mailing a link to this address, by which the card gets it within the hour. Earlier links end.

    False for the address that the card has already, which only ends them. Whether another card has the address shows
    in no response and takes no longer: its owner gets a mail that says so. Raises MemberErased.
    """
    is_another = email.lower() != member.email.lower()
    asked_at = timezone.now() if is_another else None
    changes = {"new_email": email if is_another else "", "new_email_asked_at": asked_at}
    if not Member.objects.filter(pk=member.pk, erased_at=None).update(**changes):
        raise MemberErased
    if asked_at is not None:
        mail.send_later(partial(_confirmation_mail, str(member.pk), email, asked_at))
    return is_another


def _confirmation_mail(member_id: str, email: str, asked_at: datetime) -> EmailMessage:
    """Compose it without the member's name, as all mails to an address that nobody has confirmed yet."""
    owner = member_by_email(email)
    if owner is not None and str(owner.pk) != member_id:
        with translation.override(languages.of_reader(owner.language)):
            return _taken_mail(email)
    token = signing.dumps({"member": member_id, "asked": asked_at.isoformat()}, salt=_SALT)
    address = f"{settings.APP_BASE_URL}/member-email/{token}"
    paragraphs = [
        _("Tap this link to use this email address for your card. It works once and expires in an hour:"),
        address,
        _("If you didn't request this, you can ignore this email."),
    ]
    subject = _("Confirm your email for %(venue)s") % {"venue": venue.name()}
    return mail.compose(subject=subject, paragraphs=paragraphs, to=email, link=address, link_label=_("Confirm"))


def _taken_mail(email: str) -> EmailMessage:
    address = f"{settings.APP_BASE_URL}/member-sign-in"
    paragraphs = [
        _("Somebody asked to use this email address for another card. It has a card already, so nothing was changed."),
        _("To open the card of this address:"),
        address,
        _("If you didn't request this, you can ignore this email."),
    ]
    subject = _("Your card at %(venue)s") % {"venue": venue.name()}
    return mail.compose(subject=subject, paragraphs=paragraphs, to=email, link=address, link_label=_("Open your card"))


def member_of_link(token: str) -> Member:
    """Return the link's member, with the address as `new_email`. The link stays unused. Raises LinkExpired."""
    try:
        content = signing.loads(token, salt=_SALT, max_age=rules.LINK_LIFETIME)
        member = member_by_id(content["member"])
    except (signing.BadSignature, MemberUnknown) as error:
        raise LinkExpired from error
    asked_at = member.new_email_asked_at
    if asked_at is None or asked_at.isoformat() != content["asked"]:
        raise LinkExpired
    return member


def use_link(token: str) -> Member:
    """Give the card its new address, once; return the member.

    Every phone is signed out, and links to the previous address end. A mail informs that address.

    Raises LinkExpired; EmailTaken where another card has got the address meanwhile.
    """
    member = member_of_link(token)
    before, email = member.email, member.new_email
    unused = Member.objects.filter(pk=member.pk, erased_at=None, new_email_asked_at=member.new_email_asked_at)
    try:
        with transaction.atomic():
            member.merged.filter(email__iexact=email).update(email="")  # it may lead here already
            is_used = unused.update(email=email, signed_in_at=timezone.now(), **all_signed_out())
    except IntegrityError as error:
        if member_by_email(email) is None:
            raise
        raise EmailTaken from error
    if not is_used:
        raise LinkExpired
    member.refresh_from_db()
    if before:
        mail.send_later(partial(_notice_mail, before), language=languages.of_reader(member.language))
    return member


def _notice_mail(before: str) -> EmailMessage:
    """Compose it without the new address: whoever reads this may not be the member any more."""
    subject = _("Your card at %(venue)s has another email") % {"venue": venue.name()}
    paragraphs = [
        _("Your card is now opened with another email address, and this one opens it no more."),
        _("If this wasn't you, please tell us soon: we can change it back."),
    ]
    return mail.compose(subject=subject, paragraphs=paragraphs, to=before)
