"""A purchase is taken back while the member's points move."""

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from loyalty.models import PointTransaction
from tests.at_once import at_once
from tests.loyalty.making import earn_body, make_member, make_reward
from tests.loyalty.points.test_points_races import awarding, poster, redeeming, statuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def buy(token, member, location, total: int) -> str:
    client = APIClient(headers={"Authorization": f"Token {token}"})
    return client.post("/earn", earn_body(member, location, total), format="json")["Location"]


def taking_back(token, address):
    return poster(token, f"{address}/reverse", {})


def test_of_twelve_at_once_one_takes_it_back_and_all_say_the_same(token, location):
    member = make_member()
    address = buy(token, member, location, 50)
    responses = at_once([taking_back(token, address)] * 12)
    assert statuses(responses) == [200] * 12
    assert len(set(responses)) == 1
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (100, 100)
    assert PointTransaction.objects.filter(type="reversal").count() == 1
    call_command("check_ledger")


def test_points_that_are_spent_meanwhile_are_missing_and_nothing_falls_below_zero(token, location):
    reward = make_reward(points=150)
    for _ in range(2):
        members = [make_member() for _ in range(4)]
        calls = []
        for member in members:
            calls += [taking_back(token, buy(token, member, location, 100)), redeeming(token, member, reward)]
        responses = at_once(calls)
        assert statuses(responses[::2]) == [200] * 4
        assert set(statuses(responses[1::2])) <= {200, 400}
        for member, (status, _text) in zip(members, responses[1::2], strict=True):
            member.refresh_from_db()
            assert (member.points_balance, member.lifetime_points) == (0 if status == 200 else 100, 100)
    call_command("check_ledger")


def test_an_award_at_the_same_moment_keeps_its_tier_and_its_time(token, location):
    for _ in range(3):
        members = [make_member(lifetime=900) for _ in range(4)]
        calls = []
        for member in members:
            address = buy(token, member, location, 50)
            calls += [taking_back(token, address), awarding(token, member, location, 100)]
        assert statuses(at_once(calls)) == [200] * 8
        for member in members:
            member.refresh_from_db()
            assert (member.points_balance, member.lifetime_points, member.tier) == (1000, 1000, "silver")
            latest = member.transactions.filter(type="earn", order_total=100).get()
            assert member.last_activity_at == latest.created_at
    call_command("check_ledger")
