"""The restaurant today (document 3, "Restaurant dashboard")."""

import json
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection

from restaurant.reports.today import days

TOP_ITEMS = 10

# The day's orders are read once, by the index on their time; their lines by the one on the order, which the planner
# would leave for a look at all lines there ever were if it knew how many orders a day has.
_TODAY = f"""
WITH placed AS MATERIALIZED (
    SELECT id, table_id, total FROM restaurant_order WHERE created_at >= %(midnight)s AND created_at <= %(now)s
), stays AS (
    SELECT table_id, count(*) AS sessions
      FROM restaurant_tablesession
     WHERE started_at >= %(midnight)s AND started_at <= %(now)s
     GROUP BY table_id
), taken AS (
    SELECT table_id, sum(total) AS revenue FROM placed GROUP BY table_id
), sold AS (
    SELECT menu_item_id, sum(quantity) AS quantity, sum(price * quantity) AS revenue
      FROM restaurant_orderitem
     WHERE order_id = ANY (ARRAY(SELECT id FROM placed))
     GROUP BY menu_item_id
), today AS (
    SELECT (SELECT coalesce(sum(sessions), 0) FROM stays) AS sessions,
           count(*) AS orders,
           coalesce(sum(total), 0.00) AS revenue,
           coalesce(round(avg(total), 2), 0.00) AS "avgOrderValue"
      FROM placed
), top AS (
    SELECT item.name, sold.quantity, sold.revenue
      FROM sold JOIN restaurant_menuitem AS item ON item.id = sold.menu_item_id
     ORDER BY sold.quantity DESC, sold.revenue DESC, item.name, item.id
     LIMIT {TOP_ITEMS}
), utilization AS (
    SELECT place.table_number, place.section,
           coalesce(stays.sessions, 0) AS sessions_today,
           coalesce(taken.revenue, 0.00) AS revenue_today
      FROM restaurant_table AS place
      LEFT JOIN stays ON stays.table_id = place.id
      LEFT JOIN taken ON taken.table_id = place.id
     ORDER BY revenue_today DESC, place.table_number
)
SELECT json_build_object(
    'today', (SELECT to_json(today) FROM today),
    'topItems', (SELECT coalesce(json_agg(top), '[]') FROM top),
    'tableUtilization', (SELECT coalesce(json_agg(utilization), '[]') FROM utilization)
)::text
"""  # noqa: S608 (a constant)

# Yesterday until the same time of day; and each hour of today and of all of yesterday.
_COMPARED = """
WITH placed AS MATERIALIZED (
    SELECT created_at >= %(midnight)s AS is_today,
           created_at <= %(until)s AS is_compared,
           extract(hour FROM created_at AT TIME ZONE %(zone)s)::integer AS hour,
           total
      FROM restaurant_order
     WHERE created_at >= %(yesterday)s AND created_at <= %(now)s
), before AS (
    SELECT (SELECT count(*) FROM restaurant_tablesession
             WHERE started_at >= %(yesterday)s AND started_at <= %(until)s) AS sessions,
           count(*) AS orders,
           coalesce(sum(total), 0.00) AS revenue,
           coalesce(round(avg(total), 2), 0.00) AS "avgOrderValue"
      FROM placed
     WHERE is_compared
), hours AS (
    SELECT hour,
           coalesce(sum(total) FILTER (WHERE is_today), 0.00) AS revenue,
           coalesce(sum(total) FILTER (WHERE NOT is_today), 0.00) AS revenue_before,
           count(*) FILTER (WHERE is_today) AS orders,
           count(*) FILTER (WHERE NOT is_today) AS orders_before
      FROM generate_series(0, 23) AS hour LEFT JOIN placed USING (hour)
     GROUP BY hour
     ORDER BY hour
)
SELECT json_build_object(
    'before', (SELECT to_json(before) FROM before), 'hours', (SELECT json_agg(hours) FROM hours)
)::text
"""


def read(*, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """The JSON body. Today begins at midnight in `zone`."""
    return _ask(_TODAY, {"midnight": days(now, zone).began, "now": now})


def read_for_page(*, now: datetime, zone: ZoneInfo) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body, and what the page shows besides.

    `before`: as the body's `today`, for yesterday until the same time of day. `hours`: for each hour of the day
    `{hour, revenue, revenue_before, orders, orders_before}`, where `before` is all of yesterday.
    """
    bounds = days(now, zone)
    moments = {"yesterday": bounds.yesterday, "until": bounds.until, "midnight": bounds.began, "now": now}
    return read(now=now, zone=zone), _ask(_COMPARED, {**moments, "zone": zone.key})


def _ask(statement: str, values: dict[str, Any]) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        answer: dict[str, Any] = json.loads(cursor.fetchone()[0], parse_float=Decimal)
    return answer
