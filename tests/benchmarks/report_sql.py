"""The eight reports in SQL written by hand: what the database needs for the same responses, without the application.

Each of REPORTS has its statements with their values, and makes of their rows what the JSON has, so that the two can be
compared. The indexes are those of the project's models.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

Statement = tuple[str, dict[str, Any]]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Arguments:
    now: datetime
    zone: str
    member: str  # id
    table_number: int
    days: int = 30


@dataclass(frozen=True)
class Report:
    path: str
    sql: tuple[str, ...]
    response: Callable[..., dict[str, Any]]  # of the arguments and each statement's rows
    days: int = 30

    def statements(self, arguments: Arguments) -> list[Statement]:
        return [(statement, asdict(arguments)) for statement in self.sql]


def _fields(row: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


# --- loyalty ----------------------------------------------------------------------------------------

MEMBER = """
SELECT m.id, name, tier, points_balance AS "pointsBalance", lifetime_points AS "lifetimePoints", latest.*,
       extract(day FROM %(now)s - m.created_at)::int AS "daysSinceJoin",
       round("totalVisits" / greatest(extract(day FROM %(now)s - m.created_at) / 30, 1), 1) AS "visitsPerMonth",
       "totalSpend" AS "customerLifetimeValue", scanned.*
  FROM loyalty_member AS m
 CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE type = 'earn') AS "totalVisits", coalesce(sum(order_total), 0) AS "totalSpend",
           coalesce(round(sum(order_total) / nullif(count(*) FILTER (WHERE type = 'earn'), 0), 2), 0)
           AS "averageOrderValue"
      FROM (SELECT type, order_total FROM loyalty_pointtransaction
             WHERE customer_id = m.id ORDER BY created_at DESC, id DESC LIMIT 50) AS fifty) AS latest
 CROSS JOIN LATERAL (
    SELECT count(*) AS "totalScans", coalesce(array_agg(DISTINCT city) FILTER (WHERE city <> ''), '{}') AS cities
      FROM qrservice_scan WHERE code_id = (SELECT id FROM qrservice_code WHERE analytics_id = m.qr_analytics_id)
 ) AS scanned
 WHERE m.id = %(member)s
"""
RECENT = """
SELECT id, type, points, order_total, created_at FROM loyalty_pointtransaction
 WHERE customer_id = %(member)s ORDER BY created_at DESC, id DESC LIMIT 10
"""


def engagement(_: Arguments, member: Rows, recent: Rows) -> dict[str, Any]:
    figures = ("totalScans", "totalVisits", "daysSinceJoin", "visitsPerMonth", "totalSpend", "averageOrderValue")
    return {
        "customer": _fields(member[0], ("id", "name", "tier", "pointsBalance", "lifetimePoints")),
        "engagement": _fields(member[0], (*figures, "customerLifetimeValue")),
        "recentActivity": recent,
        "scanLocations": member[0]["cities"],
    }


MEMBERS = """
SELECT tier, count(*) AS members, sum(points_balance) AS points,
       count(*) FILTER (WHERE last_activity_at >= %(now)s - interval '720 hours') AS active
  FROM loyalty_member GROUP BY tier
"""
# Lines that were not taken back, nor took back others.
STANDING = """type <> 'reversal' AND NOT EXISTS (
    SELECT FROM loyalty_pointtransaction AS reversal WHERE reversal.reverses_id = line.id)"""
MONTH = f"""
SELECT coalesce(sum(points) FILTER (WHERE points > 0 AND type <> 'import'), 0) AS earned,
       coalesce(-sum(points) FILTER (WHERE points < 0), 0) AS redeemed
  FROM loyalty_pointtransaction AS line WHERE created_at >= date_trunc('month', %(now)s, %(zone)s) AND {STANDING}
"""  # noqa: S608
CUSTOMERS = """
SELECT id, name, tier, lifetime_points, last_activity_at
  FROM loyalty_member ORDER BY lifetime_points DESC, name, id LIMIT 10
"""
REWARDS = """
SELECT name, redemptions
  FROM (SELECT reward_id, count(*) AS redemptions FROM loyalty_redemption
         WHERE created_at >= %(now)s - interval '720 hours' AND status <> 'cancelled' GROUP BY reward_id) AS counted
  JOIN loyalty_reward ON id = reward_id ORDER BY redemptions DESC, name, id LIMIT 5
"""


def programme(_: Arguments, members: Rows, month: Rows, customers: Rows, rewards: Rows) -> dict[str, Any]:
    points, by_tier = sum(row["points"] for row in members), {row["tier"]: row["members"] for row in members}
    return {
        "overview": {
            "totalMembers": sum(by_tier.values()),
            "activeMembers": sum(row["active"] for row in members),
            "outstandingPoints": points,
            "pointsLiability": points / 100,
        },
        "tierDistribution": [
            {"tier": tier, "count": by_tier.get(tier, 0)} for tier in ("platinum", "gold", "silver", "bronze")
        ],
        "monthlyActivity": month[0],
        "topCustomers": customers,
        "popularRewards": rewards,
    }


# Grouped by five conditions first, not by a text: the planner knows that these are few groups, and needs no sort.
# OFFSET 0 keeps it in one process: of two, each would sum up the whole ledger.
SEGMENTS = f"""
SELECT CASE WHEN champion THEN 'champions' WHEN loyal THEN 'loyal' WHEN potential THEN 'potential_loyalist'
            WHEN risk THEN 'at_risk' WHEN idle THEN 'hibernating' ELSE 'new_or_casual' END AS segment,
       sum(members)::int AS customer_count, round(sum(spend) / sum(members), 2) AS avg_spend
  FROM (
    SELECT coalesce(days < interval '31 days' AND visits >= 4 AND spend >= 200, false) AS champion,
           coalesce(days < interval '31 days' AND visits >= 2, false) AS loyal,
           coalesce(days < interval '61 days' AND spend >= 100, false) AS potential,
           coalesce(days >= interval '91 days' AND spend >= 100, false) AS risk,
           coalesce(days >= interval '181 days', false) AS idle,
           count(*) AS members, coalesce(sum(spend), 0) AS spend
      FROM (SELECT id, %(now)s - last_activity_at AS days FROM loyalty_member OFFSET 0) AS member
      LEFT JOIN (SELECT customer_id, count(*) AS visits, sum(order_total) AS spend
                   FROM loyalty_pointtransaction AS line WHERE type = 'earn' AND {STANDING}
                  GROUP BY customer_id) AS spent
                ON customer_id = id
     GROUP BY 1, 2, 3, 4, 5) AS grouped
 GROUP BY segment ORDER BY avg_spend DESC, segment
"""  # noqa: S608


TARGETS = """
SELECT id, name, email, tier, points_balance, lifetime_points, last_activity_at,
       CASE WHEN points_balance >= 500 THEN 'reminder'
            WHEN last_activity_at <= %(now)s - interval '2184 hours' THEN 'bonus_points' ELSE 'discount' END AS offer
  FROM loyalty_member
 WHERE last_activity_at BETWEEN %(now)s - interval '4320 hours' AND %(now)s - interval '720 hours'
       AND lifetime_points >= 100
 ORDER BY lifetime_points DESC, name, id LIMIT 1000
"""


def re_engagement(_: Arguments, rows: Rows) -> dict[str, Any]:
    names = [name for name in rows[0] if name != "offer"] if rows else []
    return {"targets": [{**_fields(row, names), "suggestedOffer": {"type": row["offer"]}} for row in rows]}


# --- restaurant -------------------------------------------------------------------------------------

TABLE = """
SELECT extract(hour FROM scanned_at AT TIME ZONE %(zone)s)::int AS hour, device_type AS device, count(*)
  FROM qrservice_scan
 WHERE code_id = (SELECT c.id FROM qrservice_code AS c JOIN restaurant_table ON qr_analytics_id = analytics_id
                   WHERE table_number = %(table_number)s)
       AND scanned_at > %(now)s - make_interval(hours => 24 * %(days)s) AND scanned_at <= %(now)s
 GROUP BY 1, 2
"""


def table(arguments: Arguments, rows: Rows) -> dict[str, Any]:
    hours: Counter[int] = Counter()
    devices = {"ios": 0, "android": 0, "other": 0}
    for row in rows:
        hours[row["hour"]] += row["count"]
        devices[next((name for name in ("ios", "android") if name in row["device"].lower()), "other")] += row["count"]
    peak = sorted(hours.items(), key=lambda hour: (-hour[1], hour[0]))[:3]
    return {
        "tableNumber": arguments.table_number,
        "totalScans": sum(hours.values()),
        "avgScansPerDay": round(sum(hours.values()) / arguments.days + 1e-9, 1),
        "peakHours": [{"hour": hour, "count": count} for hour, count in peak],
        "deviceBreakdown": devices,
    }


COUNTED = "status NOT IN ('held', 'cancelled')"
MIDNIGHT = "date_trunc('day', %(now)s, %(zone)s)"
UTILIZATION = f"""
SELECT table_number, section, coalesce(sessions, 0) AS sessions_today, coalesce(revenue, 0) AS revenue_today,
       coalesce(orders, 0) AS orders
  FROM restaurant_table
  LEFT JOIN (SELECT table_id, count(*) AS sessions FROM restaurant_tablesession
              WHERE started_at >= {MIDNIGHT} GROUP BY table_id) AS seated ON seated.table_id = id
  LEFT JOIN (SELECT table_id, count(*) AS orders, sum(total) AS revenue FROM restaurant_order
              WHERE created_at >= {MIDNIGHT} AND {COUNTED} GROUP BY table_id) AS taken ON taken.table_id = id
 ORDER BY revenue_today DESC, table_number
"""  # noqa: S608 (constants)
# The array of today's orders makes PostgreSQL find their lines by the index, whatever it thinks how many these are.
TOP_ITEMS = f"""
SELECT name, quantity, revenue
  FROM (SELECT menu_item_id, sum(quantity - cancelled_quantity) AS quantity,
               sum((quantity - cancelled_quantity) * price) AS revenue FROM restaurant_orderitem
         WHERE order_id = ANY (ARRAY(SELECT id FROM restaurant_order WHERE created_at >= {MIDNIGHT} AND {COUNTED}))
               AND quantity > cancelled_quantity
         GROUP BY menu_item_id) AS sold
  JOIN restaurant_menuitem ON id = menu_item_id ORDER BY quantity DESC, revenue DESC, name, id LIMIT 10
"""  # noqa: S608


def restaurant(_: Arguments, tables: Rows, items: Rows) -> dict[str, Any]:
    orders, revenue = sum(row["orders"] for row in tables), sum(row["revenue_today"] for row in tables)
    return {
        "today": {
            "sessions": sum(row["sessions_today"] for row in tables),
            "orders": orders,
            "revenue": revenue,
            "avgOrderValue": round(revenue / max(orders, 1), 2),
        },
        "topItems": items,
        "tableUtilization": [
            _fields(row, ("table_number", "section", "sessions_today", "revenue_today")) for row in tables
        ],
    }


SINCE = "%(now)s - make_interval(hours => 24 * %(days)s)"
# By quarter hours first: between two of them no clock changes its hour, and few local times have to be found.
HOURS = f"""
SELECT (ARRAY['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'])[1 + weekday] AS day, hour,
       sum(scans)::int AS scans, sum(orders)::int AS orders, sum(revenue) AS revenue
  FROM (SELECT extract(dow FROM local)::int AS weekday, extract(hour FROM local)::int AS hour, scans, orders, revenue
          FROM (SELECT date_bin('15 min', created_at, 'epoch') AT TIME ZONE %(zone)s AS local,
                       0 AS scans, count(*) AS orders, sum(total) AS revenue
                  FROM restaurant_order WHERE created_at > {SINCE} AND created_at <= %(now)s AND {COUNTED}
                 GROUP BY date_bin('15 min', created_at, 'epoch')
                 UNION ALL
                SELECT date_bin('15 min', scanned_at, 'epoch') AT TIME ZONE %(zone)s, count(*), 0, 0
                  FROM qrservice_scan WHERE scanned_at > {SINCE} AND scanned_at <= %(now)s
                       AND code_id IN (SELECT c.id FROM qrservice_code AS c
                                         JOIN restaurant_table ON qr_analytics_id = analytics_id)
                 GROUP BY date_bin('15 min', scanned_at, 'epoch')) AS quarter) AS counted
 GROUP BY weekday, hour ORDER BY 4 DESC, 5 DESC, 3 DESC, weekday, hour
"""  # noqa: S608


def peak_hours(_: Arguments, rows: Rows) -> dict[str, Any]:
    return {"peakTimes": rows[:10], "slowestTimes": rows[-5:][::-1]}


MENU = f"""
SELECT item.id, item.name, item.description, item.price, item.category, item.available, item.created_at,
       times_ordered, total_quantity, total_revenue,
       coalesce(round(total_quantity::numeric / nullif(times_ordered, 0), 2), 0) AS avg_quantity_per_order,
       coalesce(round(100 * total_revenue / nullif(revenue, 0), 1), 0.0) || '%%' AS "revenueShare",
       CASE WHEN times_items > 1.5 * revenue THEN 'star' WHEN times_items > revenue THEN 'good'
            WHEN times_items > 0.5 * revenue THEN 'average' WHEN times_items > 0 THEN 'underperforming'
            ELSE 'not_selling' END AS performance
  FROM (SELECT *, sum(total_revenue) OVER () AS revenue, total_revenue * count(*) OVER () AS times_items
          FROM (SELECT dish.id, count(menu_item_id) AS times_ordered,
                       coalesce(sum(quantity - cancelled_quantity), 0) AS total_quantity,
                       coalesce(sum((quantity - cancelled_quantity) * line.price), 0) AS total_revenue
                  FROM restaurant_menuitem AS dish
                  LEFT JOIN restaurant_orderitem AS line ON menu_item_id = dish.id
                       AND quantity > cancelled_quantity AND order_id = ANY (ARRAY(
                       SELECT id FROM restaurant_order
                        WHERE created_at > {SINCE} AND created_at <= %(now)s AND {COUNTED}))
                 GROUP BY dish.id) AS sold) AS compared
  JOIN restaurant_menuitem AS item USING (id)
 ORDER BY total_revenue DESC, item.name, item.id
"""  # noqa: S608


REPORTS = {
    "engagement": Report("/reports/members/{member}", (MEMBER, RECENT), engagement),
    "programme": Report("/reports/loyalty", (MEMBERS, MONTH, CUSTOMERS, REWARDS), programme),
    "segments": Report("/reports/loyalty/segments", (SEGMENTS,), lambda _, rows: {"segments": rows}),
    "re-engagement": Report("/reports/loyalty/re-engagement", (TARGETS,), re_engagement),
    "table": Report("/reports/restaurant/tables/{table_number}?days=7", (TABLE,), table, days=7),
    "restaurant": Report("/reports/restaurant", (UTILIZATION, TOP_ITEMS), restaurant),
    "peak hours": Report("/reports/restaurant/peak-hours?days=30", (HOURS,), peak_hours),
    "menu": Report(
        "/reports/restaurant/menu?days=30", (MENU,), lambda arguments, rows: {"days": arguments.days, "items": rows}
    ),
}
