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


# Of JSON, and of page and CSV, which show more.
QUERIES = dict(zip(PATHS, [(4, 7), (4, 6), (2, 3), (3, 4)], strict=True))


@pytest.mark.parametrize("path", PATHS)
def test_json_for_a_program(filled, path):
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    program = APIClient(headers={"authorization": f"Token {token}"})
    with own_queries() as queries:
        assert program.get(path).status_code == 200
    assert len(queries) == QUERIES[path][0]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("form", ["json", "html", "csv"])
def test_json_page_and_csv_for_a_browser(filled, path, form):
    client = signed_in(make_user("Managers"))
    of_json, of_page = QUERIES[path]
    with own_queries() as queries:
        assert client.get(path, {"format": form}, headers={"accept": PAGE}).status_code == 200
    assert len(queries) == (of_json if form == "json" else of_page)


@pytest.mark.parametrize("path", PATHS)
def test_json_does_not_pay_for_what_only_the_page_shows(filled, path):
    client = signed_in(make_user("Managers"))
    with own_queries() as for_json:
        client.get(path)
    with own_queries() as for_page:
        client.get(path, headers={"accept": PAGE})
    assert len(for_json) < len(for_page)
