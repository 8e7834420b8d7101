"""What the menu's items bring in (document 3, "Menu performance")."""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import connection

# In their order: above so many times the mean revenue of all items.
CLASSES = (("star", Decimal("1.5")), ("good", Decimal(1)), ("average", Decimal("0.5")), ("underperforming", Decimal(0)))
NOT_SELLING = "not_selling"

# The lines are found by their orders, through the index on the order: it takes as long as the window is, however
# many lines are older. The planner, left to itself, has all lines read that there ever were, as soon as a few days
# have many; that is the faster way only from a third of a year on, where the window is most of what there is to read.
_PLACED = "SELECT id FROM restaurant_order WHERE created_at > %(since)s AND created_at <= %(until)s"
_LONG = 120  # days


def _lines_of(days: int) -> str:
    return f"order_id IN ({_PLACED})" if days > _LONG else f"order_id = ANY (ARRAY({_PLACED}))"


# A class is found without dividing: a mean of thirds has no end, and an item can stand exactly on 1.5 times of it.
_ITEMS = f"""
WITH sold AS (
    SELECT item.id,
           count(line.id) AS times_ordered,
           coalesce(sum(line.quantity), 0) AS total_quantity,
           coalesce(sum(line.price * line.quantity), 0.00) AS total_revenue
      FROM restaurant_menuitem AS item LEFT JOIN restaurant_orderitem AS line
           ON line.menu_item_id = item.id AND line.{{lines}}
     GROUP BY item.id
), compared AS (
    SELECT *, sum(total_revenue) OVER () AS revenue, total_revenue * count(*) OVER () AS times_items FROM sold
)
SELECT item.id, item.name, item.description, item.price, item.category, item.image_url, item.available,
       item.created_at, times_ordered, total_quantity, total_revenue,
       coalesce(round(total_quantity::numeric / nullif(times_ordered, 0), 2), 0) AS avg_quantity_per_order,
       coalesce(round(100 * total_revenue / nullif(revenue, 0), 1), 0.0) || '%%' AS "revenueShare",
       CASE {" ".join(f"WHEN times_items > {times} * revenue THEN '{name}'" for name, times in CLASSES)}
            ELSE '{NOT_SELLING}' END AS performance
  FROM compared JOIN restaurant_menuitem AS item USING (id)
 ORDER BY total_revenue DESC, item.name, item.id
"""  # noqa: S608 (constants)
_TOTALS = """
SELECT coalesce(sum(price * quantity), 0.00), coalesce(sum(quantity), 0), count(DISTINCT menu_item_id)
  FROM restaurant_orderitem WHERE {lines}
"""


def read(*, days: int, now: datetime) -> dict[str, Any]:
    """The JSON body: every item of the menu, also what was not ordered and what is not available."""
    with connection.cursor() as cursor:
        cursor.execute(_ITEMS.format(lines=_lines_of(days)), {"since": now - timedelta(days=days), "until": now})
        names = [column.name for column in cursor.description or ()]
        return {"days": days, "items": [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]}


def read_for_page(*, days: int, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body, and what the page shows besides: `{revenue, quantity, items}` of as many days before.

    `items` is the number of those that were ordered at all.
    """
    since = now - timedelta(days=days)
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS.format(lines=_lines_of(days)), {"since": since - timedelta(days=days), "until": since})
        before = dict(zip(("revenue", "quantity", "items"), cursor.fetchone(), strict=True))
    return read(days=days, now=now), before


def thresholds(items: list[dict[str, Any]]) -> dict[str, Decimal]:
    """The revenue above which an item is of each class, for people to read: rounded to two decimals."""
    mean = sum((item["total_revenue"] for item in items), Decimal(0)) / max(len(items), 1)
    return {name: (times * mean).quantize(Decimal("0.01"), ROUND_HALF_UP) for name, times in CLASSES}
