"""Days on which the house is closed: guests can't order, and read why."""

from datetime import UTC, date, datetime, time

import pytest
from rest_framework.test import APIClient

from restaurant.models import ClosedDay, OpeningHours
from tests.conftest import PAGE, make_user, order_body, signed_in
from tests.reading import read

pytestmark = pytest.mark.django_db

CHRISTMAS = date(2026, 12, 25)  # a Friday


def at(day: int, hour: int) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _christmas(db):
    ClosedDay.objects.create(date=CHRISTMAS, reason="Merry Christmas")


def closed(client) -> dict | None:
    return client.get("/table/7").json().get("closed")


def test_a_house_without_hours_is_closed_from_midnight_to_midnight(table, clock):
    for day, hour, until in ((24, 23, None), (25, 0, at(26, 0)), (25, 23, at(26, 0)), (26, 0, None)):
        clock(at(day, hour))
        state = closed(APIClient())
        assert (state and datetime.fromisoformat(state["until"])) == until, (day, hour)


def test_guests_read_why_and_the_night_before_goes_on(table, session, soup, clock):
    for day in range(7):
        OpeningHours.objects.create(weekday=day, opens=time(18), closes=time(2))
    clock(at(25, 1))
    assert closed(APIClient()) is None
    clock(at(25, 19))
    guest = APIClient()
    assert closed(guest) == {"until": "2026-12-26T18:00:00Z", "reason": "Merry Christmas"}
    table.sessions.update(started_at=at(25, 19))
    body = order_body(session, (soup, 1))
    refused = guest.post("/table/7/order", body, format="json")
    assert refused.status_code == 409
    assert refused.json()["error"].startswith("Closed today: Merry Christmas. You can order again from")
    waiter = signed_in(make_user("Floor"))
    assert waiter.post("/table/7/order", body, format="json").status_code == 200
    assert "Closed today: Merry Christmas" in read(guest.get("/table/7", headers={"accept": PAGE}))
    clock(at(26, 1))
    assert closed(APIClient())["until"] == "2026-12-26T18:00:00Z"  # the night of the closed day
    clock(at(26, 18))
    assert closed(APIClient()) is None
