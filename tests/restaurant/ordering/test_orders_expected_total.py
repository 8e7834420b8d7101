"""`expectedTotal`: an order that would not come to what the guest saw is not placed, and says what is new."""

from decimal import Decimal

import pytest

from restaurant.models import Order
from tests.conftest import order_body, unknown_id

pytestmark = pytest.mark.django_db


def post(api, body, key="tap"):
    return api.post("/table/7/order", body, format="json", headers={"Idempotency-Key": key})


def test_the_total_that_was_seen_is_ordered(api, session, soup, bread):
    for seen in (23.25, 23.2500001):
        response = post(api, order_body(session, (soup, 2), (bread, 1)) | {"expectedTotal": seen}, key=str(seen))
        assert (response.status_code, response.json()["total"]) == (200, 23.25)


def test_without_a_total_nothing_is_compared(api, session, soup):
    type(soup).objects.update(price=Decimal("11.00"))
    for key, extra in (("none", {}), ("null", {"expectedTotal": None})):
        response = post(api, order_body(session, (soup, 2)) | extra, key=key)
        assert (response.status_code, response.json()["total"]) == (200, 22)


def test_a_price_that_changed_is_409_with_what_it_is_now(api, session, soup, bread):
    type(soup).objects.filter(pk=soup.pk).update(price=Decimal("11.00"))
    response = post(api, order_body(session, (soup, 2), (bread, 1)) | {"expectedTotal": 23.25})
    assert response.status_code == 409
    body = response.json()
    assert "nothing was ordered" in body["error"]
    assert (body["expectedTotal"], body["total"]) == (23.25, 26.25)
    assert body["items"][0] == {
        "menuItemId": str(soup.pk),
        "name": "Ribollita",
        "quantity": 2,
        "price": 11,
        "available": True,
    }
    assert not Order.objects.exists()


def test_a_guest_who_says_yes_orders_with_the_same_key(api, session, soup):
    type(soup).objects.update(price=Decimal("11.00"))
    assert post(api, order_body(session, (soup, 2)) | {"expectedTotal": 19}).status_code == 409
    assert post(api, order_body(session, (soup, 2)) | {"expectedTotal": 22}).status_code == 200
    assert Order.objects.get().total == Decimal("22.00")


def test_an_item_that_was_made_unavailable_between_cart_and_order_is_409_with_the_rest(api, session, soup, bread):
    soup.available = False
    soup.save()
    response = post(api, order_body(session, (soup, 1), (bread, 2)) | {"expectedTotal": 18})
    assert (response.status_code, response.json()["total"]) == (409, 8.5)
    assert [item["available"] for item in response.json()["items"]] == [False, True]
    # Without the field it is 400.
    assert post(api, order_body(session, (soup, 1), (bread, 2))).status_code == 400
    assert not Order.objects.exists()


def test_what_never_was_on_the_menu_is_400_with_a_total_too(api, session, soup):
    gone = unknown_id()
    response = post(api, order_body(session, (soup, 1), (gone, 1)) | {"expectedTotal": 9.5})
    assert response.status_code == 400
    assert gone in response.json()["error"]


def test_a_repeat_of_a_placed_order_gets_the_first_response_whatever_the_menu_says_now(api, session, soup):
    body = order_body(session, (soup, 2)) | {"expectedTotal": 19}
    first = post(api, body)
    type(soup).objects.update(price=Decimal("11.00"), available=False)
    again = post(api, body)
    assert (again.status_code, again.content) == (200, first.content)
    assert Order.objects.count() == 1


def test_a_total_that_is_none_is_400_and_names_the_field(subtests, api, session, soup):
    for wrong in ["19", True, -1, 1e400, [], {}]:
        with subtests.test(wrong=wrong):
            import json

            body = json.dumps(order_body(session, (soup, 2)) | {"expectedTotal": wrong}).replace("Infinity", "1e400")
            response = api.post("/table/7/order", body, content_type="application/json")
            assert response.status_code == 400
            assert "expectedTotal" in response.json()["fields"]
            assert not Order.objects.exists()
