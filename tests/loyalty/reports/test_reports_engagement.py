"""`/reports/members/{customerId}`. See "Member reports" in docs/behaviour/loyalty.md."""

from datetime import timedelta

import pytest

from tests.conftest import undone
from tests.loyalty.making import make_location
from tests.loyalty.reports.making import NOW, TICK, add, ago, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]


def path(member) -> str:
    return f"/reports/members/{member.pk}"


def figures(loyalty_json, member) -> dict:
    return loyalty_json(path(member))["engagement"]


def test_it_has_the_names_of_the_document_and_no_others(loyalty_json):
    member = make_member(orders=[5], points_balance=80, lifetime=90, tier="silver")
    body = loyalty_json(path(member))
    assert set(body) == {"customer", "engagement", "recentActivity", "scanLocations"}
    assert body["customer"] == {
        "id": str(member.pk), "name": "Ada", "tier": "silver", "pointsBalance": 80, "lifetimePoints": 90,
    }  # fmt: skip
    assert set(body["engagement"]) == {
        "totalScans", "totalVisits", "daysSinceJoin", "visitsPerMonth", "totalSpend", "averageOrderValue",
        "customerLifetimeValue",
    }  # fmt: skip


def test_a_transaction_has_the_fields_of_the_document(loyalty_json):
    member, location = make_member(), make_location()
    line = add(member, points=12, description="Purchase", order_total="12.50", location=location, staff_id="carla")
    assert loyalty_json(path(member))["recentActivity"] == [
        {
            "id": str(line.pk),
            "customer_id": str(member.pk),
            "type": "earn",
            "points": 12,
            "description": "Purchase",
            "order_total": 12.5,
            "location_id": str(location.pk),
            "created_at": "2026-03-18T14:30:00Z",
        }
    ]


def test_a_member_without_anything_has_zeros(loyalty_json):
    member = make_member(active=None, created_at=NOW)
    body = loyalty_json(path(member))
    assert body["engagement"] == {
        "totalScans": 0, "totalVisits": 0, "daysSinceJoin": 0, "visitsPerMonth": 0.0, "totalSpend": 0.0,
        "averageOrderValue": 0.0, "customerLifetimeValue": 0.0,
    }  # fmt: skip
    assert (body["recentActivity"], body["scanLocations"]) == ([], [])


def test_visits_are_what_earned_points_and_totals_that_are_missing_count_nothing(loyalty_json):
    member = make_member(orders=["10.10", "0.20", None])
    add(member, kind="bonus", points=50)
    add(member, kind="redeem", points=-100)
    add(member, kind="expire", points=-5)
    found = figures(loyalty_json, member)
    assert (found["totalVisits"], found["totalSpend"], found["customerLifetimeValue"]) == (3, 10.3, 10.3)
    assert found["averageOrderValue"] == 3.43


def test_the_fiftieth_transaction_counts_and_the_fifty_first_does_not(loyalty_json):
    member = make_member()
    for number in range(48):
        add(member, kind="bonus", points=1, at=ago(minutes=number))
    add(member, order_total=1000, at=ago(days=3))
    add(member, order_total=100, at=ago(days=2))
    add(member, order_total=10, at=ago(days=1))
    found = figures(loyalty_json, member)
    assert (found["totalVisits"], found["totalSpend"]) == (2, 110.0)


def test_the_latest_ten_are_answered_newest_first(loyalty_json):
    member = make_member()
    lines = [add(member, at=ago(minutes=number)) for number in range(11)]
    assert [each["id"] for each in loyalty_json(path(member))["recentActivity"]] == [
        str(each.pk) for each in lines[:10]
    ]


def test_transactions_of_the_same_moment_have_one_order(loyalty_json):
    member = make_member(orders=range(1, 60))
    found = loyalty_json(path(member))["recentActivity"]
    ids = sorted((str(each.pk) for each in member.transactions.all()), reverse=True)
    assert [each["id"] for each in found] == ids[:10]
    totals = {str(each.pk): each.order_total for each in member.transactions.all()}
    assert figures(loyalty_json, member)["totalSpend"] == sum(totals[each] for each in ids[:50])


def test_transactions_of_others_do_not_count(loyalty_json):
    make_member(orders=[70])
    assert figures(loyalty_json, make_member())["totalVisits"] == 0


def test_days_since_joining_are_whole_days_of_24_hours(loyalty_json, subtests):
    for joined, days in [
        (ago(), 0), (ago(days=1) + TICK, 0), (ago(days=1), 1), (ago(days=31) + TICK, 30), (ago(days=31), 31),
        (NOW + timedelta(days=2), 0),
    ]:  # fmt: skip
        with subtests.test(joined=joined, days=days), undone():
            assert figures(loyalty_json, make_member(created_at=joined))["daysSinceJoin"] == days


def test_the_days_are_24_hours_long_when_clocks_change_too(loyalty_json, clock, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    # Clocks went forward on 29 March 2026: 47 hours between these.
    member = make_member(created_at=NOW.replace(day=28, hour=11))
    clock(NOW.replace(day=30, hour=10, minute=0))
    assert figures(loyalty_json, member)["daysSinceJoin"] == 1


def test_visits_per_month_are_those_of_months_of_30_days(loyalty_json, subtests):
    for visits, days, expected in [
        (3, 1, 3.0),  # less than a month counts as one
        (3, 30, 3.0),
        (3, 31, 2.9),
        (3, 60, 1.5),
        (1, 120, 0.3),  # 0.25: halves are rounded up
        (9, 120, 2.3),  # 2.25
        (1, 601, 0.0),
        (1, 600, 0.1),  # 0.05
    ]:
        with subtests.test(visits=visits, days=days, expected=expected), undone():
            member = make_member(orders=[1] * visits, created_at=ago(days=days))
            assert figures(loyalty_json, member)["visitsPerMonth"] == expected


def test_the_average_order_is_rounded_half_up(loyalty_json, subtests):
    for orders, expected in [(["0.01", None], 0.01), (["0.03", None], 0.02), (["10", "10", "5"], 8.33), ([None], 0.0)]:
        with subtests.test(orders=orders, expected=expected), undone():
            assert figures(loyalty_json, make_member(orders=orders))["averageOrderValue"] == expected


def test_money_is_added_in_decimals(loyalty_json):
    member = make_member(orders=["0.1", "0.2", "99999999.99"])
    assert figures(loyalty_json, member)["totalSpend"] == 100000000.29


def test_the_id_may_have_capitals(loyalty_json):
    member = make_member()
    assert loyalty_json(f"/reports/members/{str(member.pk).upper()}")["customer"]["id"] == str(member.pk)
