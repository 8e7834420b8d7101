"""A tap on the menu while the cart's page saves itself: neither fails."""

import pytest
from rest_framework.test import APIClient

from tests.at_once import at_once
from tests.conftest import make_item, make_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_adding_and_replacing_at_the_same_moment_both_succeed(transactional_db):
    make_table()
    soup = make_item()
    client = APIClient()
    client.get("/table/7")

    def send(method: str, body: dict) -> int:
        phone = APIClient()
        phone.cookies = client.cookies
        return getattr(phone, method)("/table/7/cart", body, format="json").status_code

    one = {"menuItemId": str(soup.pk)}
    for _ in range(15):
        send("put", {"items": []})
        calls = [lambda: send("post", one), lambda: send("put", {"items": [one]})] * 4
        assert at_once(calls) == [200] * 8
