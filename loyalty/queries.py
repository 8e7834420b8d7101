"""Reading members, rewards, redemptions and the ledger, in the shapes that JSON and pages show."""

from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_time
from django.conf import settings
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, to_locale

from loyalty import tiers
from loyalty.errors import (
    ConfirmationUnknown,
    LocationUnknown,
    MemberUnknown,
    RedemptionExpired,
    RedemptionUnknown,
    RedemptionUsed,
)
from loyalty.models import Confirmation, Location, Member, Notification, PointTransaction, Redemption, Reward
from qrservice import gateway
from web.fields import is_uuid

CHECKIN_WINDOW = timedelta(hours=1)
SHOWN = 10  # transactions and notifications on a card
FOUND = 20  # members that a search shows

_REWARD_FIELDS = (
    "id", "name", "description", "points_required", "reward_type", "reward_value", "available", "created_at",
)  # fmt: skip


def image(qr_code_url: str, *, size: int | None = None) -> str:
    """The address of a code's image; the empty string where there is no code."""
    return gateway.image_url(qr_code_url, size=size) if qr_code_url else ""


def moment(time: datetime | None) -> str:
    """Day and time of day in this installation's time zone, for a sentence."""
    if time is None:
        return "?"
    local, language = timezone.localtime(time), get_language() or settings.LANGUAGE_CODE
    return f"{date_format(local, 'DATE_FORMAT')}, {format_time(local, 'short', locale=to_locale(language))}"


# --- members --------------------------------------------------------------------------------------


def member(member_id: str) -> Member:
    """Raises MemberUnknown, also for what can't be an id."""
    found = Member.objects.filter(pk=member_id).first() if is_uuid(member_id) else None
    if found is None:
        raise MemberUnknown
    return found


def member_by_email(email: str) -> Member | None:
    """Without regard to case (decision 4.1), as the unique index has it."""
    return Member.objects.alias(lower_email=Lower("email")).filter(lower_email=Lower(Value(email))).first()


def way_to_next(member: Member) -> dict[str, Any] | None:
    """The next tier, and how far it is; None at the top."""
    following = tiers.next_tier(member.lifetime_points)
    if following is None:
        return None
    reached = max(tier.threshold for tier in tiers.TIERS if tier.threshold <= max(member.lifetime_points, 0))
    return {
        "tier": following.name,
        "threshold": following.threshold,
        "pointsToGo": following.threshold - member.lifetime_points,
        "percent": 100 * (member.lifetime_points - reached) // (following.threshold - reached),
    }


def card(member: Member) -> dict[str, Any]:
    """What anyone may see who knows the id (decision 4.13)."""
    return {
        "customerId": str(member.pk),
        "name": member.name,
        "tier": member.tier,
        "pointsBalance": member.points_balance,
        "lifetimePoints": member.lifetime_points,
        "nextTier": way_to_next(member),
        "qrCodeUrl": image(member.qr_code_url),
        "rewards": rewards_for(member),
    }


def search_members(text: str) -> list[dict[str, Any]]:
    """By a part of name, email or phone, for staff; at most FOUND, the one who came last first."""
    if not text or "\0" in text:
        return []
    found = Member.objects.filter(Q(name__icontains=text) | Q(email__icontains=text) | Q(phone__icontains=text))
    latest = found.order_by(F("last_activity_at").desc(nulls_last=True), "name", "id")[:FOUND]
    return [
        {
            "customerId": str(each.pk),
            "name": each.name,
            "email": each.email,
            "tier": each.tier,
            "pointsBalance": each.points_balance,
        }
        for each in latest
    ]


def activity(member: Member) -> list[dict[str, Any]]:
    """The latest transactions, newest first."""
    latest = PointTransaction.objects.filter(customer=member).order_by("-created_at", "-id")[:SHOWN]
    names = ("id", "type", "points", "description", "order_total", "location_id", "created_at")
    return list(latest.values(*names))


def notifications(member: Member) -> list[dict[str, Any]]:
    latest = Notification.objects.filter(customer=member).order_by("-created_at", "-id")[:SHOWN]
    return [dict(each) for each in latest.values("title", "message", "type", "created_at")]


# --- locations ------------------------------------------------------------------------------------


def location(location_id: str) -> Location:
    """Raises LocationUnknown, also for what can't be an id."""
    found = Location.objects.filter(pk=location_id).first() if is_uuid(location_id) else None
    if found is None:
        raise LocationUnknown
    return found


def locations() -> list[dict[str, Any]]:
    return [{"id": str(each.pk), "name": each.name} for each in Location.objects.order_by("name", "pk")]


def latest_at(member: Member, location: Location, *, now: datetime) -> datetime | None:
    """When the member last got or spent points at this location, if that is less than an hour ago (document 2)."""
    recent = PointTransaction.objects.filter(customer=member, location=location, created_at__gt=now - CHECKIN_WINDOW)
    return recent.order_by("-created_at").values_list("created_at", flat=True).first()


# --- rewards --------------------------------------------------------------------------------------


def rewards_for(member: Member) -> list[dict[str, Any]]:
    """The available rewards with all their fields, and what the member lacks for each (document 2)."""
    balance = member.points_balance
    available = Reward.objects.filter(available=True).order_by("points_required", "name", "id").values(*_REWARD_FIELDS)
    return [
        {
            **reward,
            "canRedeem": balance >= reward["points_required"],
            "pointsNeeded": max(0, reward["points_required"] - balance),
        }
        for reward in available
    ]


# --- redemptions ----------------------------------------------------------------------------------


def normal_code(code: str) -> str:
    """A redemption code as it is stored: look-up ignores case and surrounding space (decision 4.8)."""
    return code.strip().upper().replace("\0", "")


def state_of(redemption: Redemption, now: datetime) -> str:
    """The stored status, or `expired` where its time is over and nothing has stored that yet."""
    if redemption.status == Redemption.Status.ACTIVE and now > redemption.expires_at:
        return Redemption.Status.EXPIRED.value
    return redemption.status


def redemption(code: str) -> Redemption:
    """With its member and reward. Raises RedemptionUnknown."""
    rows = Redemption.objects.select_related("customer", "reward")
    found = rows.filter(redemption_code=normal_code(code)).first()
    if found is None:
        raise RedemptionUnknown
    return found


def check_valid(redemption: Redemption, now: datetime) -> None:
    """Raises RedemptionUsed, RedemptionExpired."""
    state = state_of(redemption, now)
    if state == Redemption.Status.USED:
        raise RedemptionUsed(used_at=redemption.used_at)
    if state == Redemption.Status.EXPIRED:
        raise RedemptionExpired


def active_redemptions(member: Member, now: datetime) -> list[dict[str, Any]]:
    """What the member can still show to staff, newest first."""
    active = Redemption.objects.filter(customer=member, status=Redemption.Status.ACTIVE, expires_at__gte=now)
    return [
        {
            "redemptionCode": each.redemption_code,
            "qrCodeUrl": image(each.qr_code_url),
            "reward": each.reward.name,
            "expiresAt": each.expires_at,
        }
        for each in active.select_related("reward").order_by("-created_at", "-id")
    ]


def confirmation(confirmation_id: str) -> Confirmation:
    """With its redemption, member and reward. Raises ConfirmationUnknown."""
    rows = Confirmation.objects.select_related("redemption__customer", "redemption__reward", "location")
    found = rows.filter(pk=confirmation_id).first() if is_uuid(confirmation_id) else None
    if found is None:
        raise ConfirmationUnknown
    return found


# --- does the ledger balance? ---------------------------------------------------------------------


def unbalanced_members() -> QuerySet[Any]:
    """Members whose stored figures are not what the ledger says (decision 4.7), with what it says.

    `ledger_balance` is the sum of the transactions, `ledger_lifetime` that of the earn awards, `ledger_spent` what
    was redeemed, and `redeemed` the same by the redemptions.
    """
    points = "transactions__points"
    of_member = Redemption.objects.filter(customer=OuterRef("pk")).order_by().values("customer")
    return (
        Member.objects.annotate(
            ledger_balance=Coalesce(Sum(points), 0),
            ledger_lifetime=Coalesce(Sum(points, filter=Q(transactions__type="earn")), 0),
            ledger_spent=-Coalesce(Sum(points, filter=Q(transactions__type="redeem")), 0),
            redeemed=Coalesce(Subquery(of_member.values(total=Sum("points_spent"))), 0),
        )
        .exclude(points_balance=F("ledger_balance"), lifetime_points=F("ledger_lifetime"), redeemed=F("ledger_spent"))
        .order_by("pk")
    )


def member_count() -> int:
    return Member.objects.count()
