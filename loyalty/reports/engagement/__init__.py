"""How one member takes part. See "Member reports" in docs/behaviour/loyalty.md."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.utils.translation import gettext as _

from loyalty.members.models import Member
from loyalty.members.queries import member_or_erased
from loyalty.points.models import PointTransaction
from loyalty.rewards.models import Reward
from loyalty.rewards.queries.rewards import rewards_for
from qrservice import gateway
from web.money import NOTHING
from web.reporting import average

log = logging.getLogger(__name__)

LATEST = 50  # transactions that are read
RECENT = 10  # of these, transactions that are listed
WINDOW = timedelta(days=90)  # that is compared with as many days before
MONTHS = 12  # of the chart, at most


@dataclass(frozen=True, slots=True)
class Month:
    first: date
    spend: Decimal
    count: int


@dataclass(frozen=True, slots=True)
class Engagement:
    """`transactions`: the latest 50 that were not taken back, newest first.

    `scans`: None, with a warning, if they are not known.
    """

    until: datetime
    member: Member
    transactions: list[PointTransaction]
    scans: gateway.ScanSummary | None
    warnings: list[str]

    @property
    def recent(self) -> list[PointTransaction]:
        return self.transactions[:RECENT]

    @property
    def total_scans(self) -> int | None:
        return self.scans.total_scans if self.scans else None

    @property
    def cities(self) -> list[str] | None:
        return self.scans.cities if self.scans else None

    @property
    def visits(self) -> int:
        return sum(transaction.type == PointTransaction.Type.EARN for transaction in self.transactions)

    @property
    def spend(self) -> Decimal:
        return sum((transaction.order_total or Decimal(0) for transaction in self.transactions), Decimal(0))

    @property
    def average_order(self) -> Decimal:
        return average(self.spend, self.visits) if self.visits else Decimal(0)

    @property
    def days_since_join(self) -> int:
        return max((self.until - self.member.created_at).days, 0)

    @property
    def visits_per_month(self) -> Decimal:
        return _per_month(self.visits, self.days_since_join)

    @property
    def is_cut(self) -> bool:
        """There may be more transactions than those that are read."""
        return len(self.transactions) == LATEST

    def months(self, zone: tzinfo) -> list[Month]:
        """The first month is left out if there may be more of it to read. Only the CSV shows them."""
        sums: dict[date, tuple[Decimal, int]] = {}
        days = [transaction.created_at.astimezone(zone).date() for transaction in self.transactions]
        for day, transaction in zip(days, self.transactions, strict=True):
            spend, count = sums.get(day.replace(day=1), (Decimal(0), 0))
            bought = transaction.order_total or Decimal(0)
            sums[day.replace(day=1)] = spend + bought, count + bool(bought)
        months = _months(sums, self.until.astimezone(zone).date())
        is_cut = self.is_cut and months[0].first == min(days).replace(day=1)
        return months[1:] if is_cut else months

    @property
    def recent_visits_per_month(self) -> Decimal:
        """The rate over the days that the transactions cover, not all since joining. Only page and CSV show it."""
        if not self.is_cut:
            return self.visits_per_month
        return _per_month(self.visits, (self.until - self.transactions[-1].created_at).days)


@dataclass(frozen=True, slots=True)
class Sums:
    spend: Decimal
    count: int

    @property
    def average(self) -> Decimal | None:
        """The spend of one purchase; None without any."""
        return average(self.spend, self.count) if self.count else None


@dataclass(frozen=True, slots=True)
class Purchases:
    """Everything that was bought and not taken back. Only page and CSV show it.

    `recent`: of the latest WINDOW; `before`: of the one before, or None if this was not yet a member in all of it.
    """

    count: int
    spend: Decimal
    per_month: Decimal
    latest_months: list[Month]
    recent: Sums
    before: Sums | None

    @property
    def average(self) -> Decimal:
        return average(self.spend, self.count)


def _per_month(count: int, days: int) -> Decimal:
    """Return a rate with one decimal. A month is 30 days; fewer days count as one month."""
    return (Decimal(count * 30) / max(days, 30)).quantize(Decimal("0.1"), ROUND_HALF_UP)


def _months(sums: Mapping[date, tuple[Decimal, int]], today: date) -> list[Month]:
    """The latest, from the first on that has any; also those without any. `sums`: by the first day of a month."""
    months = [today.replace(day=1)]
    while len(months) < MONTHS and months[-1] > min(sums, default=months[0]):
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return [Month(month, *sums.get(month, (Decimal(0), 0))) for month in reversed(months)]


def purchases(report: Engagement, zone: ZoneInfo) -> Purchases:
    until, member = report.until, report.member
    recent, before = Q(created_at__gt=until - WINDOW), Q(created_at__gt=until - 2 * WINDOW)
    rows: QuerySet[Any, Any] = member.transactions.standing().purchases().order_by()
    by_month = rows.annotate(month=TruncMonth("created_at", tzinfo=zone)).values("month")
    sums = list(
        by_month.annotate(**_sums_of("all"), **_sums_of("recent", recent), **_sums_of("before", before & ~recent))
    )
    months = {row["month"].date(): (row["all_spend"], row["all_count"]) for row in sums}
    whole, was_member = _added(sums, "all"), member.created_at <= until - 2 * WINDOW
    return Purchases(
        count=whole.count,
        spend=whole.spend,
        per_month=_per_month(whole.count, report.days_since_join),
        latest_months=_months(months, until.astimezone(zone).date()),
        recent=_added(sums, "recent"),
        before=_added(sums, "before") if was_member else None,
    )


def _sums_of(name: str, which: Q | None = None) -> dict[str, Any]:
    return {f"{name}_spend": Sum("order_total", filter=which), f"{name}_count": Count("pk", filter=which)}


def _added(months: list[dict[str, Any]], name: str) -> Sums:
    spend = sum((month[f"{name}_spend"] or NOTHING for month in months), NOTHING)
    return Sums(spend, sum(month[f"{name}_count"] for month in months))


def read(*, customer_id: str, now: datetime) -> Engagement:
    """Raises MemberUnknown. An erased member is one without a name."""
    member = member_or_erased(customer_id)
    latest = member.transactions.standing().select_related("location").order_by("-created_at", "-id")[:LATEST]
    scans, warnings = _scans(member)
    return Engagement(until=now, member=member, transactions=list(latest), scans=scans, warnings=warnings)


def next_reward(member: Member) -> Reward | None:
    """The cheapest that they can't pay yet. Only the page shows it."""
    return rewards_for(member).filter(points_required__gt=member.points_balance).first()


def _scans(member: Member) -> tuple[gateway.ScanSummary | None, list[str]]:
    """The scans of a member's code, or None and a warning. A member without a code has none."""
    analytics_id = member.qr_analytics_id
    if member.erased_at is not None:
        return None, [_("This member has left the programme. Which scans were theirs is not known any more.")]
    if not analytics_id:
        return gateway.ScanSummary(total_scans=0, cities=[]), []
    try:
        return gateway.scan_summary(analytics_id=analytics_id), []
    except gateway.UnknownCode:
        return None, [_("The QR code service does not know this member's code, so its scans can't be counted.")]
    except gateway.QRServiceError as error:
        log.error("%s: %s", type(error).__name__, error)
        return None, [str(error.sentence)]
