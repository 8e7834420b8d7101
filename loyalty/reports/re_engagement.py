"""Whom to ask back, and with what (document 2; decision 4.15)."""

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from loyalty.reports.statement import rows

MOST = 1000  # members of one answer
OFFERS = ("reminder", "bonus_points", "discount")  # in the order in which they are tried

# Both ends of the time count. PostgreSQL subtracts times into whole days of 24 hours, and hours: more than 90 is 91.
_TARGET = """
    SELECT id, name, email, tier, points_balance, lifetime_points, last_activity_at,
           CASE WHEN points_balance >= 500 THEN 'reminder'
                WHEN extract(day FROM %(now)s - last_activity_at) > 90 THEN 'bonus_points'
                ELSE 'discount' END AS offer
      FROM loyalty_member
     WHERE last_activity_at BETWEEN %(since)s AND %(until)s AND lifetime_points >= 100
"""
# The first of them.
_FIRST = """
SELECT * FROM ({target}) AS target ORDER BY lifetime_points DESC, name, id LIMIT %(most)s
"""
# The first of them, and in each row what all of them come to; one row where there are none.
_COUNTED = """
WITH target AS ({target}), counted AS (
    SELECT count(*) FILTER (WHERE offer = 'reminder') AS reminder,
           count(*) FILTER (WHERE offer = 'bonus_points') AS bonus_points,
           count(*) FILTER (WHERE offer = 'discount') AS discount
      FROM target
), first AS (
    SELECT * FROM target ORDER BY lifetime_points DESC, name, id LIMIT %(most)s
)
SELECT counted.*, first.* FROM counted LEFT JOIN first ON true ORDER BY lifetime_points DESC, name, id
"""
_MEMBER = ("id", "name", "email", "tier", "points_balance", "lifetime_points", "last_activity_at")


def window(now: datetime) -> tuple[datetime, datetime]:
    """From when to when a member was last active who is asked back."""
    return now - timedelta(days=180), now - timedelta(days=30)


def read(*, now: datetime) -> dict[str, Any]:
    """The JSON body: at most 1000 members, those with the most lifetime points first."""
    return {"targets": _targets(rows(_FIRST.format(target=_TARGET), _values(now)))}


def read_for_page(*, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON body, and how many members there are for each offer, also beyond the 1000."""
    found = rows(_COUNTED.format(target=_TARGET), _values(now))
    targets = _targets([row for row in found if row["id"] is not None])
    return {"targets": targets}, {offer: found[0][offer] for offer in OFFERS}


def _values(now: datetime) -> dict[str, Any]:
    since, until = window(now)
    return {"now": now, "since": since, "until": until, "most": MOST}


def _targets(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    messages = _messages()  # looked up once: a thousand times would take as long as the database
    return [{**{name: row[name] for name in _MEMBER}, "suggestedOffer": _offer(row, messages)} for row in found]


def _offer(row: dict[str, Any], messages: dict[str, str]) -> dict[str, str]:
    return {"type": row["offer"], "message": messages[row["offer"]] % {"points": row["points_balance"]}}


def _messages() -> dict[str, str]:
    """What could be written to a member. How much is given is the venue's to say."""
    return {
        "reminder": _("You have %(points)d points on your card. Come and turn them into a reward."),
        "bonus_points": _("It has been a while. Come back and get bonus points on your next visit."),
        "discount": _("We would like to see you again. Come back and get a discount on your next visit."),
    }
