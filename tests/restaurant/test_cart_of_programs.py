"""The cart of a client that has no cookie yet."""

import pytest
from rest_framework.test import APIClient

from tests.conftest import order_body

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


def test_what_is_put_or_ordered_may_name_the_version_of_the_cart_that_it_was_made_from(api, session, soup, bread):
    api.get("/table/7")

    def put(version: str, *items) -> tuple[int, str]:
        entries = [{"menuItemId": str(item.pk)} for item in items]
        response = api.put("/table/7/cart", {"items": entries, "cartVersion": version}, format="json")
        return response.status_code, response.json()["cartVersion"]

    empty = api.get("/table/7/cart").json()["cartVersion"]
    first = put(empty, soup)
    assert first[0] == 200
    assert put(empty, soup) == first  # sent again
    assert put(empty, bread) == (409, first[1])
    body = order_body(session, (soup, 1))
    for version, status in ((empty, 409), (first[1], 200), (first[1], 409)):
        response = api.post("/table/7/order", {**body, "cartVersion": version}, format="json")
        assert response.status_code == status
    assert api.post("/table/7/order", body, format="json").status_code == 200  # names no cart
