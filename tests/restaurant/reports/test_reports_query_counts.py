"""A report takes a fixed number of queries, whatever there is to count. Those of authentication are not counted."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries, signed_in
from tests.restaurant.reports.conftest import NOW, order, scan, start_session
from tests.restaurant.reports.test_reports_access_and_days import PATHS

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["nothing", "much"])
def filled(request, table, time_machine):
    if request.param == "much":
        items = [make_item(f"Dish {number}") for number in range(12)]
        for number, place in enumerate([table, *(make_table(number) for number in range(20, 32))]):
            start_session(place, NOW)
            for hours in range(3):
                order(place, NOW - timedelta(hours=hours + number), *((item, 1) for item in items))
            scan(place, *(NOW - timedelta(hours=hours) for hours in range(30)))
    time_machine.move_to(NOW, tick=False)


# Of JSON, and of CSV, which shows more. The page also asks whether there was anything a year ago, and
# what needs attention and whether mails can be sent for its header.
QUERIES = dict(zip(PATHS, [(5, 10), (5, 10), (3, 5), (3, 11)], strict=True))


@pytest.mark.parametrize("path", PATHS)
def test_json_page_and_csv_for_programs_and_browsers(filled, path):
    manager = make_user("Managers")
    _, token = StaffToken.objects.create(user=manager)
    of_json, of_csv = QUERIES[path]
    assert of_json < of_csv  # JSON does not pay for what only the page shows
    program = APIClient(headers={"authorization": f"Token {token}"})
    with own_queries() as queries:
        assert program.get(path).status_code == 200
    assert len(queries) == of_json
    browser = signed_in(manager)
    for form, wanted in (("json", of_json), ("html", of_csv + 3), ("csv", of_csv)):
        with own_queries() as queries:
            assert browser.get(path, {"format": form}, headers={"accept": PAGE}).status_code == 200
        assert len(queries) == wanted, form
