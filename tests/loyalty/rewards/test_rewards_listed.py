"""GET /rewards?customerId=."""

import html

import pytest
from django.utils.html import strip_tags

from tests.conftest import PAGE, undone, unknown_id
from tests.loyalty.making import enrol, make_member, make_reward
from tests.reading import Part, read

pytestmark = pytest.mark.django_db

LADDER = "Rewards by their points"
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


def test_what_can_be_redeemed_depends_on_the_balance(api, member, subtests):
    for price, can, needed in [(0, True, 0), (99, True, 0), (100, True, 0), (101, False, 1)]:
        with subtests.test(price=price, can=can, needed=needed), undone():
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
    assert [reward["name"] for reward in listed(api, member).json()["rewards"]] == ["c", "a", "b"]


def test_without_rewards_the_list_is_empty(api, member):
    assert listed(api, member).json()["rewards"] == []


def test_without_a_customer_it_is_400_and_named(api, subtests):
    for query in ["", "?customerId=", "?customer=1"]:
        with subtests.test(query=query), undone():
            response = api.get(f"/rewards{query}")
            assert response.status_code == 400
            assert "customerId" in response.json()["error"]


# --- the page -------------------------------------------------------------------------------------


def page_of(response, status: int = 200) -> str:
    assert (response.status_code, response["Content-Type"]) == (status, "text/html; charset=utf-8")
    return html.unescape(response.content.decode())


def test_a_browser_gets_a_page_with_the_same_rewards(browser_client, member):
    make_reward("Tea", 60)
    make_reward("Dinner", 1_250)
    page = page_of(listed(browser_client, member))
    for text in ("100 points", "Tea", "60 points", "Dinner", "1,150 more points"):
        assert text in strip_tags(page)
    assert f'href="/member/{member.pk}"' in page
    assert "/redeem?" not in page


def test_on_a_phone_that_is_signed_in_it_offers_to_redeem_what_the_own_card_pays_for(subtests):
    for query in ["", "?customerId=", "?customerId={}"]:
        with subtests.test(query=query), undone():
            phone, member = enrol()
            tea, dinner = make_reward("Tea", 60), make_reward("Dinner", 1_250)
            page = page_of(phone.get(f"/rewards{query.format(member.pk)}", headers={"accept": PAGE}))
            assert f'href="/rewards/{tea.pk}/redeem?customerId={member.pk}"' in page
            assert f"/rewards/{dinner.pk}/redeem" not in page


def test_on_a_phone_that_is_signed_in_another_card_is_shown_as_to_a_guest(member):
    phone, _own = enrol()
    make_reward("Tea", 60)
    assert "/redeem?" not in page_of(phone.get(f"/rewards?customerId={member.pk}", headers={"accept": PAGE}))


def test_a_browser_without_a_card_sees_what_there_is_and_is_led_to_one(browser_client, db):
    assert "No rewards at the moment" in page_of(browser_client.get("/rewards"))
    make_reward("Dinner", 1_250)
    make_reward("Gone", available=False)
    page = page_of(browser_client.get("/rewards"))
    for text in ("Dinner", "1,250 points"):
        assert text in strip_tags(page)
    for text in ('href="/member-sign-in"', 'href="/signup"'):
        assert text in page
    for text in ("Gone", "more points", "<progress", "/redeem?"):
        assert text not in page


def test_what_is_in_reach_is_told_apart_from_what_is_still_to_come(browser_client, member):
    assert "No rewards at the moment" in page_of(listed(browser_client, member))
    make_reward("Dinner", 1_250)
    page = page_of(listed(browser_client, member))
    assert "Ready to redeem" not in page
    make_reward("Tea", 60)
    page = page_of(listed(browser_client, member))
    assert read(page).names("heading")[1:] == ["Ready to redeem 1", "Tea", "Still to come 1", "Dinner"]
    assert f'href="/rewards?customerId={member.pk}"' in page_of(browser_client.get(f"/member/{member.pk}"))


def test_it_says_what_comes_next_and_how_far_away_it_is(browser_client, member):
    make_reward("Tea", 60)
    assert "Next:" not in page_of(listed(browser_client, member))
    make_reward("Dinner", 1_250)
    make_reward("Lunch", 400)
    page = page_of(listed(browser_client, member))
    assert "Next: Lunch 300 to go" in " ".join(strip_tags(page).split())


def price_steps(page: str) -> list[str]:
    """Its steps as a screen reader says them."""
    return [step for row in read(page).all("list", LADDER) for step in row.texts("item")]


def bars(part: Part) -> list[tuple[str, str]]:
    """Return the width of each step, and how much of it is gained."""
    return [(bar.get("max"), bar.get("value")) for bar in part.element.iter("progress")]


def points_on(page: str) -> list[str]:
    """Return the step at which the card's balance is marked."""
    return [circle.get("cx") for circle in read(page).one("list", LADDER).element.iter("circle")]


def test_the_ladder_has_a_step_for_each_price_and_says_where_the_card_stands(browser_client, member):
    assert price_steps(page_of(listed(browser_client, member))) == []
    for name, points in (("Tea", 60), ("Lunch", 400), ("Coffee", 60), ("Dinner", 1_250), ("A smile", 0)):
        make_reward(name, points)
    page = page_of(listed(browser_client, member))
    assert price_steps(page) == [
        "60 points: Coffee, Tea. Enough points",
        "400 points: Lunch. 300 to go",
        "1,250 points: Dinner. 1,150 to go",
    ]
    assert bars(read(page).one("list", LADDER)) == [("60", "60"), ("340", "40"), ("850", "0")]
    assert points_on(page) == ["11%"]
    assert bars(read(page).region("Still to come 2")) == [("400", "100"), ("1250", "100")]


def test_a_ladder_of_one_step_is_climbed_from_the_floor_and_never_beyond_its_end(browser_client, subtests):
    for balance, percent in [(0, 0), (30, 50), (60, 100), (9_999, 100)]:
        with subtests.test(balance=balance, percent=percent), undone():
            make_reward("Tea", 60)
            page = page_of(listed(browser_client, make_member(balance=balance)))
            assert bars(read(page).one("list", LADDER)) == [("60", str(min(balance, 60)))]
            assert points_on(page) == [f"{percent}%"]


def test_of_many_steps_the_ladder_shows_those_around_the_members(browser_client, subtests):
    for balance, shown in [(0, range(100, 700, 100)), (550, range(300, 900, 100)), (5_000, range(700, 1_300, 100))]:
        with subtests.test(balance=balance, shown=shown), undone():
            for points in range(100, 1_300, 100):
                make_reward(f"Reward {points}", points)
            page = page_of(listed(browser_client, make_member(balance=balance)))
            assert [step.partition(" ")[0] for step in price_steps(page)] == [f"{points:,}" for points in shown]
            assert len(points_on(page)) == 1


def test_a_program_with_a_member_s_cookie_must_still_name_the_customer():
    phone, _member = enrol()
    assert phone.get("/rewards").status_code == 400


def test_an_unknown_customer_is_a_404_page(browser_client, db):
    assert "no such member" in page_of(browser_client.get(f"/rewards?customerId={unknown_id()}"), 404)
