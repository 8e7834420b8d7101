"""The floor's page: what needs a waiter first, then every table; with forms that work without JavaScript."""

import re
from decimal import Decimal
from itertools import product

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from restaurant.models import Order, OrderChange, OrderingRules, TableCall, TableSession
from restaurant.ordering.services import order_steps
from tests.conftest import PAGE, make_item, make_table, make_user, order_body, own_queries
from tests.reading import read
from tests.restaurant.floor.floors import floor_of, items, tables
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(api, session, soup) -> Order:
    OrderingRules(gate="approved").save()
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    return Order.objects.get()


def test_a_quiet_floor_says_so(waiter, table):
    page = floor_of(waiter)
    assert "Nobody needs you at the moment." in page
    assert "Table 7 Free" in page
    assert "0 with guests · 1 free" in page


def test_a_restaurant_without_tables_says_so(waiter):
    assert "There are no tables yet" in floor_of(waiter)


def test_a_call_is_done_by_one_tap(waiter, session):
    call = TableCall.objects.create(session=session, kind="bill")
    page = floor_of(waiter)
    assert "7 Wants the bill" in page
    assert page.one("link", "Open the bill")["href"] == f"/table/7/bill?sessionId={session.pk}#pay"
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    call.refresh_from_db()
    assert call.done_by == "flora"
    assert "Wants the bill" not in floor_of(waiter)


def test_a_held_order_is_shown_with_its_dishes_and_approved(waiter, held):
    page = floor_of(waiter)
    [order] = items(page, "To approve")
    assert "€19.00" in order
    assert re.search(r"2 ?× Ribollita", order.text)
    assert "Table 7 To approve" in page
    response = submit(waiter, page, f"/orders/{held.pk}/approve")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    held.refresh_from_db()
    assert held.status == "pending"


def test_what_can_not_be_approved_any_more_says_why_and_leads_back(waiter, held):
    page = floor_of(waiter)
    TableSession.objects.update(ended_at=timezone.now())
    response = submit(waiter, page, f"/orders/{held.pk}/approve")
    assert response.status_code == 409
    refused = read(response)
    assert "This table was closed" in refused
    assert "/floor" in dict(map(reversed, refused.one("main").links()))


def test_a_held_order_is_refused_with_a_reason_by_one_tap(waiter, held):
    page = floor_of(waiter)
    cancels = f"/orders/{held.pk}/cancel"
    reasons = [button for button in form_of(page, cancels).all("button") if button.get("name") == "reason"]
    assert [button["value"] for button in reasons] == OrderChange.Reason.values
    response = submit(waiter, page, cancels, reason="kitchen_closed")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    held.refresh_from_db()
    change = OrderChange.objects.get()
    assert (held.status, change.kind, change.reason) == ("cancelled", "refused", "kitchen_closed")


def test_what_is_ready_is_carried_and_served(waiter, api, session, soup):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    order = Order.objects.get()
    Order.objects.update(status="ready")
    page = floor_of(waiter)
    assert len(items(page, "Ready to carry")) == 1
    assert "Table 7 Ready" in page
    for _ in range(2):
        response = submit(waiter, page, f"/orders/{order.pk}/status")
        assert (response.status_code, response["Location"]) == (303, "/floor")
        order.refresh_from_db()
        assert order.status == "served"
    assert "Table 7 Served €9.50" in floor_of(waiter)


def test_a_page_that_was_left_open_does_not_serve_what_was_moved_on_since(subtests, waiter, api, session, soup):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    for path, status in product(("/floor", "/floor/tables/7", "/"), ("preparing", "completed")):
        with subtests.test(path=path, status=status):
            Order.objects.update(status="ready", ready_at=timezone.now())
            order = Order.objects.get()
            page = waiter.get(path)
            order_steps.set_status(order_id=str(order.pk), status=status)
            before = Order.objects.values().get()
            refused = submit(waiter, page, f"/orders/{order.pk}/status")
            assert refused.status_code == 409
            assert "Somebody has moved this order on meanwhile." in read(refused)
            assert Order.objects.values().get() == before


def test_who_may_not_work_the_kitchen_serves_nothing(table, session, browser_client):
    user = make_user("Cashiers", "runner")
    user.user_permissions.add(Permission.objects.get(codename="close_session"))
    browser_client.force_login(user)
    order = Order.objects.create(table=table, session=session, status="ready", total=Decimal("5"))
    page = floor_of(browser_client)
    assert "Ready to carry" in page
    assert f"/orders/{order.pk}/status" not in [form.get("action") for form in page.all("form")]


def test_a_section_leaves_the_rest_out_and_says_how_much_waits_there(waiter, table):
    TableCall.objects.create(session=TableSession.objects.create(table=table), kind="waiter")
    TableCall.objects.create(session=TableSession.objects.create(table=make_table(8, "Long room & bar")), kind="bill")
    section = "?section=Long+room+%26+bar"
    page = floor_of(waiter, section)
    assert tables(page) == ["8"]
    assert "1 more in another section" in page
    parts = [page.text.index(words) for words in ("What needs you now", "All Window Long room & bar", "Tables Table 8")]
    assert parts == sorted(parts)  # sections are beside what they choose
    call = TableCall.objects.get(kind="bill")
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert response["Location"] == f"/floor{section}"
    assert len(tables(floor_of(waiter, "?section=Nowhere"))) == 2


def test_a_form_leads_to_pages_of_the_floor_and_the_kitchen_alone(subtests, waiter, session):
    for page in ["//evil.example", "https://evil.example/floor", "/floor/../sign-out", "/floor\n", ""]:
        with subtests.test(page=page):
            call = TableCall.objects.create(session=session, kind="waiter")
            shown = waiter.get("/floor")
            assert submit(waiter, shown, f"/calls/{call.pk}/done", next=page)["Location"] == "/floor"


def test_thirty_busy_tables_take_six_queries(waiter):
    soup, bread = make_item(), make_item("Bread", "4.00")
    for number in range(1, 31):
        session = TableSession.objects.create(table=make_table(number), total_orders=3)
        TableCall.objects.create(session=session, kind="bill")
        for status in ("held", "ready", "pending"):
            order = Order.objects.create(table=session.table, session=session, status=status, total=Decimal("13.50"))
            for position, item in enumerate((soup, bread)):
                order.items.create(menu_item=item, name=item.name, position=position, quantity=1, price=item.price)
    waiter.get("/floor")
    # The page has one more: what needs attention, in its header.
    for accept, most in ((PAGE, 7), ("application/json", 6)):
        with own_queries() as queries:
            assert waiter.get("/floor", headers={"accept": accept}).status_code == 200
        assert len(queries) <= most, "\n".join(queries)


def test_the_floor_is_for_those_who_may_close_tables(browser_client, api, table):
    assert api.get("/floor").status_code == 401
    response = browser_client.get("/floor")
    assert (response.status_code, response["Location"]) == (302, "/sign-in?next=%2Ffloor")
    browser_client.force_login(make_user("Cashiers"))
    assert browser_client.get("/floor").status_code == 403
