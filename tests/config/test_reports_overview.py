"""`/reports`: today's figures beside yesterday's, and on the page those of a period."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from loyalty.models import Member, PointTransaction
from restaurant.models import Order, TableSession
from tests.conftest import PAGE, make_table, make_user, signed_in
from tests.reading import read

pytestmark = pytest.mark.django_db

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 11, 20, 14, 30, tzinfo=VIENNA)


@pytest.fixture(autouse=True)
def _afternoon(clock, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    clock(NOW)


@pytest.fixture
def manager(db):
    return signed_in(make_user("Managers"))


def at(hour: int, minute: int = 0, *, days_ago: int = 0) -> datetime:
    return datetime(2026, 11, 20 - days_ago, hour, minute, tzinfo=VIENNA)


def order(session: TableSession, moment: datetime, total: str) -> None:
    Order.objects.create(session=session, table=session.table, created_at=moment, total=Decimal(total))


def test_figures_are_todays_and_yesterdays_until_the_same_time(manager):
    table = make_table(7)
    today = TableSession.objects.create(table=table, started_at=at(0))
    yesterday = TableSession.objects.create(table=table, started_at=at(14, 30, days_ago=1))
    TableSession.objects.create(table=table, started_at=at(14, 31, days_ago=1))
    for moment, total in ((at(0), "10.50"), (at(14, 30), "20.00")):
        order(today, moment, total)
    for moment, total in ((at(14, 30, days_ago=1), "7.25"), (at(14, 31, days_ago=1), "100"), (at(0, days_ago=1), "1")):
        order(yesterday, moment, total)
    body = manager.get("/reports", headers={"accept": "application/json"}).json()
    assert body["restaurant"] == {
        "today": {"sessions": 1, "orders": 2, "revenue": 30.5, "avgOrderValue": 15.25},
        "before": {"sessions": 1, "orders": 2, "revenue": 8.25, "avgOrderValue": 4.13},
    }


@pytest.fixture
def two_weeks(db):
    """Today and yesterday, and a week before until the minute and after it."""
    table = make_table(7)
    for days_ago, minute, total in ((0, 30, "30"), (7, 30, "20"), (7, 31, "100"), (1, 0, "7")):
        moment = at(14, minute, days_ago=days_ago)
        order(TableSession.objects.create(table=table, started_at=moment), moment, total)
        member = Member.objects.create(email=f"{total}@example.com", name="M", created_at=moment)
        PointTransaction.objects.create(customer=member, type="earn", points=total, created_at=moment)


def figures_of(page) -> dict[str, tuple]:
    """By label: the figure, the one before, and what that is of."""
    return {each.label: (each.value, each.before, each.period) for each in page.context["tiles"]}


def test_the_page_compares_seven_days_with_those_before_until_the_same_minute(manager, two_weeks):
    page = manager.get("/reports", headers={"accept": PAGE})
    tiles, week = figures_of(page), "Previous 7 days"
    assert tiles["Sales"] == (37, 20, week)
    assert tiles["Orders"] == tiles["Table sessions"] == tiles["New members"] == (2, 1, week)
    assert tiles["Points earned"] == (37, 20, week)
    assert (
        page.context["sentence"]
        == "Sales are €37.00, up 85% on the 7 days before; €30.00 of it today so far; 2\u00a0new members."
    )
    days = page.context["sales"]
    assert [each.label for each in days.columns][:3] == ["Day", "Sales", "Sales before"]
    assert [row[1] for row in days.rows] == [0, 0, 0, 0, 0, 7, 30]
    assert days.rows[6][2] == 20
    assert read(page).text.count(", so far") == 1
    assert days.plot.legend == "Previous 7 days, the last day until 14:30"
    assert days.plot.legend in page.text
    # A day has the mark of the one a week before, where anything was sold.
    assert re.findall(r'<rect class="before" [^>]* y="([0-9.]+)%"', page.text) == ["66.7"]


def test_the_page_shows_the_period_that_is_chosen(manager, two_weeks):
    page = manager.get("/reports?from=2026-11-20&to=2026-11-20", headers={"accept": PAGE})
    tiles, week = figures_of(page), "A week ago by this time"
    assert (tiles["Sales"], tiles["Orders"]) == ((30, 20, week), (1, 1, week))
    assert (tiles["New members"], tiles["Points earned"]) == ((1, 1, week), (30, 20, week))
    assert page.context["sentence"] == "Sales today are €30.00, up 50% on a week ago by this time; 1\u00a0new member."
    assert page.context["sales"].title == "Sales by hour"
    past = manager.get("/reports?from=2026-11-13&to=2026-11-13", headers={"accept": PAGE})
    assert figures_of(past)["Sales"] == (120, 0, "A week before")
    assert past.context["sentence"] == "Sales are €120.00; 2\u00a0new members."
    refused = manager.get("/reports?from=2026-11-20&to=2026-11-19", headers={"accept": PAGE})
    assert refused.status_code == 400


def test_pages_that_are_opened_within_a_minute_compare_with_the_same_figures(manager, clock):
    """Also with what was ordered between their seconds, a week ago."""
    table = make_table(7)
    for moment, total in ((NOW, "30"), (at(14, 30, days_ago=7) + timedelta(seconds=20), "13.50")):
        order(TableSession.objects.create(table=table, started_at=moment), moment, total)
    order(TableSession.objects.create(table=table, started_at=NOW), at(14, 30, days_ago=7), "20")
    before = []
    for second, path in enumerate(("/reports", "/reports/restaurant"), 1):
        clock(NOW + timedelta(seconds=15 * second))
        page = manager.get(f"{path}?from=2026-11-20&to=2026-11-20", headers={"accept": PAGE})
        before.append([each[:2] for each in figures_of(page).values()][:2])
    assert before == [[(30, 20), (1, 1)]] * 2


def test_the_overview_as_csv_has_its_figures_and_sales(manager, two_weeks):
    response = manager.get("/reports?format=csv")
    assert response["Content-Disposition"] == 'attachment; filename="overview-2026-11-14-2026-11-20.csv"'
    lines = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert ["Sales", "37.00", "20.00", "Previous 7 days"] in lines
    assert ["Points earned", "37", "20", "Previous 7 days"] in lines
    assert lines[lines.index(["Sales by day"]) + 8] == ["2026-11-20", "30.00", "20.00", "1", "1"]


def test_the_first_seven_days_of_a_month_are_compared_with_the_seven_before(manager, clock):
    clock(datetime(2026, 11, 7, 14, 30, tzinfo=VIENNA))
    table = make_table(7)
    for day, total in (((2026, 11, 7), "30"), ((2026, 10, 31), "20"), ((2026, 10, 7), "500")):
        moment = datetime(*day, 13, 0, tzinfo=VIENNA)
        order(TableSession.objects.create(table=table, started_at=moment), moment, total)
    days = manager.get("/reports", headers={"accept": PAGE}).context["sales"]
    assert [row[1] for row in days.rows] == [0, 0, 0, 0, 0, 0, 30]
    assert [row[2] for row in days.rows] == [0, 0, 0, 0, 0, 0, 20]


def test_points_and_new_members_count_likewise(manager):
    members = [
        Member.objects.create(email=f"{number}@example.com", name="M", created_at=moment)
        for number, moment in enumerate(
            [at(0), at(14, 30), at(23, 59, days_ago=1), at(14, 30, days_ago=1), at(0, days_ago=1), at(23, days_ago=2)]
        )
    ]
    for kind, points, moment in [
        ("earn", 100, at(0)), ("bonus", 20, at(14, 30)), ("redeem", -30, at(9)), ("expire", -5, at(9)),
        ("earn", 7, at(14, 30, days_ago=1)), ("redeem", -3, at(0, days_ago=1)),
        ("earn", 1000, at(14, 31, days_ago=1)), ("earn", 1000, at(23, days_ago=2)),
    ]:  # fmt: skip
        PointTransaction.objects.create(customer=members[0], type=kind, points=points, created_at=moment)
    body = manager.get("/reports", headers={"accept": "application/json"}).json()
    assert body["loyalty"] == {
        "today": {"newMembers": 2, "earned": 120, "redeemed": 35},
        "before": {"newMembers": 2, "earned": 7, "redeemed": 3},
    }


def test_with_nothing_stored_everything_is_nothing(manager):
    body = manager.get("/reports", headers={"accept": "application/json"}).json()
    for part in ("restaurant", "loyalty"):
        assert {value for period in ("today", "before") for value in body[part][period].values()} == {0}


def test_a_day_on_which_the_clocks_change_begins_at_its_own_midnight(manager, clock):
    # 25 October 2026 has 25 hours in Vienna: its midnight is 22:00 in UTC, and yesterday's 14:30 was 12:30.
    clock(datetime(2026, 10, 25, 14, 30, tzinfo=VIENNA))
    midnight = datetime(2026, 10, 25, tzinfo=VIENNA)
    compared = datetime(2026, 10, 24, 14, 30, tzinfo=VIENNA)
    session = TableSession.objects.create(table=make_table(7), started_at=midnight)
    moment = timedelta(seconds=1)
    for when in (midnight - moment, midnight, compared, compared + moment):
        order(session, when, "1")
    body = manager.get("/reports", headers={"accept": "application/json"}).json()
    assert (body["restaurant"]["today"]["orders"], body["restaurant"]["before"]["orders"]) == (1, 1)


def test_yesterday_ends_before_today_where_the_clocks_jump_at_midnight(manager, clock, settings):
    # In Ittoqqortoormiit, 29 March 2026 began when the clocks of the 28th showed 24:00 and jumped to 01:00.
    settings.TIME_ZONE = "America/Scoresbysund"
    now = datetime(2026, 3, 29, 23, 30, tzinfo=ZoneInfo("America/Scoresbysund"))
    clock(now)
    session = TableSession.objects.create(table=make_table(7), started_at=now)
    midnight = datetime(2026, 3, 29, 1, tzinfo=UTC)
    for minutes in (-10, 0, 10):
        order(session, midnight + timedelta(minutes=minutes), "1")
    body = manager.get("/reports", headers={"accept": "application/json"}).json()
    assert (body["restaurant"]["today"]["orders"], body["restaurant"]["before"]["orders"]) == (2, 1)
