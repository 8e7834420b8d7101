"""What the pages of the loyalty programme say first."""

import pytest

from tests.conftest import undone
from tests.loyalty.making import make_reward
from tests.loyalty.reports.making import add, add_redemption, ago, make_member
from tests.reading import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]


@pytest.fixture
def sentence(loyalty_page):
    def of(path: str) -> str:
        response = loyalty_page(path)
        found = response.context["sentence"]
        assert found in read(response)
        return found

    return of


def test_the_programme(sentence):
    path = "/reports/loyalty"
    assert sentence(path) == "No members yet."
    ada, bea = make_member(active=None), make_member("Bea", active=None, created_at=ago(1))
    assert sentence(path) == "No member earned points in this period."
    add(ada, at=ago(1))
    assert sentence(path) == "1 member earned points; 1 joined."
    add(bea, at=ago(2))
    add(bea, at=ago(28))  # last month
    assert sentence(path) == "2 members earned points, up 100% on last month by this time; 1 joined."
    assert sentence(f"{path}?from=2026-02-18&to=2026-02-18") == "1 member earned points; nobody joined."


def test_the_programme_says_beside_a_loss_which_rate_went_up_most(sentence):
    reward = make_reward()
    members = [make_member() for _ in range(2)]
    for member in members:
        add(member, points=100, at=ago(40))
    add(members[0], points=10, at=ago(1))
    path = "/reports/loyalty?days=30"
    fewer = "1 member earned points, down 50% on the 30 days before"
    assert sentence(path) == f"{fewer}; nobody joined."
    add_redemption(members[0], reward, at=ago(1))  # for one of 10 points
    assert sentence(path) == f"{fewer}; 100.0% of them redeemed a reward, up from 0%; nobody joined."
    for member in members:
        add_redemption(member, reward, at=ago(40))
    assert sentence(path) == f"{fewer}; nobody joined."  # 1 of 10 points, and 2 of 200 before: not more of them
    for _ in range(2):
        add_redemption(members[0], reward, at=ago(1))
    assert sentence(path) == f"{fewer}; 30.0% of the points earned went on rewards, up from 1.0%; nobody joined."
    for _ in range(57):
        add_redemption(members[0], reward, at=ago(40))
    assert sentence(path) == f"{fewer}; nobody joined."  # 30%, and 29.5% before


def test_segments(sentence):
    path = "/reports/loyalty/segments"
    assert sentence(path) == "No members yet."
    make_member(orders=["10", "10"])
    assert sentence(path) == "1 of 1 members is in Champions or New and returning."
    make_member(orders=["100"], active=ago(100))
    assert (
        sentence(path)
        == "1 of 2 members is in Champions or New and returning; 1 who spent €100 or more has not come for 90 days."
    )


def test_members_to_win_back(sentence):
    path = "/reports/loyalty/re-engagement"
    assert sentence(path) == "No members to win back right now."
    make_member(active=ago(40), lifetime=100)
    assert sentence(path) == "1 member has stopped coming; nobody can be written to now."
    for _ in range(2):
        make_member(active=ago(40), lifetime=1000, offers_agreed_at=ago(50))
    assert sentence(path) == "3 members have stopped coming; 2 of them can be written to now."


def test_a_member(sentence):
    ada = make_member(active=ago(3))
    path = f"/reports/members/{ada.pk}"
    assert sentence(path) == "No visits yet."
    for total in ("10", "20"):
        add(ada, order_total=total, at=ago(3))
    assert sentence(path) == "2 visits, €15.00 a visit on average."


def test_a_member_was_seen_so_many_dates_ago(loyalty_page, subtests):
    for active, seen in [
        (ago(hours=14), "Last active 18 Mar 2026, today"),
        (ago(hours=15), "Last active 17 Mar 2026, yesterday"),
        (ago(days=1, hours=15), "Last active 16 Mar 2026, 2 days ago"),
        (None, "No activity yet"),
    ]:
        with subtests.test(active=active, seen=seen), undone():
            assert seen in loyalty_page(f"/reports/members/{make_member(active=active).pk}").text
