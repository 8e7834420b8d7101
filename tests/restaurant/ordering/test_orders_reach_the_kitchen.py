"""POST /table/{n}/order, GET /kitchen, POST /orders/{id}/status, GET /orders/{id}."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.models import MenuItem, Order, OrderItem, TableSession
from tests.conftest import make_item, make_table, order_body, own_queries, unknown_id

pytestmark = pytest.mark.django_db


def place(client, session, *entries, **extra):
    return client.post("/table/7/order", order_body(session, *entries), format="json", **extra)


def test_an_order_is_stored_with_prices_of_the_moment_and_responded_to_as_documented(api, session, soup, bread):
    body = order_body(session, (soup, 2), (bread, 1))
    body["items"][0]["specialInstructions"] = "No parmesan"
    response = api.post("/table/7/order", body, format="json")
    assert response.status_code == 200
    order = Order.objects.get()
    assert response.json() == {
        "orderId": str(order.pk),
        "status": "pending",
        "items": [
            {
                "menuItemId": str(soup.pk),
                "name": "Ribollita",
                "quantity": 2,
                "price": 9.5,
                "specialInstructions": "No parmesan",
            },
            {
                "menuItemId": str(bread.pk),
                "name": "Sourdough & olive oil",
                "quantity": 1,
                "price": 4.25,
                "specialInstructions": "",
            },
        ],
        "total": 23.25,
        "message": response.json()["message"],
    }
    assert order.total == Decimal("23.25")
    session.refresh_from_db()
    assert (session.total_orders, session.total_revenue) == (1, Decimal("23.25"))
    MenuItem.objects.update(price=99, name="Renamed")
    assert api.get(f"/orders/{order.pk}").json()["items"][0] == response.json()["items"][0]


def test_the_quantity_is_one_if_not_given(api, session, soup):
    body = {"sessionId": str(session.pk), "items": [{"menuItemId": str(soup.pk)}]}
    assert api.post("/table/7/order", body, format="json").json()["items"][0]["quantity"] == 1


def test_an_unavailable_or_unknown_item_is_named_and_nothing_is_stored(api, session, soup):
    gone = make_item("Oysters", "18", available=False)
    for item_id in (str(gone.pk), unknown_id(), "no-id"):
        response = place(api, session, (soup, 1), (item_id, 1))
        assert response.status_code == 400
        assert item_id in response.json()["error"]
    session.refresh_from_db()
    assert (Order.objects.count(), OrderItem.objects.count(), session.total_orders) == (0, 0, 0)


def test_an_unknown_table_or_a_session_of_another_table_is_404(api, session, soup):
    other = TableSession.objects.create(table=make_table(8))
    assert place(api, other, (soup, 1)).status_code == 404
    assert place(api, unknown_id(), (soup, 1)).status_code == 404
    response = api.post("/table/99/order", order_body(session, (soup, 1)), format="json")
    assert (response.status_code, set(response.json())) == (404, {"error"})


def test_an_ended_or_old_session_is_409_and_asks_to_scan_again(api, session, soup):
    for change in ({"ended_at": timezone.now()}, {"ended_at": None, "started_at": timezone.now() - timedelta(hours=5)}):
        TableSession.objects.update(**change)
        response = place(api, session, (soup, 1))
        assert response.status_code == 409
        assert "scan" in response.json()["error"]
    assert not Order.objects.exists()


def test_a_wrong_body_is_400_and_names_the_field(subtests, api, session, soup):
    for change, named in [
        ({"items": []}, "items"),
        ({"items": None}, "items"),
        ({"items": "soup"}, "items"),
        ({"sessionId": None}, "sessionId"),
        ({"sessionId": 7}, "sessionId"),
        ({"sessionId": "seven"}, "sessionId"),
    ]:
        with subtests.test(change=change, named=named):
            response = api.post("/table/7/order", {**order_body(session, (soup, 1)), **change}, format="json")
            assert response.status_code == 400
            assert named in response.json()["fields"]
            assert named in response.json()["error"]


def test_a_wrong_entry_is_400_and_nothing_is_stored(subtests, api, session, soup):
    for entry in [
        {"quantity": 0},
        {"quantity": 100},
        {"quantity": -1},
        {"quantity": 1.5},
        {"quantity": "2"},
        {"quantity": True},
        {"quantity": None},
        {"specialInstructions": "x" * 501},
        {"specialInstructions": 5},
        {"menuItemId": None},
        {"menuItemId": 5},
        {"specialInstructions": "a\0b"},
        {"specialInstructions": "\ud800"},
    ]:
        with subtests.test(entry=entry):
            body = {"sessionId": str(session.pk), "items": [{"menuItemId": str(soup.pk), **entry}]}
            response = api.post("/table/7/order", json.dumps(body), content_type="application/json")
            assert response.status_code == 400
            assert next(iter(entry)) in response.json()["error"]
            assert not Order.objects.exists()


def test_a_hundred_entries_are_taken_and_more_are_not(api, session, soup):
    assert place(api, session, *[(soup, 1)] * 100).status_code == 200
    assert place(api, session, *[(soup, 1)] * 101).status_code == 400


def test_a_total_that_no_column_holds_is_400(api, session):
    gold = make_item("Gold leaf", "99999999.99")
    assert place(api, session, (gold, 1)).status_code == 200
    assert place(api, session, (gold, 2)).status_code == 400
    assert Order.objects.count() == 1


def test_malformed_json_is_400_with_a_sentence(subtests, api, session):
    for text in ["", "[", "[1]", '"a"', "nul"]:
        with subtests.test(text=text):
            response = api.post("/table/7/order", text, content_type="application/json")
            assert response.status_code == 400
            assert set(response.json()) >= {"error"}


def test_another_content_type_is_415(api, session):
    response = api.post("/table/7/order", "hello", content_type="text/plain")
    assert (response.status_code, set(response.json())) == (415, {"error"})


def test_the_same_key_and_body_is_one_order_with_one_response(api, session, soup):
    key = {"Idempotency-Key": "a tap"}
    first = place(api, session, (soup, 1), headers=key)
    MenuItem.objects.update(price=50, name="Renamed", available=False)
    TableSession.objects.update(ended_at=timezone.now())
    second = place(api, session, (soup, 1), headers=key)
    assert second.status_code == 200
    assert second.json() == first.json()
    session.refresh_from_db()
    assert (Order.objects.count(), session.total_orders) == (1, 1)


def test_the_same_key_with_another_body_is_409(api, session, soup, bread):
    key = {"Idempotency-Key": "a tap"}
    place(api, session, (soup, 1), headers=key)
    response = place(api, session, (bread, 1), headers=key)
    assert response.status_code == 409
    assert Order.objects.count() == 1


def test_a_key_counts_in_its_own_session_alone(api, session, soup):
    key = {"Idempotency-Key": "a tap"}
    place(api, session, (soup, 1), headers=key)
    next_party = TableSession.objects.create(table=session.table)
    place(api, next_party, (soup, 1), headers=key)
    assert Order.objects.count() == 2


def test_without_a_key_every_call_counts(api, session, soup):
    place(api, session, (soup, 1))
    place(api, session, (soup, 1))
    assert Order.objects.count() == 2


def test_a_key_of_more_than_a_hundred_characters_is_400(api, session, soup):
    assert place(api, session, (soup, 1), headers={"Idempotency-Key": "k" * 101}).status_code == 400


def test_the_kitchen_reads_the_open_orders_oldest_first(api, floor, session, soup):
    ids = [place(api, session, (soup, number)).json()["orderId"] for number in (1, 2, 3, 4)]
    for order_id, status in zip(ids[1:], ("preparing", "ready", "served"), strict=True):
        assert floor.post(f"/orders/{order_id}/status", {"status": status}, format="json").json() == {"success": True}
    orders = floor.get("/kitchen").json()["orders"]
    assert [(order["orderId"], order["status"]) for order in orders] == [
        (ids[0], "pending"),
        (ids[1], "preparing"),
        (ids[2], "ready"),
    ]
    assert set(orders[0]) == {"orderId", "tableNumber", "status", "items", "total", "createdAt"}
    assert orders[0]["tableNumber"] == 7


def test_the_kitchen_takes_the_same_queries_for_one_order_and_for_thirty(api, floor, session, soup):
    place(api, session, (soup, 1))
    with own_queries() as for_one:
        assert len(floor.get("/kitchen").json()["orders"]) == 1
    for _ in range(29):
        place(api, session, (soup, 1))
    with own_queries() as for_thirty:
        assert len(floor.get("/kitchen").json()["orders"]) == 30
    # A limit's permits may have to be leased for the second, not for the first: by one statement at most.
    counted = [sql for sql in for_thirty if "INSERT" not in sql]
    assert len(counted) <= len(for_one) <= 8, for_thirty


def test_completed_at_follows_the_status(api, floor, session, soup):
    order_id = place(api, session, (soup, 1)).json()["orderId"]
    assert api.get(f"/orders/{order_id}").json()["completedAt"] is None
    floor.post(f"/orders/{order_id}/status", {"status": "completed"}, format="json")
    completed = api.get(f"/orders/{order_id}").json()["completedAt"]
    assert completed is not None
    floor.post(f"/orders/{order_id}/status", {"status": "completed"}, format="json")
    assert api.get(f"/orders/{order_id}").json()["completedAt"] == completed
    floor.post(f"/orders/{order_id}/status", {"status": "served"}, format="json")
    assert api.get(f"/orders/{order_id}").json()["completedAt"] is None


def test_another_status_is_400_and_the_five_are_named(subtests, api, floor, session, soup):
    order_id = place(api, session, (soup, 1)).json()["orderId"]
    for body in [{"status": "eaten"}, {"status": None}, {}, {"status": ["ready"]}, []]:
        with subtests.test(body=body):
            response = floor.post(f"/orders/{order_id}/status", body, format="json")
            assert response.status_code == 400
            assert Order.objects.get().status == "pending"
            if body == {"status": "eaten"}:
                for status in ("pending", "preparing", "ready", "served", "completed"):
                    assert status in response.json()["error"]


def test_an_unknown_order_is_404(subtests, api, floor):
    for order_id in ["unknown", "00000000-0000-0000-0000-000000000000"]:
        with subtests.test(order_id=order_id):
            assert api.get(f"/orders/{order_id}").status_code == 404
            response = floor.post(f"/orders/{order_id}/status", {"status": "ready"}, format="json")
            assert (response.status_code, set(response.json())) == (404, {"error"})


def test_the_guest_sees_the_order(api, browser_client, session, soup):
    order_id = place(api, session, (soup, 2)).json()["orderId"]
    order = api.get(f"/orders/{order_id}").json()
    assert set(order) == {"orderId", "tableNumber", "status", "items", "total", "createdAt", "completedAt"}
    page = browser_client.get(f"/orders/{order_id}").content.decode()
    for text in ("Order received", "Ribollita", "€19.00", "Table 7"):
        assert text in page
