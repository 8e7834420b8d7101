"""`/reports/loyalty`. See "Member reports" in docs/behaviour/loyalty.md."""

import uuid

import pytest

from tests.conftest import undone
from tests.loyalty.making import make_reward
from tests.loyalty.reports.making import TICK, add, add_redemption, ago, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty"


def test_an_empty_programme_has_the_names_of_the_document_and_zeros(loyalty_json):
    assert loyalty_json(PATH) == {
        "overview": {"totalMembers": 0, "activeMembers": 0, "outstandingPoints": 0, "pointsLiability": 0.0},
        "tierDistribution": [
            {"tier": "platinum", "count": 0},
            {"tier": "gold", "count": 0},
            {"tier": "silver", "count": 0},
            {"tier": "bronze", "count": 0},
        ],
        "monthlyActivity": {"earned": 0, "redeemed": 0},
        "topCustomers": [],
        "popularRewards": [],
    }


def test_whoever_was_active_within_30_days_is_active(loyalty_json, subtests):
    for active, count in [(ago(), 1), (ago(30), 1), (ago(30) - TICK, 0), (None, 0)]:
        with subtests.test(active=active, count=count), undone():
            make_member(active=active)
            overview = loyalty_json(PATH)["overview"]
            assert (overview["totalMembers"], overview["activeMembers"]) == (1, count)


def test_a_point_that_is_out_costs_a_cent(loyalty_json):
    make_member(points_balance=2_147_483_647)
    make_member(points_balance=2_147_483_647)
    make_member(points_balance=7)
    overview = loyalty_json(PATH)["overview"]
    assert (overview["outstandingPoints"], overview["pointsLiability"]) == (4_294_967_301, 42_949_673.01)


def test_all_tiers_are_counted_the_highest_first(loyalty_json):
    for tier in ("silver", "platinum", "silver", "bronze"):
        make_member(tier=tier)
    assert loyalty_json(PATH)["tierDistribution"] == [
        {"tier": "platinum", "count": 1},
        {"tier": "gold", "count": 0},
        {"tier": "silver", "count": 2},
        {"tier": "bronze", "count": 1},
    ]


def test_what_came_onto_cards_is_earned_and_what_left_them_is_redeemed(loyalty_json):
    member = make_member()
    for kind, points in (("earn", 100), ("bonus", 20), ("redeem", -30), ("expire", -4), ("earn", 0)):
        add(member, kind=kind, points=points)
    assert loyalty_json(PATH)["monthlyActivity"] == {"earned": 120, "redeemed": 34}


def test_a_top_customer_has_the_names_of_the_document_and_no_others(loyalty_json):
    member = make_member(lifetime=5, tier="gold", active=ago(1))
    assert loyalty_json(PATH)["topCustomers"] == [
        {
            "id": str(member.pk),
            "name": "Ada",
            "tier": "gold",
            "lifetime_points": 5,
            "last_activity_at": "2026-03-17T14:30:00Z",
        }
    ]


def test_whoever_never_was_active_is_a_customer_too(loyalty_json):
    make_member(active=None)
    assert loyalty_json(PATH)["topCustomers"][0]["last_activity_at"] is None


def test_the_tenth_customer_is_named_and_the_eleventh_is_not(loyalty_json):
    for number in range(11):
        make_member(f"Guest {number}", lifetime=100 - number)
    assert [each["name"] for each in loyalty_json(PATH)["topCustomers"]] == [f"Guest {number}" for number in range(10)]


def test_customers_with_the_same_points_are_ordered_by_name_and_id(loyalty_json):
    ids = sorted(str(uuid.uuid4()) for _ in range(2))
    make_member("Bea", lifetime=7, pk=ids[1])
    make_member("Bea", lifetime=7, pk=ids[0])
    make_member("Ann", lifetime=7)
    make_member("Zoe", lifetime=8)
    found = loyalty_json(PATH)["topCustomers"]
    assert [each["name"] for each in found] == ["Zoe", "Ann", "Bea", "Bea"]
    assert [each["id"] for each in found[2:]] == ids


def test_redemptions_of_30_days_make_a_reward_popular(loyalty_json):
    member, coffee, cake = make_member(), make_reward("Coffee"), make_reward("Cake")
    add_redemption(member, coffee)
    add_redemption(member, coffee, at=ago(30))
    add_redemption(member, coffee, at=ago(30) - TICK)
    add_redemption(member, cake, at=ago(30) - TICK)
    assert loyalty_json(PATH)["popularRewards"] == [{"name": "Coffee", "redemptions": 2}]


def test_the_fifth_reward_is_named_and_the_sixth_is_not(loyalty_json):
    member = make_member()
    for number in range(1, 7):
        reward = make_reward(f"Reward {number}")
        for _ in range(number):
            add_redemption(member, reward)
    expected = [{"name": f"Reward {number}", "redemptions": number} for number in (6, 5, 4, 3, 2)]
    assert loyalty_json(PATH)["popularRewards"] == expected


def test_rewards_that_were_redeemed_as_often_are_ordered_by_name(loyalty_json):
    member = make_member()
    for name in ("Tea", "Bun", "Wine", "Ale", "Rum", "Gin"):
        add_redemption(member, make_reward(name))
    assert [each["name"] for each in loyalty_json(PATH)["popularRewards"]] == ["Ale", "Bun", "Gin", "Rum", "Tea"]


def test_two_rewards_of_one_name_are_two(loyalty_json):
    member = make_member()
    for _ in range(2):
        add_redemption(member, make_reward("Coffee"))
    assert loyalty_json(PATH)["popularRewards"] == [{"name": "Coffee", "redemptions": 1}] * 2


def test_a_reward_that_is_no_longer_offered_was_popular_all_the_same(loyalty_json):
    add_redemption(make_member(), make_reward("Coffee", available=False))
    assert [each["name"] for each in loyalty_json(PATH)["popularRewards"]] == ["Coffee"]
