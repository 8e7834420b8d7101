"""Members by how recently, how often and for how much they came (document 2)."""

from datetime import datetime
from typing import Any

from loyalty.reports.statement import rows

# In the order in which they are tried.
SEGMENTS = ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", "new_or_casual")

# PostgreSQL subtracts times into whole days of 24 hours, and hours. A member who never was active has no days, and
# fails each condition. Members are grouped by the conditions before segments have their names: of conditions the
# planner knows that there are few, and sorts nothing. OFFSET keeps it from dealing members out to several processes,
# each of which would sum up the whole ledger.
_STATEMENT = """
WITH spent AS (
    SELECT customer_id, count(*) AS transactions, coalesce(sum(order_total), 0) AS spend
      FROM loyalty_pointtransaction
     WHERE type = 'earn'
     GROUP BY customer_id
), member AS (
    SELECT id, extract(day FROM %(now)s - last_activity_at)::integer AS days FROM loyalty_member OFFSET 0
), alike AS (
    SELECT coalesce(days <= 30 AND transactions >= 4 AND spend >= 200, false) AS champion,
           coalesce(days <= 30 AND transactions >= 2, false) AS loyal,
           coalesce(days <= 60 AND spend >= 100, false) AS potential,
           coalesce(days > 90 AND spend >= 100, false) AS at_risk,
           coalesce(days > 180, false) AS hibernating,
           count(*) AS members, coalesce(sum(spend), 0) AS spend
      FROM member LEFT JOIN spent ON spent.customer_id = member.id
     GROUP BY 1, 2, 3, 4, 5
)
SELECT CASE WHEN champion THEN 'champions'
            WHEN loyal THEN 'loyal'
            WHEN potential THEN 'potential_loyalist'
            WHEN at_risk THEN 'at_risk'
            WHEN hibernating THEN 'hibernating'
            ELSE 'new_or_casual' END AS segment,
       sum(members)::integer AS customer_count,
       round(sum(spend) / sum(members), 2) AS avg_spend
  FROM alike
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
