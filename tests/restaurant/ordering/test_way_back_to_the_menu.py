"""The page of what is not there leads a phone that is at a table back to the table's menu."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from qrservice import gateway
from restaurant.floor.services import moves
from restaurant.models import Table, TableSession
from tests.conftest import PAGE, make_table

pytestmark = pytest.mark.django_db

BACK = "Back to table 7"


@pytest.fixture
def phone(table) -> APIClient:
    """At table 7, whose code it has scanned."""
    Table.objects.update(qr_analytics_id="seven")
    phone = APIClient(headers={"accept": PAGE})
    phone.get("/table/7")
    phone.cookies["tableScan"] = gateway.signed_scan("seven")
    return phone


def page(phone: APIClient, address: str) -> str:
    answer = phone.get(address)
    assert answer.status_code == 404
    assert "Cookie" in answer["Vary"]
    return answer.content.decode()


def test_a_phone_that_has_scanned_is_led_back(subtests, phone):
    for address in ["/nowhere", "/table/7/nowhere", "/table/999"]:
        with subtests.test(address=address):
            answer = page(phone, address)
            assert BACK in answer
            assert 'href="/table/7?from=cart"' in answer
            assert "Scan the code on its card" not in answer


def test_a_phone_that_typed_the_address_is_led_back_from_the_pages_of_its_table(phone):
    del phone.cookies["tableScan"]
    assert BACK in page(phone, "/table/7/nowhere")
    assert BACK not in page(phone, "/nowhere")


def test_after_the_party_has_left_nobody_is_led_to_its_table(phone):
    TableSession.objects.update(ended_at=timezone.now())
    for address in ("/nowhere", "/table/7/nowhere"):
        assert BACK not in page(phone, address)


def test_a_party_that_was_moved_is_led_to_where_it_sits(phone, django_user_model):
    make_table(8)
    staff = django_user_model.objects.create(username="floor")
    moves.move(table_number=7, session_id=str(TableSession.objects.get().pk), to=8, user=staff)
    assert "Back to table 8" in page(phone, "/table/7/nowhere")


def test_a_cookie_that_proves_nothing_leads_nowhere(subtests, phone):
    for value in ["", "seven", "seven:1rQq00:forged"]:
        with subtests.test(value=value):
            phone.cookies["tableScan"] = value
            assert BACK not in page(phone, "/nowhere")


def test_a_program_is_told_what_it_was_told_before(phone):
    phone.credentials(HTTP_ACCEPT="application/json")
    answer = phone.get("/nowhere")
    assert answer.json() == {"error": "There is nothing at this address."}
