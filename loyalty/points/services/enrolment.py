"""New members, with their code and their welcome bonus."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty.errors import EmailTaken
from loyalty.members import queries as members_queries
from loyalty.members.models import Member
from loyalty.members.services import codes
from loyalty.points import queries
from loyalty.points.models import PointTransaction


def enrol(*, email: str, name: str, phone: str = "", offers: bool = False, recorded_by: str | None = None) -> Member:
    """Create a member with a code and the signup bonus. `offers`: they agree to get some by email. `recorded_by` is who
    was signed in as staff.

    Raises EmailTaken, gateway.QRServiceError; nothing is stored then.
    """
    now = timezone.now()
    if members_queries.member_by_email(email) is not None:
        raise EmailTaken
    programme = queries.programme()
    member = Member(
        email=email,
        name=name,
        phone=phone,
        offers_agreed_at=now if offers else None,
        points_balance=programme.signup_bonus,
        lifetime_points=programme.signup_bonus,
        awards=1,
        created_at=now,
        last_activity_at=now,
    )
    code = codes.of_member(member)
    codes.assign(member, code)
    bonus = PointTransaction(
        customer=member,
        type=PointTransaction.Type.EARN,
        points=programme.signup_bonus,
        description=_("Welcome bonus"),
        recorded_by=recorded_by,
        created_at=now,
    )
    try:
        with transaction.atomic():
            member.save(force_insert=True)
            bonus.save(force_insert=True)
    except IntegrityError as error:  # the address was enrolled meanwhile
        codes.disable(code)
        if members_queries.member_by_email(email) is None:
            raise
        raise EmailTaken from error
    return member
