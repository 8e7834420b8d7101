"""GET /rewards?customerId=."""

import pytest

from tests.conftest import unknown_id
from tests.loyalty.conftest import make_member, make_reward

pytestmark = pytest.mark.django_db

FIELDS = {
    "id", "name", "description", "points_required", "reward_type", "reward_value", "available", "created_at",
    "canRedeem", "pointsNeeded",
}  # fmt: skip


def listed(api, member):
    return api.get(f"/rewards?customerId={member.pk}")


def test_every_field_of_a_reward_is_shown_and_what_is_missing_for_it(api, member):
    reward = make_reward(
        "Tenth off", 100, description="On everything", reward_type="discount", reward_value={"discount_percent": 10}
    )
    response = listed(api, member)
    assert response.status_code == 200
    assert set(response.json()) == {"pointsBalance", "tier", "rewards"}
    assert (response.json()["pointsBalance"], response.json()["tier"]) == (100, "bronze")
    data = response.json()["rewards"][0]
    assert set(data) == FIELDS
    assert data["created_at"].endswith("Z")
    del data["created_at"]
    assert data == {
        "id": str(reward.pk), "name": "Tenth off", "description": "On everything", "points_required": 100,
        "reward_type": "discount", "reward_value": {"discount_percent": 10}, "available": True,
        "canRedeem": True, "pointsNeeded": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("price", "can", "needed"), [(0, True, 0), (99, True, 0), (100, True, 0), (101, False, 1)])
def test_what_can_be_redeemed_depends_on_the_balance(api, member, price, can, needed):
    make_reward(points=price)
    data = listed(api, member).json()["rewards"][0]
    assert (data["canRedeem"], data["pointsNeeded"]) == (can, needed)


def test_the_balance_counts_and_not_the_lifetime_points(api):
    make_reward(points=100)
    data = listed(api, make_member(lifetime=5000, balance=40)).json()
    assert (data["tier"], data["rewards"][0]["pointsNeeded"]) == ("gold", 60)


def test_available_ones_alone_are_listed_cheapest_first(api, member):
    for name, points, available in (("b", 300, True), ("gone", 50, False), ("a", 300, True), ("c", 100, True)):
        make_reward(name, points, available=available)
    assert [each["name"] for each in listed(api, member).json()["rewards"]] == ["c", "a", "b"]


def test_without_rewards_the_list_is_empty(api, member):
    assert listed(api, member).json()["rewards"] == []


@pytest.mark.parametrize("query", ["", "?customerId=", "?customer=1"])
def test_without_a_customer_it_is_400_and_named(api, query):
    response = api.get(f"/rewards{query}")
    assert response.status_code == 400
    assert "customerId" in response.json()["error"]


@pytest.mark.parametrize("who", [unknown_id(), "nobody", "%00", "0" * 32, "%ED%A0%80"])
def test_an_unknown_customer_is_404(api, who):
    response = api.get(f"/rewards?customerId={who}")
    assert (response.status_code, set(response.json())) == (404, {"error"})


def test_a_browser_gets_the_same_as_json(browser_client, member):
    response = browser_client.get(f"/rewards?customerId={member.pk}")
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
