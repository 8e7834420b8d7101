"""How long calls and ready dishes waited, in the day's report."""

from datetime import timedelta

import pytest
from django.utils import timezone

from restaurant.models import Order, TableCall
from tests.conftest import PAGE
from tests.reading import read

pytestmark = pytest.mark.django_db

DAY = "/reports/restaurant/day"


@pytest.fixture
def began(clock):
    now = timezone.localtime().replace(hour=14, minute=0, second=0, microsecond=0)
    clock(now)
    return now - timedelta(hours=1)


def called(session, began, seconds: int, *, by: str = "", done_by: str = "") -> None:
    at = began + timedelta(seconds=seconds)
    times = {"taken_by_name": by, "taken_at": at if by else None}
    done_at = at + timedelta(minutes=5 if by else 0)
    TableCall.objects.create(
        session=session, kind="waiter", created_at=began, done_at=done_at, done_by=done_by, **times
    )


def carried(session, began, seconds: int, *, by: str = "", status: str = "served") -> None:
    at = began + timedelta(seconds=seconds)
    values = {"ready_at": began, "served_at": at, "taken_by_name": by, "taken_at": began if by else None}
    Order.objects.create(table=session.table, session=session, status=status, total=5, created_at=began, **values)


def test_a_day_on_which_nobody_took_anything_says_nothing_of_it(manager, session, began):
    called(session, began, 30, done_by="ana")
    carried(session, began, 30)
    assert "response" not in manager.get(DAY).json()
    assert "How long calls waited" not in read(manager.get(DAY, headers={"accept": PAGE}))


def test_the_median_and_nine_of_ten_by_person_and_of_all(manager, session, began):
    for seconds in (10, 20, 30, 40, 50, 60, 70, 80, 90, 300):
        called(session, began, seconds, by="ana", done_by="ben")
    called(session, began, 100, done_by="ben")
    called(session, began, 3600)  # the table was closed: nobody went
    called(session, began - timedelta(days=1), 5, by="ana")
    for seconds, by in ((60, "ana"), (120, "ben"), (180, "")):
        carried(session, began, seconds, by=by)
    carried(session, began, 999, by="ana", status="cancelled")
    response = manager.get(DAY).json()["response"]
    assert response["calls"] == [
        {"name": "ana", "count": 10, "median": 55, "nineOfTen": 90},
        {"name": "ben", "count": 1, "median": 100, "nineOfTen": 100},
        {"count": 11, "median": 60, "nineOfTen": 100},
    ]
    assert response["ready"] == [
        {"name": "ana", "count": 1, "median": 60, "nineOfTen": 60},
        {"name": "ben", "count": 1, "median": 120, "nineOfTen": 120},
        {"count": 3, "median": 120, "nineOfTen": 180},
    ]
    page = read(manager.get(DAY, headers={"accept": PAGE}))
    assert ["All", "11", "60", "100"] in page.one("table", "How long calls waited").rows()
    assert ["ana", "1", "60", "60"] in page.one("table", "How long ready dishes waited").rows()
    assert "All,3,120,180" in manager.get(DAY, {"format": "csv"}).content.decode()
