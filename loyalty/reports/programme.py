"""The programme at a glance (document 2: program dashboard)."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from loyalty.models import Member
from loyalty.reports.statement import rows

RECENT = timedelta(days=30)  # in which a member is active and a reward popular
TOP_CUSTOMERS = 10
POPULAR_REWARDS = 5
TIERS = tuple(reversed(Member.Tier.values))  # platinum first


@dataclass(frozen=True, slots=True)
class Months:
    """This month and the one before it, as the clocks of a zone have them."""

    first_day: date
    began: datetime
    before_began: datetime
    before_until: datetime  # the same day and time as now, or the end of a month that has no such day


def months(now: datetime, zone: ZoneInfo) -> Months:
    local = now.astimezone(zone).replace(tzinfo=None)
    first = local.replace(day=1, hour=0, minute=0, second=0, microsecond=0, fold=0)
    before = (first - timedelta(days=1)).replace(day=1)
    return Months(
        first_day=first.date(),
        began=first.replace(tzinfo=zone),
        before_began=before.replace(tzinfo=zone),
        before_until=min(before + (local - first), first).replace(tzinfo=zone),
    )


# A row for each customer and each reward of the two lists, or one without any; the figures stand in all of them.
_STATEMENT = """
WITH member AS (
    SELECT count(*) AS members,
           count(*) FILTER (WHERE last_activity_at >= %(recent)s) AS active,
           coalesce(sum(points_balance), 0) AS outstanding,
           count(*) FILTER (WHERE tier = 'platinum') AS platinum,
           count(*) FILTER (WHERE tier = 'gold') AS gold,
           count(*) FILTER (WHERE tier = 'silver') AS silver,
           count(*) FILTER (WHERE tier = 'bronze') AS bronze
      FROM loyalty_member
), month AS (
    SELECT coalesce(sum(points) FILTER (WHERE points > 0), 0) AS earned,
           coalesce(-sum(points) FILTER (WHERE points < 0), 0) AS redeemed
      FROM loyalty_pointtransaction
     WHERE created_at >= %(month)s
), customer AS (
    SELECT id, name, tier, lifetime_points, last_activity_at
      FROM loyalty_member
     ORDER BY lifetime_points DESC, name, id
     LIMIT %(customers)s
), redeemed AS (
    SELECT reward_id, count(*) AS redemptions
      FROM loyalty_redemption
     WHERE created_at >= %(recent)s
     GROUP BY reward_id
), popular AS (
    SELECT reward.id, reward.name, redemptions
      FROM redeemed JOIN loyalty_reward AS reward ON reward.id = reward_id
     ORDER BY redemptions DESC, name, id
     LIMIT %(rewards)s
), entry AS (
    SELECT 'customer' AS list, id, name, tier, lifetime_points AS amount, last_activity_at FROM customer
     UNION ALL
    SELECT 'reward', id, name, NULL, redemptions, NULL FROM popular
)
SELECT member.*, round(member.outstanding * 0.01, 2) AS liability, month.*, entry.list, entry.id, entry.name,
       entry.tier, entry.amount, entry.last_activity_at
  FROM member CROSS JOIN month LEFT JOIN entry ON true
 ORDER BY entry.list, entry.amount DESC, entry.name, entry.id
"""

# A row for each day of the month so far; what is compared stands in all of them. Who was active in a time that is past
# is what the ledger says: last_activity_at knows the latest time alone.
_DETAILS = """
WITH day AS (
    SELECT (created_at AT TIME ZONE %(zone)s)::date AS date,
           coalesce(sum(points) FILTER (WHERE points > 0), 0) AS earned,
           coalesce(-sum(points) FILTER (WHERE points < 0), 0) AS redeemed
      FROM loyalty_pointtransaction
     WHERE created_at >= %(month)s
     GROUP BY 1
), last_month AS (
    SELECT coalesce(sum(points) FILTER (WHERE points > 0), 0) AS earned_before,
           coalesce(-sum(points) FILTER (WHERE points < 0), 0) AS redeemed_before
      FROM loyalty_pointtransaction
     WHERE created_at >= %(last_month)s AND created_at < %(last_month_until)s
), member AS (
    SELECT count(*) FILTER (WHERE created_at >= %(recent)s) AS joined,
           count(*) FILTER (WHERE created_at < %(recent)s AND created_at >= %(before)s) AS joined_before
      FROM loyalty_member
), active AS (
    SELECT count(DISTINCT customer_id) AS active_before
      FROM loyalty_pointtransaction
     WHERE type = 'earn' AND created_at >= %(before)s AND created_at < %(recent)s
), redemption AS (
    SELECT count(*) FILTER (WHERE created_at >= %(recent)s) AS redemptions,
           count(*) FILTER (WHERE created_at < %(recent)s) AS redemptions_before
      FROM loyalty_redemption
     WHERE created_at >= %(before)s
)
SELECT last_month.*, member.*, active.*, redemption.*, each.number + %(first_day)s::date AS date,
       coalesce(day.earned, 0) AS earned, coalesce(day.redeemed, 0) AS redeemed
  FROM generate_series(0, %(today)s::date - %(first_day)s::date) AS each(number)
  LEFT JOIN day ON day.date = each.number + %(first_day)s::date
 CROSS JOIN last_month CROSS JOIN member CROSS JOIN active CROSS JOIN redemption
 ORDER BY each.number
"""
_COMPARED = (
    "earned_before", "redeemed_before", "joined", "joined_before", "active_before", "redemptions", "redemptions_before",
)  # fmt: skip


def read(*, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """The JSON body; the liability in decimals. The month is that of `zone`."""
    began = months(now, zone).began
    values = {"recent": now - RECENT, "month": began, "customers": TOP_CUSTOMERS, "rewards": POPULAR_REWARDS}
    found = rows(_STATEMENT, values)
    figures = found[0]
    return {
        "overview": {
            "totalMembers": figures["members"],
            "activeMembers": figures["active"],
            "outstandingPoints": figures["outstanding"],
            "pointsLiability": figures["liability"],
        },
        "tierDistribution": [{"tier": tier, "count": figures[tier]} for tier in TIERS],
        "monthlyActivity": {"earned": figures["earned"], "redeemed": figures["redeemed"]},
        "topCustomers": [_customer(row) for row in found if row["list"] == "customer"],
        "popularRewards": [_reward(row) for row in found if row["list"] == "reward"],
    }


def _customer(row: dict[str, Any]) -> dict[str, Any]:
    names = {"id": "id", "name": "name", "tier": "tier", "lifetime_points": "amount"}
    return {name: row[column] for name, column in names.items()} | {"last_activity_at": row["last_activity_at"]}


def _reward(row: dict[str, Any]) -> dict[str, Any]:
    return {"name": row["name"], "redemptions": row["amount"]}


def read_for_page(*, now: datetime, zone: ZoneInfo) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON body, and what it is compared with.

    That is `{joined, redemptions}` of the last 30 days, `{joined_before, active_before, redemptions_before}` of the 30
    days before, `{earned_before, redeemed_before}` of last month up to the same day and time, and `days`, this
    month's, each `{date, earned, redeemed}`.
    """
    month = months(now, zone)
    values = {
        "recent": now - RECENT,
        "before": now - 2 * RECENT,
        "month": month.began,
        "last_month": month.before_began,
        "last_month_until": month.before_until,
        "first_day": month.first_day,
        "today": now.astimezone(zone).date(),
        "zone": zone.key,
    }
    found = rows(_DETAILS, values)
    days = [{name: row[name] for name in ("date", "earned", "redeemed")} for row in found]
    return read(now=now, zone=zone), {**{name: found[0][name] for name in _COMPARED}, "days": days}
