"""A report takes at most 4 queries, the one or two that say who is asking among them, whatever there is to count."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from tests.conftest import PAGE, make_item, make_table, make_user, signed_in
from tests.restaurant.reports.conftest import NOW, order, scan, stay
from tests.restaurant.reports.test_reports_access_and_days import PATHS

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["nothing", "much"])
def filled(request, table, time_machine):
    if request.param == "much":
        items = [make_item(f"Dish {number}") for number in range(12)]
        for number, place in enumerate([table, *(make_table(number) for number in range(20, 32))]):
            stay(place, NOW)
            for hours in range(3):
                order(place, NOW - timedelta(hours=hours + number), *((item, 1) for item in items))
            scan(place, *(NOW - timedelta(hours=hours) for hours in range(30)))
    time_machine.move_to(NOW, tick=False)


@pytest.mark.parametrize("path", PATHS)
def test_json_for_a_program(filled, django_assert_max_num_queries, path):
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    program = APIClient(headers={"authorization": f"Token {token}"})
    with django_assert_max_num_queries(4):
        assert program.get(path).status_code == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("form", ["json", "html", "csv"])
def test_json_page_and_csv_for_a_browser(filled, django_assert_max_num_queries, path, form):
    client = signed_in(make_user("Managers"))
    with django_assert_max_num_queries(4):
        assert client.get(path, {"format": form}, headers={"accept": PAGE}).status_code == 200


@pytest.mark.parametrize(("path", "own"), list(zip(PATHS, (1, 2, 1, 2), strict=True)))
def test_json_does_not_pay_for_what_only_the_page_shows(filled, django_assert_num_queries, path, own):
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    program = APIClient(headers={"authorization": f"Token {token}"})
    with django_assert_num_queries(1 + own):
        assert program.get(path).status_code == 200
