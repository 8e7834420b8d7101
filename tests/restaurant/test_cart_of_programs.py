"""The cart of a client that has no cookie yet."""

import pytest
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


def test_the_first_item_of_a_client_without_a_cookie_is_in_its_cart(session, soup):
    client = APIClient()
    body = {"sessionId": str(session.pk), "menuItemId": str(soup.pk), "quantity": 2}
    added = client.post("/table/7/cart", body, format="json")
    assert [(item["menuItemId"], item["quantity"]) for item in added.json()["items"]] == [(str(soup.pk), 2)]
    assert client.get(f"/table/7/cart?sessionId={session.pk}").json()["count"] == 2


def test_a_cart_replaced_by_a_client_without_a_cookie_is_its_own(session, soup):
    client = APIClient()
    body = {"sessionId": str(session.pk), "items": [{"menuItemId": str(soup.pk), "quantity": 3}]}
    assert client.put("/table/7/cart", body, format="json").json()["count"] == 3
    assert client.get(f"/table/7/cart?sessionId={session.pk}").json()["count"] == 3
