"""How one member takes part (document 2; decision 4.14): all of it from the latest 50 transactions, and the scans."""

import logging
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from loyalty.errors import MemberUnknown
from loyalty.reports.statement import rows
from qrservice import gateway
from web.fields import is_uuid

log = logging.getLogger(__name__)

LATEST = 50  # transactions that are read
RECENT = 10  # of these, transactions that are answered

# A row for each of the recent transactions, or one without any; what is said of the member stands in all of them.
# PostgreSQL subtracts times into whole days of 24 hours, and hours.
_STATEMENT = """
WITH latest AS MATERIALIZED (
    SELECT id, customer_id, type, points, description, order_total, location_id, created_at
      FROM loyalty_pointtransaction
     WHERE customer_id = %(member)s
     ORDER BY created_at DESC, id DESC
     LIMIT %(latest)s
), summed AS (
    SELECT count(*) AS transactions,
           count(*) FILTER (WHERE type = 'earn') AS visits,
           coalesce(sum(order_total), 0) AS spend
      FROM latest
), member AS (
    SELECT id, name, tier, points_balance, lifetime_points, last_activity_at, qr_analytics_id,
           greatest(extract(day FROM %(now)s - created_at)::integer, 0) AS days
      FROM loyalty_member
     WHERE id = %(member)s
)
SELECT member.name, member.tier, member.points_balance, member.lifetime_points, member.last_activity_at,
       member.qr_analytics_id, member.days, summed.transactions, summed.visits, summed.spend,
       round(summed.visits * 30.0 / greatest(member.days, 30), 1) AS visits_per_month,
       CASE WHEN summed.visits > 0 THEN round(summed.spend / summed.visits, 2) ELSE 0 END AS average,
       recent.*, location.name AS location
  FROM member
 CROSS JOIN summed
  LEFT JOIN (SELECT * FROM latest ORDER BY created_at DESC, id DESC LIMIT %(recent)s) AS recent ON true
  LEFT JOIN loyalty_location AS location ON location.id = recent.location_id
 ORDER BY recent.created_at DESC, recent.id DESC
"""
_TRANSACTION = ("id", "customer_id", "type", "points", "description", "order_total", "location_id", "created_at")


def read(*, customer_id: str, now: datetime) -> dict[str, Any]:
    """The JSON body. Money is in decimals, `daysSinceJoin` in whole days of 24 hours.

    `warnings` is there when the code service failed: the scan figures are None then (decision 3.12). Raises
    MemberUnknown, also for what can't be an id.
    """
    return read_for_page(customer_id=customer_id, now=now)[0]


def read_for_page(*, customer_id: str, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON body, and `{lastActivityAt, transactions, locations}`: how many transactions were read (at most 50),
    and the name of each recent one's location, or None."""
    if not is_uuid(customer_id):
        raise MemberUnknown
    values = {"member": customer_id, "now": now, "latest": LATEST, "recent": RECENT}
    found = rows(_STATEMENT, values)
    if not found:
        raise MemberUnknown
    recent = [row for row in found if row["id"] is not None]
    details = {
        "lastActivityAt": found[0]["last_activity_at"],
        "transactions": found[0]["transactions"],
        "locations": [row["location"] for row in recent],
    }
    return _body(customer_id.lower(), found[0], recent), details


def _body(customer_id: str, member: dict[str, Any], recent: list[dict[str, Any]]) -> dict[str, Any]:
    scans, warning = _scans(member["qr_analytics_id"])
    body = {
        "customer": {
            "id": customer_id,
            "name": member["name"],
            "tier": member["tier"],
            "pointsBalance": member["points_balance"],
            "lifetimePoints": member["lifetime_points"],
        },
        "engagement": {
            "totalScans": scans and scans.total_scans,
            "totalVisits": member["visits"],
            "daysSinceJoin": member["days"],
            "visitsPerMonth": member["visits_per_month"],
            "totalSpend": member["spend"],
            "averageOrderValue": member["average"],
            "customerLifetimeValue": member["spend"],
        },
        "recentActivity": [{name: row[name] for name in _TRANSACTION} for row in recent],
        "scanLocations": scans and scans.cities,
    }
    return {**body, "warnings": [warning]} if warning else body


def _scans(analytics_id: str) -> tuple[gateway.ScanSummary | None, str]:
    """The scans of a member's code, or why they are not known."""
    if not analytics_id:  # enrolled without one: there was nothing to scan
        return gateway.ScanSummary(total_scans=0, cities=[]), ""
    try:
        return gateway.scan_summary(analytics_id=analytics_id), ""
    except gateway.UnknownCode:
        return None, _("The QR code service does not know this member's code, so its scans are not known.")
    except gateway.Unavailable as error:
        reason = _("The QR code service can't be reached at the moment, so scans are not known.")
        failure: gateway.QRServiceError = error
    except gateway.RefusedKey as error:
        reason = _("The QR code service does not accept this installation's key, so scans are not known.")
        failure = error
    except gateway.QRServiceError as error:
        reason = _("The QR code service answered what this installation can't use, so scans are not known.")
        failure = error
    log.error("The QR code service failed: %s: %s", type(failure).__name__, failure)
    return None, reason
