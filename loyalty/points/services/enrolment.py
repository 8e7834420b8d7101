"""New members, with their code and their welcome bonus."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty.errors import EmailTaken, PhoneTaken
from loyalty.members.models import Member
from loyalty.members.queries import member_by_email
from loyalty.members.services import codes
from loyalty.points.models import PointTransaction
from loyalty.points.queries.programme import current_programme
from qrservice import gateway


def make_qr_code(member: Member) -> gateway.NewCode:
    """Raises gateway.QRServiceError."""
    return codes.create(f"member/{member.pk}", {"customer_id": str(member.pk), "type": "loyalty_member"})


def enrol(*, email: str, name: str, phone: str = "", offers: bool = False, recorded_by: str | None = None) -> Member:
    """Create a member with a code and the signup bonus. `offers`: whether they agree to get some by email.

    `recorded_by` is the name of the user who was signed in.

    Without an email they are known by their phone, and get no mails.

    Raises EmailTaken, PhoneTaken, gateway.QRServiceError; nothing is stored then.
    """
    now = timezone.now()
    if email and member_by_email(email) is not None:
        raise EmailTaken
    bonus = current_programme().signup_bonus
    member = Member(
        email=email,
        name=name,
        phone=phone,
        offers_agreed_at=now if offers and email else None,
        points_balance=bonus,
        lifetime_points=bonus,
        awards=1,
        created_at=now,
        last_activity_at=now,
    )
    code = make_qr_code(member)
    codes.assign(member, code)
    try:
        _store(member, recorded_by)
    except IntegrityError as error:  # the address was enrolled meanwhile
        codes.disable(code)
        if not email:
            raise PhoneTaken from error
        if member_by_email(email) is None:
            raise
        raise EmailTaken from error
    return member


def _store(member: Member, recorded_by: str | None) -> None:
    with transaction.atomic():
        member.save(force_insert=True)
        bonus = PointTransaction.objects.create(
            customer=member,
            type=PointTransaction.Type.EARN,
            points=member.points_balance,
            description=_("Welcome bonus"),
            recorded_by=recorded_by,
            created_at=member.created_at,
        )
        bonus.entry.save()
