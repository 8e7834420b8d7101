"""Who may read the reports, for how many days, and as JSON, page or CSV."""

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from tests.conftest import PAGE, make_user, signed_in

pytestmark = pytest.mark.django_db

PATHS = [
    "/reports/restaurant",
    "/reports/restaurant/peak-hours",
    "/reports/restaurant/menu",
    "/reports/restaurant/tables/7",
]
DAY = "/reports/restaurant/day"
WITH_DAYS = PATHS[1:]


@pytest.fixture
def program():
    """A manager's, with a token."""
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    return APIClient(headers={"authorization": f"Token {token}"})


@pytest.mark.parametrize("path", [*PATHS, DAY])
def test_managers_may_and_others_may_not(api, program, table, path):
    response = api.get(path)
    assert (response.status_code, set(response.json())) == (401, {"error"})
    for group in ("Cashiers", "Floor"):
        response = signed_in(make_user(group)).get(path)
        assert (response.status_code, set(response.json())) == (403, {"error"})
    response = program.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["Cache-Control"] == "private, no-cache"
    assert "Accept" in response["Vary"]


@pytest.mark.parametrize("path", [*PATHS, DAY])
def test_a_browser_gets_the_page_or_is_led_to_the_sign_in(browser_client, manager, table, path):
    response = browser_client.get(path)
    assert (response.status_code, response["Location"]) == (302, f"/sign-in?next={path.replace('/', '%2F')}")
    response = manager.get(path, headers={"accept": PAGE})
    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert response["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", [*PATHS, DAY])
def test_the_last_word_is_the_format_in_the_address(manager, table, path):
    assert manager.get(f"{path}?format=html")["Content-Type"] == "text/html; charset=utf-8"
    assert manager.get(f"{path}?format=json", headers={"accept": PAGE})["Content-Type"] == "application/json"
    assert manager.get(f"{path}?format=csv", headers={"accept": PAGE})["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize("path", WITH_DAYS)
@pytest.mark.parametrize("days", ["0", "366", "-1", "1.5", "x", "", " 7", "+7", "٧", "1e2", "9" * 5000])
def test_other_days_than_1_to_365_are_refused(program, table, path, days):
    response = program.get(path, {"days": days})
    assert (response.status_code, set(response.json())) == (400, {"error", "fields"})
    assert set(response.json()["fields"]) == {"days"}


@pytest.mark.parametrize("path", WITH_DAYS)
@pytest.mark.parametrize("days", ["1", "365", "007"])
def test_from_1_to_365_days_are_accepted(program, table, path, days):
    assert program.get(path, {"days": days}).status_code == 200


@pytest.mark.parametrize("path", WITH_DAYS)
@pytest.mark.parametrize("form", ["html", "csv"])
def test_refused_days_are_a_page_for_a_browser_and_never_a_file(manager, table, path, form):
    response = manager.get(path, {"days": "0", "format": form}, headers={"accept": PAGE})
    assert (response.status_code, response["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert "Content-Disposition" not in response
    assert "A whole number from 1 to 365 is needed." in response.content.decode()


def test_a_table_that_does_not_exist_is_a_page_for_a_browser(manager):
    response = manager.get("/reports/restaurant/tables/99", headers={"accept": PAGE})
    assert response.status_code == 404
    assert "There is no table with this number." in response.content.decode()


@pytest.mark.parametrize("path", [*PATHS, DAY])
def test_reports_are_only_read(manager, table, path):
    assert manager.post(path).status_code == 405
    assert manager.head(path).status_code == 200
