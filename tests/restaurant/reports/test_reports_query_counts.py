"""A report takes a fixed number of queries, whatever there is to count. Those of authentication are not counted."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries, signed_in
from tests.restaurant.reports.making import NOW, order, scan, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]


def fill(table) -> None:
    items = [make_item(f"Dish {number}") for number in range(12)]
    for number, place in enumerate([table, *(make_table(number) for number in range(20, 32))]):
        start_session(place, NOW)
        for hours in range(3):
            order(place, NOW - timedelta(hours=hours + number), *((item, 1) for item in items))
        scan(place, *(NOW - timedelta(hours=hours) for hours in range(30)))


# Of JSON, and of CSV, which shows more. The page also asks whether there was anything a year ago, and
# what needs attention and whether mails can be sent for its header.
QUERIES = {"": (5, 11), "/peak-hours": (10, 10), "/menu": (3, 5), "/tables/7": (7, 9)}


def test_json_page_and_csv_for_programs_and_browsers(table):
    manager = make_user("Managers")
    _, token = StaffToken.objects.create(user=manager)
    program, browser = APIClient(headers={"authorization": f"Token {token}"}), signed_in(manager)

    def asked(client: APIClient, path: str, **more) -> int:
        with own_queries() as queries:
            assert client.get(f"/reports/restaurant{path}", **more).status_code == 200
        return len(queries)

    def counted() -> dict[str, list[int]]:
        return {
            path: [asked(program, path)]
            + [
                asked(browser, path, data={"format": form}, headers={"accept": PAGE})
                for form in ("json", "html", "csv")
            ]
            for path in QUERIES
        }

    expected = {path: [json, json, csv + 3, csv] for path, (json, csv) in QUERIES.items()}
    assert counted() == expected
    fill(table)
    assert counted() == expected
