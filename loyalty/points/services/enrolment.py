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

AT_ONCE = 100  # codes that are made together


def _code_of(member: Member) -> tuple[str, dict[str, str]]:
    return f"member/{member.pk}", {"customer_id": str(member.pk), "type": "loyalty_member"}


def make_qr_code(member: Member) -> gateway.NewCode:
    """Raises gateway.QRServiceError."""
    return codes.create(*_code_of(member))


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
    welcome = PointTransaction(
        customer=member,
        type=PointTransaction.Type.EARN,
        points=bonus,
        description=_("Welcome bonus"),
        recorded_by=recorded_by,
        created_at=now,
    )
    try:
        _store(member, welcome)
    except IntegrityError as error:  # the address was enrolled meanwhile
        codes.disable(code)
        if not email:
            raise PhoneTaken from error
        if member_by_email(email) is None:
            raise
        raise EmailTaken from error
    return member


def enrol_all(first_lines: list[PointTransaction]) -> tuple[list[Member], gateway.QRServiceError | None]:
    """Store new members, each with a code and the first line of the ledger; return those who are stored.

    Each is a transaction of its own. Left out are those who have enrolled meanwhile, and after an error of the code
    service all that are left.
    """
    stored = []
    for start in range(0, len(first_lines), AT_ONCE):
        lines = first_lines[start : start + AT_ONCE]
        made = gateway.create_codes([codes.to_create(*_code_of(line.customer)) for line in lines])
        for line, code in zip(lines, made.codes, strict=False):
            codes.assign(line.customer, code)
            try:
                _store(line.customer, line)
                stored.append(line.customer)
            except IntegrityError:
                codes.disable(code)
        if made.error is not None:
            return stored, made.error
    return stored, None


def _store(member: Member, first: PointTransaction) -> None:
    with transaction.atomic():
        member.save(force_insert=True)
        first.save(force_insert=True)
        first.entry.save()
