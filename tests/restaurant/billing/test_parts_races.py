"""Guests of one table who want the same dish at the same moment."""

import pytest
from rest_framework.test import APIClient

from restaurant.billing.queries.chosen import Chosen
from restaurant.billing.services import parts
from restaurant.models import BillPart, Claim, TableSession
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once, before_commit
from tests.conftest import make_item, make_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def bottle(session) -> str:
    """The id of the order of one bottle."""
    entries = [Entry(str(make_item("Wine", "30.00").pk))]
    return str(orders.place(table_number=7, session_id=str(session.pk), entries=entries).order.pk)


def take(session: TableSession, bottle: str, share: str = "1/1") -> tuple[int, str]:
    """A phone of its own ticks the bottle: the status, and the sentence of a refusal."""
    part = {"items": [{"orderId": bottle, "position": 0, "share": share}]}
    body = {"sessionId": str(session.pk), "by": "items", "parts": [part], "method": "card"}
    response = APIClient().post("/table/7/parts", body, format="json")
    return response.status_code, response.json().get("error", "")


def test_who_ticks_a_dish_second_waits_and_reads_who_has_it(session, bottle):
    def anna() -> None:
        wanted = [Chosen(bottle, 0)]
        parts.add(table_number=7, session_id=str(session.pk), phone="anna", name="Anna", items=wanted)

    refused = before_commit(anna, lambda: take(session, bottle))
    assert refused == (409, "Wine is in Anna's part already.")
    assert BillPart.objects.filter(is_rest=False).count() == 1


def test_of_eight_phones_that_want_a_third_three_get_one(session, bottle):
    results = at_once([lambda: take(session, bottle, "1/3")] * 8)
    assert sorted(status for status, _sentence in results) == [201] * 3 + [409] * 5
    assert Claim.objects.count() == 3
    assert BillPart.objects.filter(is_rest=True).count() == 1
