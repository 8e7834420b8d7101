"""GET /checkin/{locationId}?member=."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from loyalty.models import PointTransaction
from tests.conftest import undone
from tests.loyalty.making import earn_body, make_location, make_member

pytestmark = pytest.mark.django_db


def visit(member, location, ago: timedelta, **values) -> PointTransaction:
    return PointTransaction.objects.create(
        customer=member, location=location, created_at=timezone.now() - ago, **{"type": "earn", "points": 1, **values}
    )


def check_in(api, member, location):
    return api.get(f"/checkin/{location.pk}?member={member.pk}")


def test_a_member_is_greeted_and_gets_no_points(api, member, location):
    response = check_in(api, member, location)
    assert response.status_code == 200
    data = response.json()
    assert data == {
        "customerId": str(member.pk), "customerName": "Ada Lovelace", "pointsBalance": 100, "tier": "bronze",
        "locationId": str(location.pk), "message": data["message"],
    }  # fmt: skip
    assert "Ada Lovelace" in data["message"]
    assert PointTransaction.objects.count() == 1
    assert check_in(api, member, location).json() == data


def test_without_a_member_it_leads_to_the_sign_up(api, location, subtests):
    for query in ["", "?member="]:
        with subtests.test(query=query), undone():
            response = api.get(f"/checkin/{location.pk}{query}")
            assert (response.status_code, response["Location"]) == (302, f"/signup?location={location.pk}")


def test_ids_in_upper_case_are_the_same_ids(api, member, location):
    response = api.get(f"/checkin/{str(location.pk).upper()}?member={str(member.pk).upper()}")
    assert response.json()["customerId"] == str(member.pk)
    assert response.json()["locationId"] == str(location.pk)


def test_within_the_hour_after_a_purchase_it_says_when_to_come_again(api, till, member, location):
    assert till.post("/earn", earn_body(member, location, 25), format="json").status_code == 200
    data = check_in(api, member, location).json()
    assert set(data) == {"message", "pointsBalance", "nextCheckinAvailable"}
    assert data["pointsBalance"] == 125
    assert data["nextCheckinAvailable"].endswith("Z")
    latest = PointTransaction.objects.latest("created_at").created_at
    assert datetime.fromisoformat(data["nextCheckinAvailable"]) == latest + timedelta(hours=1)


def test_it_says_when_the_last_visit_was_by_the_venues_clock(
    api, browser_client, member, location, clock, settings, subtests
):
    for now, last, next_at in [
        ("2026-11-21T19:30", "at 19:02.", "from 20:02."),
        ("2026-11-21T23:30", "at 23:02.", "from 22 Nov 2026, 00:02."),
        ("2026-11-22T00:01", "on 21 Nov 2026, 23:33.", "from 00:33."),
    ]:
        with subtests.test(now=now, last=last, next_at=next_at), undone():
            settings.TIME_ZONE = "Pacific/Chatham"
            clock(datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(settings.TIME_ZONE)))
            visit(member, location, timedelta(minutes=28))
            assert check_in(api, member, location).json()["message"] == f"Your last visit here was {last}"
            page = check_in(browser_client, member, location).content.decode()
            for text in (f"Your last visit here was {last}", f"next visit {next_at}", "Welcome back"):
                assert text in page
            assert "hecked in" not in page
            assert f'href="/rewards?customerId={member.pk}"' in page


def test_of_several_within_the_hour_the_latest_counts(api, member, location):
    for minutes in (50, 5, 30):
        visit(member, location, timedelta(minutes=minutes))
    latest = PointTransaction.objects.filter(location=location).latest("created_at").created_at
    available = check_in(api, member, location).json()["nextCheckinAvailable"]
    assert datetime.fromisoformat(available) == latest + timedelta(hours=1)


def test_a_transaction_of_any_type_counts(api, member, location, subtests):
    for kind, points in [("earn", 0), ("redeem", -5), ("expire", -5), ("bonus", 5)]:
        with subtests.test(kind=kind, points=points), undone():
            visit(member, location, timedelta(minutes=59, seconds=50), type=kind, points=points)
            assert "nextCheckinAvailable" in check_in(api, member, location).json()


def test_an_hour_later_elsewhere_or_for_another_member_the_greeting_is_back(api, member, location):
    visit(member, location, timedelta(hours=1))
    visit(member, make_location("Station"), timedelta(minutes=1))
    visit(make_member("Ben"), location, timedelta(minutes=1))
    assert check_in(api, member, location).json()["customerId"] == str(member.pk)


def test_it_is_not_stored_by_caches(api, member, location):
    assert "private" in check_in(api, member, location)["Cache-Control"]
