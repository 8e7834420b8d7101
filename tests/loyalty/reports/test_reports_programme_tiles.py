"""The tiles of the programme's page: 30 days, and the 30 days before them."""

from datetime import UTC, date, datetime

import pytest

from loyalty.models import Member
from tests.loyalty.making import make_reward
from tests.loyalty.reports.making import TICK, add, add_redemption, ago, make_member, tile
from tests.reading import read
from web.reporting import Gain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty?days=30"


def compared(loyalty_page, label: str) -> tuple[int, int]:
    found = tile(loyalty_page(PATH), label)
    return found.value, found.before


def test_new_members(loyalty_page):
    for created in (ago(), ago(30), ago(30) - TICK, ago(45), ago(60), ago(60) - TICK):
        make_member(created_at=created)
    assert compared(loyalty_page, "New members") == (1, 3)


def test_active_members_are_counted_once_however_often_they_came(loyalty_page):
    once, often = make_member(active=ago(30)), make_member(active=ago(1))
    for at in (ago(30) - TICK, ago(40), ago(60)):
        add(often, at=at)
    add(once, at=ago(60) - TICK)
    add(once, at=ago(30) + TICK)
    add(once, kind="bonus", at=ago(40))
    assert compared(loyalty_page, "Active members") == (1, 1)


def test_redemptions(loyalty_page):
    member, reward = make_member(), make_reward()
    for at in (ago(), ago(30), ago(30) - TICK, ago(45), ago(60), ago(60) - TICK):
        add_redemption(member, reward, at=at)
    assert compared(loyalty_page, "Rewards redeemed") == (1, 3)


def test_points_used_are_neither_good_nor_bad_news(loyalty_page):
    member = make_member()
    for points, at in ((-20, ago(1)), (-10, ago(40))):
        add(member, kind="redeem", points=points, at=at)
    for at in (ago(1), ago(2), ago(40)):
        add(member, points=50, at=at)
    text = loyalty_page(PATH).text
    assert "Points used or removed 20 10 before" in read(text)
    earned = text.partition("Points earned")[2].partition("</li>")[0]
    assert 'class="tile-change tile-up"' in earned


def test_the_redemption_rate_is_of_points_earned(loyalty_page):
    member, reward = make_member(), make_reward()
    for points, at in ((8, ago(1)), (3, ago(40))):
        add(member, points=points, at=at)
    for at in (ago(1), ago(2), ago(45)):
        add_redemption(member, reward, at=at)  # for a point each
    found = tile(loyalty_page(PATH), "Points redeemed, share of earned")
    assert (str(found.value), str(found.before)) == ("25.0", "33.3")
    assert found.note == ""
    assert found.gain == Gain("Down from 33.3%", "same")  # more were redeemed, of even more
    for _ in range(2):
        add_redemption(member, reward, at=ago(45))
    assert tile(loyalty_page(PATH), "Points redeemed, share of earned").gain == Gain("Down from 100.0%", "down")


def test_redeeming_members_are_those_of_the_active_who_had_a_reward(loyalty_page):
    reward = make_reward()
    both, only_earned, only_redeemed, earlier = (make_member() for _ in range(4))
    for member in (both, only_earned, earlier):
        add(member, at=ago(2))
    for member, at in ((both, ago(1)), (both, ago(3)), (only_redeemed, ago(1)), (earlier, ago(40))):
        add_redemption(member, reward, at=at)
    taken_back = add(only_redeemed, order_total="5", at=ago(2))
    add(only_redeemed, kind="reversal", points=-10, order_total="-5", at=ago(1), reverses=taken_back)
    found = tile(loyalty_page(PATH), "Redeeming members")
    assert (str(found.value), found.before, found.note) == ("33.3", None, "of active members")
    add(earlier, at=ago(41))
    add(both, at=ago(42))
    assert "Redeeming members 33.3% of active members, 50.0% before" in read(loyalty_page(PATH))


def test_without_points_earned_there_is_no_rate(loyalty_page):
    add_redemption(make_member(), make_reward(), at=ago(1))
    shown = loyalty_page(PATH)
    assert tile(shown, "Points redeemed, share of earned").value is tile(shown, "Redeeming members").value is None


def test_the_active_share_counts_whole_days_as_the_segments_do(loyalty_page, loyalty_json):
    for active in (ago(31) + TICK, ago(31), ago(0), None):
        make_member(active=active)
    assert tile(loyalty_page(PATH), "Members").note == "50.0% active in 30 days"
    assert loyalty_json("/reports/loyalty")["overview"]["activeMembers"] == 1  # of 30 times 24 hours


def test_days_without_points_are_named_in_a_week(loyalty_page):
    add(make_member(), at=ago(1))
    week, month = (loyalty_page(f"/reports/loyalty?days={days}").text for days in (5, 28))
    assert week.count(">No points</span>") == 7  # of two plots of six: two are in part
    assert read(week).text.count(", part of the day") == 4  # in both plots
    assert ">No points</span>" not in month  # a gap says so


def test_the_liability_says_what_a_point_costs(loyalty_page):
    assert tile(loyalty_page(PATH), "Outstanding liability").note == "€0.01 per outstanding point"


def test_what_the_period_had_stands_before_what_there_is_now(loyalty_page):
    add(make_member(active=ago(1)), points=1234, at=ago(1))
    Member.objects.update(points_balance=1234)
    shown = loyalty_page(PATH)
    main, others = ([each.label for each in shown.context[name]] for name in ("flow_tiles", "facts"))
    assert main == ["Active members", "Points earned", "Points redeemed, share of earned", "Outstanding points"]
    assert others == ["New members", "Rewards redeemed", "Points used or removed", "Redeeming members"]
    compared = [*shown.context["flow_tiles"][:3], *shown.context["facts"]]
    assert [each.before for each in compared] == [0, 0, None, 0, 0, 0, None]  # a rate of nothing is none
    left = {"Members", "Outstanding liability"}  # are named elsewhere
    assert {each.label for each in shown.context["tiles"]} == {*main, *others} | left
    page = read(shown)
    assert page.region("Outstanding points").text == "Outstanding points 1,234 a liability of €12.34"
    assert "As of now: 1 member, 100.0% active in 30 days." in page
    assert page.text.index("Points redeemed, share of earned") < page.text.index("Rewards redeemed")
    assert page.one("heading", "Top 10 members by lifetime points")
    assert "All members" not in page
    plots = page.region("Points by day Points by week").all("list", "Points by day")
    weeks = [[each for each in plot.texts("item") if each.startswith("Week from ")] for plot in plots]
    assert [len(each) for each in weeks] == [0, 5, 0, 5]  # of 31 days, of what was earned and what was used
    assert plots[1].texts("item") == weeks[1]
    assert plots[1].text.count(", in part") == 2  # the first, and the one that is not over
    for days in (5, 63):  # too few, and weeks already
        names = read(loyalty_page(f"/reports/loyalty?days={days}")).names("list")
        assert len([name for name in names if name.startswith("Points by ")]) == 2


def test_an_empty_programme_says_why_nothing_is_shown(loyalty_page):
    text = loyalty_page(PATH).text
    for sentence in ("No rewards redeemed in this period.", "No members yet."):
        assert sentence in text


def test_a_day_of_a_month_stands_beside_the_same_weekday(loyalty_page):
    member = make_member()
    for points, month, day in ((10, 2, 4), (7, 1, 7), (5, 1, 4), (3, 1, 2)):
        add(member, points=points, at=datetime(2026, month, day, 12, tzinfo=UTC))
    response = loyalty_page("/reports/loyalty?from=2026-02-01&to=2026-02-28")
    table = response.context["by_day"]
    assert table.rows[0] == [date(2026, 2, 1), 0, 0, 5, 0]
    assert table.rows[3] == [date(2026, 2, 4), 10, 0, 7, 0]
    assert (len(table.rows), sum(row[3] for row in table.rows)) == (28, 12)
    assert table.plot.legend == "Same weekdays, 4–31 Jan 2026"
    assert tile(response, "Points earned").before == 15  # of all January
    note = response.context["days_note"]
    assert note.startswith("The lines are the same weekdays, 4–31 Jan 2026: 12 earned, 0 used or removed.")
    assert note in response.text
