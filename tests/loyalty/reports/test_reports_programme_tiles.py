"""The tiles of the programme's page: 30 days, and the 30 days before them."""

import pytest

from tests.loyalty.conftest import make_reward
from tests.loyalty.reports.conftest import TICK, add, add_redemption, ago, make_member, tile

pytestmark = pytest.mark.django_db

PATH = "/reports/loyalty?days=30"


def compared(page, label: str) -> tuple[int, int]:
    found = tile(page(PATH), label)
    return found["value"], found["before"]


def test_new_members(page):
    for created in (ago(), ago(30), ago(30) - TICK, ago(45), ago(60), ago(60) - TICK):
        make_member(created_at=created)
    assert compared(page, "New members") == (1, 3)


def test_active_members_are_counted_once_however_often_they_came(page):
    once, often = make_member(active=ago(30)), make_member(active=ago(1))
    for at in (ago(30) - TICK, ago(40), ago(60)):
        add(often, at=at)
    add(once, at=ago(60) - TICK)
    add(once, at=ago(30) + TICK)
    add(once, kind="bonus", at=ago(40))
    assert compared(page, "Active members") == (1, 1)


def test_redemptions(page):
    member, reward = make_member(), make_reward()
    for at in (ago(), ago(30), ago(30) - TICK, ago(45), ago(60), ago(60) - TICK):
        add_redemption(member, reward, at=at)
    assert compared(page, "Rewards redeemed") == (1, 3)


def test_points_used_are_neither_good_nor_bad_news(page):
    member = make_member()
    for points, at in ((-20, ago(1)), (-10, ago(40))):
        add(member, kind="redeem", points=points, at=at)
    for at in (ago(1), ago(2), ago(40)):
        add(member, at=at)
    text = page(PATH).text
    assert text.count('class="tile-change tile-neutral"') == 1
    neutral = text.partition('class="tile-change tile-neutral"')[2]
    assert "100% more" in neutral.partition("</p>")[0]
    earned = text.partition(">Points earned</h2>")[2].partition("</li>")[0]
    assert 'class="tile-change tile-up"' in earned


def test_the_liability_says_what_a_point_costs(page):
    assert tile(page(PATH), "Outstanding liability")["note"] == "€0.01 per outstanding point"


def test_what_the_period_had_stands_before_what_there_is_now(page):
    shown = page(PATH)
    bands = [[each["label"] for each in shown.context[name]] for name in ("flow_tiles", "stock_tiles")]
    assert bands[0][-1] == "Rewards redeemed"
    assert bands[1] == ["Members", "Outstanding points", "Outstanding liability"]
    assert all("before" in each for each in shown.context["flow_tiles"])
    assert [each["label"] for each in shown.context["tiles"]] == [*bands[0], *bands[1]]
    assert shown.text.index(">Rewards redeemed</h2>") < shown.text.index(">Members</h2>")


def test_an_empty_programme_says_why_nothing_is_shown(page):
    text = page(PATH).text
    for sentence in ("No rewards redeemed in the last 30 days.", "No members yet."):
        assert sentence in text
