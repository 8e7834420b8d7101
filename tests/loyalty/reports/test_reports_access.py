"""Reports are for managers. See "Staff groups" in docs/behaviour.md."""

import pytest

from tests.conftest import PAGE
from tests.loyalty.reports.conftest import make_member

pytestmark = pytest.mark.django_db

PATHS = ["/reports/members/{}", "/reports/loyalty", "/reports/loyalty/segments", "/reports/loyalty/re-engagement"]


@pytest.fixture(params=PATHS)
def path(request, db):
    return request.param.format(make_member().pk)


def test_a_manager_reads_json_page_and_csv_and_nobody_between_keeps_them(manager, path):
    for format_, kind in (("json", "application/json"), ("html", "text/html"), ("csv", "text/csv")):
        response = manager.get(path, {"format": format_})
        assert (response.status_code, response["Content-Type"].split(";")[0]) == (200, kind)
        assert response["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_other_staff_may_not(cashier, floor, path, format_):
    for client in (cashier, floor):
        response = client.get(path, {"format": format_})
        assert (response.status_code, set(response.json())) == (403, {"error"})


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_a_stranger_is_not_authenticated(api, path, format_):
    response = api.get(path, {"format": format_})
    assert (response.status_code, set(response.json())) == (401, {"error"})


def test_a_browser_is_led_to_sign_in_and_back(browser_client, path):
    response = browser_client.get(path, headers={"accept": PAGE})
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in?next=%2Freports%2F")
