"""Reading members, rewards, redemptions and the ledger."""

import contextlib
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID
from zoneinfo import ZoneInfo

from babel.dates import format_time
from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Greatest, Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, to_locale

from loyalty import rules
from loyalty.errors import (
    ConfirmationUnknown,
    LocationUnknown,
    MemberErased,
    MemberUnknown,
    RedemptionCancelled,
    RedemptionExpired,
    RedemptionUnknown,
    RedemptionUsed,
    RewardUnavailable,
)
from loyalty.models import (
    Confirmation,
    Location,
    Member,
    Notification,
    PointTransaction,
    Programme,
    Redemption,
    Reward,
)
from loyalty.search import members_with
from qrservice import gateway
from web.fields import is_uuid

CHECKIN_WINDOW = timedelta(hours=1)
# In which staff may take back what they did themselves.
UNDO_WINDOW = timedelta(minutes=15)
CARD_ROWS = 10  # transactions and notifications on a card
SEARCH_ROWS = 20


def image_url(qr_code_url: str, *, size: int | None = None) -> str:
    """The address of a code's image; empty where there is no code. `size` is in pixels."""
    return gateway.image_url(qr_code_url, size=size) if qr_code_url else ""


def local_text(moment: datetime | None) -> str:
    """Day and time of day in this installation's time zone, for a sentence."""
    if moment is None:
        return "?"
    return f"{date_format(timezone.localtime(moment), 'DATE_FORMAT')}, {_time_text(moment)}"


def is_today(moment: datetime, *, now: datetime) -> bool:
    """By this installation's clock."""
    return timezone.localdate(moment) == timezone.localdate(now)


def local_text_today(moment: datetime, *, now: datetime) -> str:
    """The time of day alone, if it is of today."""
    return _time_text(moment) if is_today(moment, now=now) else local_text(moment)


def _time_text(moment: datetime) -> str:
    language = get_language() or settings.LANGUAGE_CODE
    return str(format_time(timezone.localtime(moment), "short", locale=to_locale(language)))


# --- the programme --------------------------------------------------------------------------------

PROGRAMME_FIELDS = tuple(field.name for field in fields(rules.Programme))


def programme() -> rules.Programme:
    """What the owner has set, else the defaults."""
    values = Programme.objects.filter(pk=1).values(*PROGRAMME_FIELDS).first()
    return rules.Programme(**values) if values else rules.DEFAULTS


@dataclass(frozen=True, slots=True)
class UnusualAward:
    """A bill above what the owner calls usual, and the points that it would give."""

    total: Decimal
    points: int


def unusual_award(member_id: str, order_total: Decimal) -> UnusualAward | None:
    """None for a usual bill. Raises MemberUnknown."""
    current = programme()
    if order_total <= current.confirm_above:
        return None
    tier = member(member_id).tier
    return UnusualAward(order_total, rules.points_for(order_total=order_total, tier=tier, programme=current))


# --- members --------------------------------------------------------------------------------------


def member(member_id: str) -> Member:
    """Raises MemberUnknown, also for a malformed id, and MemberErased."""
    found = member_or_erased(member_id)
    if found.erased_at is not None:
        raise MemberErased
    return found


def member_or_erased(member_id: str) -> Member:
    """Raises MemberUnknown."""
    found = Member.objects.filter(pk=member_id).first() if is_uuid(member_id) else None
    if found is None:
        raise MemberUnknown
    return found


def member_by_email(email: str) -> Member | None:
    """Regardless of case, as the unique index compares. `email` may be anything."""
    with contextlib.suppress(ValueError):
        email = rules.mailbox(email)
    return Member.objects.alias(lower_email=Lower("email")).filter(lower_email=Lower(Value(email))).first()


def search_members(text: str) -> list[Member]:
    """By a part of name, email or phone: at most SEARCH_ROWS, most recently active first."""
    if not text or "\0" in text:
        return []
    found = members_with(Member.objects.filter(erased_at=None), [text])
    return list(found.order_by(F("last_activity_at").desc(nulls_last=True), "name", "id")[:SEARCH_ROWS])


def activity(member: Member) -> list[PointTransaction]:
    """The latest transactions, newest first, each with `reversed`: whether it was taken back."""
    rows = member.transactions.annotate(reversed=Exists(PointTransaction.reversals_of(OuterRef("pk"))))
    return list(rows.order_by("-created_at", "-id")[:CARD_ROWS])


def reversible_purchases(customer_id: str, *, user_name: str, is_manager: bool, now: datetime) -> list[str]:
    """The ids of a member's latest purchases that this user may take back."""
    rows = PointTransaction.objects.standing().purchases().filter(customer__pk=customer_id)
    if not is_manager:
        rows = rows.filter(recorded_by=user_name, created_at__gt=now - UNDO_WINDOW)
    return [str(pk) for pk in rows.order_by("-created_at", "-id").values_list("pk", flat=True)[:CARD_ROWS]]


def notifications(member: Member) -> list[Notification]:
    """The latest notifications, newest first."""
    return list(Notification.objects.filter(customer=member).order_by("-created_at", "-id")[:CARD_ROWS])


# --- points that expire ---------------------------------------------------------------------------

# Points are spent oldest first, so those that a card still has are the latest that came onto it.
_CREDITS = (PointTransaction.Type.EARN, PointTransaction.Type.BONUS)


def expiry_limit(now: datetime) -> datetime | None:
    """What was earned before it expires now. None where nothing does."""
    months = programme().expires_after_months
    return None if months is None else rules.months_before(now, months, ZoneInfo(settings.TIME_ZONE))


def members_with_expired_points(member_ids: list[UUID], *, earned_before: datetime) -> QuerySet[Any]:
    """Of these members those with points that are older, as `expired`.

    A purchase that was taken back counts with what could not be taken; a redemption that was cancelled not at all.
    """
    # A row that takes another one back is younger than it.
    recent = PointTransaction.objects.filter(customer=OuterRef("pk"), created_at__gte=earned_before)
    of_purchase = Q(reverses__type=PointTransaction.Type.EARN, reverses__created_at__gte=earned_before)
    credit = recent.filter(Q(type__in=_CREDITS) | of_purchase).order_by().values("customer")
    return (
        Member.objects.filter(pk__in=member_ids)
        .annotate(expired=F("points_balance") - Coalesce(Subquery(credit.values(total=Sum("points"))), 0))
        .filter(expired__gt=0)
        .order_by("pk")
    )


@dataclass(frozen=True, slots=True)
class Expiring:
    """Points that expire on a day, unless they are spent before."""

    points: int
    on: date


def expiring(member: Member, *, months: int | None, now: datetime) -> list[Expiring]:
    """The next days on which points of this card expire, at most CARD_ROWS. What should have expired does so today."""
    if months is None:
        return []
    taken_back = Coalesce(Sum("reversals__points"), 0)
    credits = member.transactions.filter(type__in=_CREDITS).annotate(net=F("points") + taken_back)
    zone, left = ZoneInfo(settings.TIME_ZONE), member.points_balance
    today = now.astimezone(zone).date()
    days: dict[date, int] = {}
    for earned, points in credits.order_by("-created_at", "-pk").values_list("created_at", "net"):
        if left <= 0:
            break
        on = max(rules.expires_on(earned, months, zone), today)
        days[on] = days.get(on, 0) + min(points, left)
        left -= points
    return [Expiring(days[on], on) for on in sorted(days) if days[on]][:CARD_ROWS]


# --- cards ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Card:
    """What anyone sees who knows the member's id. See "Member card" in docs/behaviour.md."""

    viewer: ClassVar[str] = "guest"
    member: Member
    next_tier: rules.NextTier | None
    rewards: list[Reward]


@dataclass(frozen=True, slots=True)
class TillCard(Card):
    """What staff at the till see."""

    viewer: ClassVar[str] = "staff"
    redemptions: list[Redemption]
    activity: list[PointTransaction]


@dataclass(frozen=True, slots=True)
class OwnCard(TillCard):
    """What the member sees."""

    viewer: ClassVar[str] = "member"
    expiring: list[Expiring]
    notifications: list[Notification]
    email: str
    phone: str


def card(member: Member) -> Card:
    return Card(**_public_part(member, programme()))


def till_card(member: Member, *, now: datetime) -> TillCard:
    return TillCard(**_public_part(member, programme()), **_till_part(member, now))


def own_card(member: Member, *, now: datetime) -> OwnCard:
    current = programme()
    return OwnCard(
        **_public_part(member, current),
        **_till_part(member, now),
        expiring=expiring(member, months=current.expires_after_months, now=now),
        notifications=notifications(member),
        email=member.email,
        phone=member.phone,
    )


@dataclass(frozen=True, slots=True)
class ErasureOffer:
    """What a member loses who leaves."""

    member: Member
    redemptions: list[Redemption]


def erasure_offer(member: Member, *, now: datetime) -> ErasureOffer:
    return ErasureOffer(member, active_redemptions(member, now))


def _public_part(member: Member, current: rules.Programme) -> dict[str, Any]:
    rewards = list(rewards_for(member))
    return {"member": member, "next_tier": rules.next_tier(member.lifetime_points, current), "rewards": rewards}


def _till_part(member: Member, now: datetime) -> dict[str, Any]:
    return {"redemptions": active_redemptions(member, now), "activity": activity(member)}


# --- locations ------------------------------------------------------------------------------------


def location(location_id: str) -> Location:
    """Raises LocationUnknown, also for a malformed id."""
    found = Location.objects.filter(pk=location_id).first() if is_uuid(location_id) else None
    if found is None:
        raise LocationUnknown
    return found


def locations() -> QuerySet[Location]:
    return Location.objects.order_by("name", "pk")


@dataclass(frozen=True, slots=True)
class CheckIn:
    """`last_at` is when the member last got or spent points here within the hour; None: did not."""

    member: Member
    location: Location
    now: datetime
    last_at: datetime | None

    @property
    def next_at(self) -> datetime | None:
        return self.last_at + CHECKIN_WINDOW if self.last_at else None


def check_in(member: Member, location: Location, *, now: datetime) -> CheckIn:
    """See "Check-in" in docs/behaviour.md. It awards nothing."""
    recent = PointTransaction.objects.filter(customer=member, location=location, created_at__gt=now - CHECKIN_WINDOW)
    latest = recent.order_by("-created_at").values_list("created_at", flat=True).first()
    return CheckIn(member, location, now, latest)


# --- rewards --------------------------------------------------------------------------------------


def rewards_for(member: Member | None) -> QuerySet[Reward]:
    """The available rewards, cheapest first, with `can_redeem` and `points_needed` for this member, or without one."""
    balance = member.points_balance if member else 0
    return (
        Reward.objects.filter(available=True)
        .annotate(
            can_redeem=Q(points_required__lte=balance),
            points_needed=Greatest(F("points_required") - balance, 0),
        )
        .order_by("points_required", "name", "id")
    )


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Available rewards, with what this member can afford."""

    member: Member
    rewards: list[Reward]


def catalogue(member: Member) -> Catalogue:
    return Catalogue(member, list(rewards_for(member)))


@dataclass(frozen=True, slots=True)
class RedemptionOffer:
    """A reward that a member may be about to redeem."""

    member: Member
    reward: Reward

    @property
    def balance_after(self) -> int:
        return self.member.points_balance - self.reward.points_required


def redemption_offer(member: Member, reward_id: str) -> RedemptionOffer:
    """Raises RewardUnavailable."""
    reward = rewards_for(member).filter(pk=reward_id).first() if is_uuid(reward_id) else None
    if reward is None:
        raise RewardUnavailable
    return RedemptionOffer(member, reward)


# --- redemptions ----------------------------------------------------------------------------------


def normalized_code(code: str) -> str:
    """A redemption code as it is stored: case and surrounding space don't matter."""
    return code.strip().upper().replace("\0", "")


def state_of(redemption: Redemption, now: datetime) -> str:
    """The stored status, or `expired` once its time is over, although nothing has stored that yet."""
    if redemption.status == Redemption.Status.ACTIVE and now > redemption.expires_at:
        return Redemption.Status.EXPIRED.value
    return redemption.status


def redemption(code: str) -> Redemption:
    """With its member and reward. Raises RedemptionUnknown."""
    rows = Redemption.objects.select_related("customer", "reward")
    found = rows.filter(redemption_code=normalized_code(code)).first()
    if found is None:
        raise RedemptionUnknown
    return found


def valid_redemption(code: str, *, now: datetime) -> Redemption:
    """Raises RedemptionUnknown, RedemptionUsed, RedemptionExpired, RedemptionCancelled."""
    found = redemption(code)
    state = state_of(found, now)
    if state == Redemption.Status.USED:
        raise RedemptionUsed(used_at=found.used_at)
    if state == Redemption.Status.EXPIRED:
        raise RedemptionExpired
    if state == Redemption.Status.CANCELLED:
        raise RedemptionCancelled
    return found


def is_undoable(redemption: Redemption, now: datetime) -> bool:
    """Whether it was confirmed just now, and not before that."""
    since = now - UNDO_WINDOW
    if redemption.status != Redemption.Status.USED or redemption.used_at is None or redemption.used_at <= since:
        return False
    return not redemption.confirmations.filter(undone_at=None, created_at__lte=since).exists()


def active_redemptions(member: Member, now: datetime) -> list[Redemption]:
    """What the member can still show to staff, newest first, with the rewards."""
    active = Redemption.objects.filter(customer=member).usable_at(now)
    return list(active.select_related("reward").order_by("-created_at", "-id"))


def confirmation(confirmation_id: str) -> Confirmation:
    """With its redemption, member and reward. Raises ConfirmationUnknown."""
    rows = Confirmation.objects.select_related("redemption__customer", "redemption__reward", "location")
    found = rows.filter(pk=confirmation_id).first() if is_uuid(confirmation_id) else None
    if found is None:
        raise ConfirmationUnknown
    return found


# --- the ledger -----------------------------------------------------------------------------------


def unbalanced_members() -> QuerySet[Any]:
    """Members whose stored points differ from the ledger, with the ledger's figures.

    `ledger_balance` is the sum of the transactions, `ledger_lifetime` that of the awards that were not taken back,
    `ledger_spent` what was redeemed and not cancelled, and `redeemed` the same according to the redemptions.
    """
    points, reversed_award = "transactions__points", Q(transactions__reverses__type="earn")
    spent = Q(transactions__type="redeem") | Q(transactions__reverses__type="redeem")
    kept = Redemption.objects.exclude(status=Redemption.Status.CANCELLED)
    of_member = kept.filter(customer=OuterRef("pk")).order_by().values("customer")
    return (
        Member.objects.annotate(
            ledger_balance=Coalesce(Sum(points), 0),
            ledger_lifetime=Coalesce(Sum(points, filter=Q(transactions__type="earn")), 0)
            - Coalesce(Sum("transactions__reverses__points", filter=reversed_award), 0),
            ledger_spent=-Coalesce(Sum(points, filter=spent), 0),
            redeemed=Coalesce(Subquery(of_member.values(total=Sum("points_spent"))), 0),
        )
        .exclude(points_balance=F("ledger_balance"), lifetime_points=F("ledger_lifetime"), redeemed=F("ledger_spent"))
        .order_by("pk")
    )


def member_count() -> int:
    return Member.objects.count()
