"""What the programme has done today: no report of its own, but the front page's of all reports."""

from datetime import datetime
from typing import Any

from loyalty.reports.statement import rows

_STATEMENT = """
WITH point AS (
    SELECT created_at > %(before_until)s AS today,
           coalesce(sum(points) FILTER (WHERE points > 0), 0) AS earned,
           coalesce(-sum(points) FILTER (WHERE points < 0), 0) AS redeemed
      FROM loyalty_pointtransaction
     WHERE created_at >= %(before_began)s AND created_at <= %(before_until)s
        OR created_at >= %(began)s AND created_at <= %(now)s
     GROUP BY today
), joined AS (
    SELECT count(*) FILTER (WHERE created_at >= %(began)s) AS now,
           count(*) FILTER (WHERE created_at <= %(before_until)s) AS before
      FROM loyalty_member
     WHERE created_at >= %(before_began)s AND created_at <= %(now)s
)
SELECT (SELECT now FROM joined) AS members,
       (SELECT before FROM joined) AS members_before,
       coalesce(max(earned) FILTER (WHERE today), 0) AS earned,
       coalesce(max(earned) FILTER (WHERE NOT today), 0) AS earned_before,
       coalesce(max(redeemed) FILTER (WHERE today), 0) AS redeemed,
       coalesce(max(redeemed) FILTER (WHERE NOT today), 0) AS redeemed_before
  FROM point
"""


def read(
    *, began: datetime, now: datetime, before_began: datetime, before_until: datetime
) -> dict[str, dict[str, Any]]:
    """`{today, before}`, each `{newMembers, earned, redeemed}`: since `began`, and in the period to compare it with."""
    values = {"began": began, "now": now, "before_began": before_began, "before_until": before_until}
    row = rows(_STATEMENT, values)[0]
    return {
        period: {
            "newMembers": row[f"members{suffix}"],
            "earned": int(row[f"earned{suffix}"]),
            "redeemed": int(row[f"redeemed{suffix}"]),
        }
        for period, suffix in (("today", ""), ("before", "_before"))
    }
