"""Reports are for managers."""

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
        answer = manager.get(path, {"format": format_})
        assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (200, kind)
        assert answer["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_other_staff_may_not(cashier, floor, path, format_):
    for client in (cashier, floor):
        answer = client.get(path, {"format": format_})
        assert (answer.status_code, set(answer.json())) == (403, {"error"})


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_a_stranger_is_asked_who_it_is(api, path, format_):
    answer = api.get(path, {"format": format_})
    assert (answer.status_code, set(answer.json())) == (401, {"error"})


def test_a_browser_is_led_to_sign_in_and_back(browser_client, path):
    answer = browser_client.get(path, headers={"accept": PAGE})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in?next=%2Freports%2F")
