"""Members by how recently, how often and for how much they came (document 2)."""

from datetime import datetime
from typing import Any

from loyalty.reports.statement import rows

# In the order in which they are tried.
SEGMENTS = ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", "new_or_casual")

# PostgreSQL subtracts times into whole days of 24 hours, and hours. A member who never was active has no days, and
# fails each condition.
_STATEMENT = """
WITH spent AS (
    SELECT customer_id, count(*) AS transactions, coalesce(sum(order_total), 0) AS spend
      FROM loyalty_pointtransaction
     WHERE type = 'earn'
     GROUP BY customer_id
), member AS (
    SELECT extract(day FROM %(now)s - last_activity_at)::integer AS days,
           coalesce(transactions, 0) AS transactions,
           coalesce(spend, 0) AS spend
      FROM loyalty_member LEFT JOIN spent ON spent.customer_id = loyalty_member.id
)
SELECT CASE WHEN days <= 30 AND transactions >= 4 AND spend >= 200 THEN 'champions'
            WHEN days <= 30 AND transactions >= 2 THEN 'loyal'
            WHEN days <= 60 AND spend >= 100 THEN 'potential_loyalist'
            WHEN days > 90 AND spend >= 100 THEN 'at_risk'
            WHEN days > 180 THEN 'hibernating'
            ELSE 'new_or_casual' END AS segment,
       count(*) AS customer_count,
       round(avg(spend), 2) AS avg_spend
  FROM member
 GROUP BY segment
 ORDER BY avg_spend DESC, segment
"""


def read(*, now: datetime) -> dict[str, Any]:
    """The JSON body: the segments that have members, by the average spend (in decimals) of these."""
    return {"segments": rows(_STATEMENT, {"now": now})}


def read_for_page(*, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON body, and `{empty}`: the segments without members."""
    body = read(now=now)
    found = {each["segment"] for each in body["segments"]}
    return body, {"empty": [each for each in SEGMENTS if each not in found]}
