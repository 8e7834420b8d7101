"""Members to win back, and with which offer. See "Member reports" in docs/behaviour/loyalty.md."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member
from loyalty.messages.models import WinBackEmail
from loyalty.points.models import PointTransaction
from web.templatetags.reports import shown

LIMIT = 1000  # members in one response
LEAST_POINTS = 100  # lifetime points
SINCE, UNTIL = timedelta(days=180), timedelta(days=30)  # ago: both ends are included
FIELDS = (
    "id", "name", "email", "tier", "points_balance", "lifetime_points", "last_activity_at", "offers_agreed_at",
)  # fmt: skip
OFFERS = {offer: capfirst(label) for offer, label in WinBackEmail.Offer.choices}
RESULT = timedelta(days=90)  # for so long it is counted who came back after a letter

# Suggestions of what to write to a member. The venue decides how much it gives.
MESSAGES = {
    "reminder": _("You have %(points)s points on your card. Come in and treat yourself to a reward."),
    "bonus_points": _("We haven't seen you in a while. Come back and get bonus points on your next visit."),
    "discount": _("We'd love to see you again. Come back and get a discount on your next visit."),
}


@dataclass(frozen=True, slots=True)
class Target:
    """A member to win back. `message`: what is suggested; it names their points if `offer` is a reminder.

    `letter`: the one since they came last, if there is one. Only page and CSV show it.
    """

    id: UUID
    name: str
    email: str
    tier: str
    points_balance: int
    lifetime_points: int
    last_activity_at: datetime
    offers_agreed_at: datetime | None
    offer: str
    message: str
    until: datetime
    letter: WinBackEmail | None = None

    @property
    def is_agreed(self) -> bool:
        return self.offers_agreed_at is not None

    @property
    def can_be_undone(self) -> bool:
        return self.letter is not None and self.letter.written_at > self.until - WinBackEmail.UNDO_WINDOW

    @property
    def can_be_noted(self) -> bool:
        is_at_rest = self.letter is not None and self.letter.written_at > self.until - WinBackEmail.PAUSE
        return self.is_agreed and not is_at_rest

    @property
    def letter_label(self) -> str:
        return str(OFFERS[self.letter.offer]) if self.letter else ""


@dataclass(frozen=True, slots=True)
class ReEngagement:
    """`targets`: at most LIMIT, those with the most lifetime points first."""

    until: datetime
    targets: list[Target]


def read(*, now: datetime) -> ReEngagement:
    members = _members(now).order_by("-lifetime_points", "name", "pk").values(*FIELDS, "offer")[:LIMIT]
    return ReEngagement(until=now, targets=_targets(members, now))


def target(member: Member, *, now: datetime) -> Target | None:
    """Return None for a member who is not to be won back."""
    return next(iter(_targets(_members(now).filter(pk=member.pk).values(*FIELDS, "offer"), now)), None)


def _targets(members: Iterable[dict[str, Any]], now: datetime) -> list[Target]:
    messages = {name: str(message) for name, message in MESSAGES.items()}  # translated once, not a thousand times
    return [
        Target(
            **member,
            message=messages[member["offer"]] % {"points": shown(member["points_balance"], "number")},
            until=now,
        )
        for member in members
    ]


def count_by_offer(*, now: datetime) -> dict[str, int]:
    """Count all members of the report, also those beyond LIMIT. Only page and CSV show it."""
    counts = dict(_members(now).order_by().values_list("offer").annotate(members=Count("*")))
    return {offer: counts.get(offer, 0) for offer in OFFERS}


def count_came_back(*, now: datetime) -> int:
    """Members who earned points in the last 30 days and none in the 30 before, but some earlier. Of the page alone."""
    earned = PointTransaction.objects.standing().filter(type=PointTransaction.Type.EARN, customer=OuterRef("pk"))
    month_before = earned.filter(created_at__gte=now - 2 * UNTIL, created_at__lt=now - UNTIL)
    earlier = earned.filter(created_at__lt=now - 2 * UNTIL)
    came = Member.objects.filter(erased_at=None, last_activity_at__gte=now - UNTIL, created_at__lt=now - 2 * UNTIL)
    return came.filter(~Exists(month_before), Exists(earlier)).count()


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a letter. `spend`: on bills after it, or None without any."""

    offer: str
    written_at: datetime
    spend: Decimal | None


def with_letters(report: ReEngagement) -> ReEngagement:
    """A letter from before they came last has brought them back, or was of no use then. Only page and CSV show it."""
    written = WinBackEmail.objects.filter(written_at__gte=report.until - SINCE).order_by(
        "customer", "-written_at", "pk"
    )
    latest = {letter.customer_id: letter for letter in written.distinct("customer")}
    targets = []
    for target in report.targets:
        letter = latest.get(target.id)
        is_since = letter is not None and letter.written_at > target.last_activity_at
        targets.append(replace(target, letter=letter) if is_since else target)
    return replace(report, targets=targets)


def results(*, now: datetime) -> list[Result]:
    """Return the outcome of each member's first letter of the last 90 days. Only the page shows them."""
    after = PointTransaction.objects.standing().purchases().order_by()
    after = after.filter(customer=OuterRef("customer"), created_at__gt=OuterRef("written_at"))
    spend = Subquery(after.values("customer").annotate(spend=Sum("order_total")).values("spend"))
    first = WinBackEmail.objects.filter(written_at__gt=now - RESULT).order_by("customer", "written_at", "pk")
    results = first.distinct("customer").annotate(spend=spend).values_list("offer", "written_at", "spend")
    return [Result(*result) for result in results]


def _members(now: datetime) -> QuerySet[Any]:
    """Return them with their `offer`, but no erased members. "More than 90 days" means at least 91 whole days."""
    offer = Case(
        When(points_balance__gte=500, then=Value("reminder")),
        When(last_activity_at__lte=now - timedelta(days=91), then=Value("bonus_points")),
        default=Value("discount"),
    )
    return Member.objects.filter(is_to_win_back(now), erased_at=None).annotate(offer=offer)


def is_to_win_back(now: datetime) -> Q:
    """Nobody can write to an erased member, who may be among them."""
    return Q(last_activity_at__range=(now - SINCE, now - UNTIL), lifetime_points__gte=LEAST_POINTS)
