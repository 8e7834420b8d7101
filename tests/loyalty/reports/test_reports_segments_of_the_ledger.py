"""The segments are those of the ledger, although they are read from the members' rows."""

import importlib
import random
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection

from loyalty.models import Member
from loyalty.points.services import enrolment, points, reversals
from loyalty.reports import segments
from tests.conftest import undone
from tests.loyalty.making import make_location
from tests.loyalty.reports.making import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

# As the report read it when it summed up the ledger.
OLD_SQL = """
SELECT CASE WHEN active < interval '31 days' AND awards >= 4 AND spend >= 200 THEN 'champions'
            WHEN active < interval '31 days' AND awards >= 2 THEN 'loyal'
            WHEN active < interval '61 days' AND spend >= 100 THEN 'potential_loyalist'
            WHEN active >= interval '91 days' AND spend >= 100 THEN 'at_risk'
            WHEN active >= interval '181 days' THEN 'hibernating' ELSE 'new_or_casual' END AS segment,
       count(*), round(avg(spend), 2) AS average
  FROM (SELECT %(now)s - last_activity_at AS active, coalesce(sum(order_total), 0) AS spend,
               count(*) FILTER (WHERE type = 'earn')
               - count(*) FILTER (WHERE type = 'reversal' AND order_total IS NOT NULL) AS awards
          FROM loyalty_member AS member
          LEFT JOIN loyalty_pointtransaction AS row ON customer_id = member.id AND type IN ('earn', 'reversal')
         GROUP BY member.id) AS summed
 GROUP BY segment ORDER BY average DESC, segment
"""


# The same of an earlier time: by what was earned until then, and stands.
SQL_THEN = """
SELECT CASE WHEN active < interval '31 days' AND awards >= 4 AND spend >= 200 THEN 'champions'
            WHEN active < interval '31 days' AND awards >= 2 THEN 'loyal'
            WHEN active < interval '61 days' AND spend >= 100 THEN 'potential_loyalist'
            WHEN active >= interval '91 days' AND spend >= 100 THEN 'at_risk'
            WHEN active >= interval '181 days' THEN 'hibernating'
            WHEN active < interval '91 days' AND spend >= 100 THEN 'slipping' ELSE 'new_or_casual' END AS segment,
       count(*)
  FROM (SELECT %(then)s - max(row.created_at) AS active, coalesce(sum(order_total), 0) AS spend, count(row) AS awards
          FROM loyalty_member AS member
          LEFT JOIN loyalty_pointtransaction AS row ON customer_id = member.id AND type = 'earn'
               AND row.created_at <= %(then)s
               AND row.id NOT IN (SELECT reverses_id FROM loyalty_pointtransaction WHERE reverses_id IS NOT NULL)
         WHERE member.created_at <= %(then)s
         GROUP BY member.id) AS summed
 GROUP BY segment
"""


@pytest.fixture
def played(clock):
    """Members who come for a year, some of them often; a tenth of their purchases is taken back."""
    rng, place = random.Random(3), make_location()
    for number in range(40):
        joined = NOW - timedelta(days=rng.randint(1, 400))
        stays = (NOW - joined) * rng.choice([0.1, 0.5, 1])
        clock(joined)
        member = enrolment.enrol(email=f"{number}@example.com", name=f"Guest {number}")
        for at in sorted(joined + stays * rng.random() for _ in range(rng.choice([0, 1, 2, 5, 8]))):
            clock(at)
            total = Decimal(rng.randint(1, 12_000)) / 100
            made = points.award(member_id=str(member.pk), location_id=str(place.pk), order_total=total)
            if rng.random() < 0.1:
                reversals.take_back_purchase(
                    transaction_id=str(made.transaction_id), note="", recorded_by="owner", is_manager=True
                )
    clock(NOW)


def of_the_ledger() -> list[dict]:
    with connection.cursor() as cursor:
        cursor.execute(OLD_SQL, {"now": NOW})
        names = ("segment", "customer_count", "avg_spend")
        return [dict(zip(names, (name, count, float(spend)), strict=True)) for name, count, spend in cursor.fetchall()]


def test_after_purchases_some_of_which_were_taken_back(loyalty_json, played):
    expected = of_the_ledger()
    assert len(expected) == 6
    assert loyalty_json("/reports/loyalty/segments")["segments"] == expected


def test_thirty_days_ago(played, subtests):
    for later in [0, 45, 120]:
        with subtests.test(later=later), undone():
            now = NOW - timedelta(days=later)
            with connection.cursor() as cursor:
                cursor.execute(SQL_THEN, {"then": now - segments.EARLIER})
                assert segments.before(now=now) == dict(cursor.fetchall())


def test_the_migration_fills_the_members_from_the_ledger(played):
    stored = list(Member.objects.order_by("pk").values_list("pk", "awards", "spend"))
    Member.objects.update(awards=0, spend=0)
    fill = importlib.import_module("loyalty.migrations.0013_awards_and_spend_of_members").FILL
    with connection.cursor() as cursor:
        cursor.execute(fill)
    assert list(Member.objects.order_by("pk").values_list("pk", "awards", "spend")) == stored
    assert any(spend for *_, spend in stored)
