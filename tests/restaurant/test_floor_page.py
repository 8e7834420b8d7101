"""The floor's page: what needs a waiter first, then every table; with forms that work without JavaScript."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from restaurant.models import CartLine, Order, OrderChange, OrderingRules, TableCall, TableSession
from restaurant.services import order_steps
from tests.conftest import PAGE, make_item, make_table, make_user, order_body, own_queries
from tests.restaurant.test_cart_without_javascript import hidden

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiter(browser_client) -> Client:
    browser_client.force_login(make_user("Floor"))
    return browser_client


def text_of(page: str) -> str:
    """What is read on the page, without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)).split())


def submit(client: Client, page: str, action: str, **fields: str):
    """Send the form of the page with this action, with its hidden fields."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form, f"no form for {action}"
    names = re.findall(r'<input type="hidden" name="(\w+)"', form[0])
    return client.post(action, {name: hidden(form[0], name) for name in names} | fields)


@pytest.fixture
def held(api, session, soup) -> Order:
    OrderingRules(gate="approved").save()
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    return Order.objects.get()


def test_a_quiet_floor_says_so(waiter, table):
    page = text_of(waiter.get("/floor").content.decode())
    assert "Nobody needs you at the moment." in page
    assert "Table 7 Free" in page
    assert "0 with guests · 1 free" in page


def test_a_restaurant_without_tables_says_so(waiter):
    assert "There are no tables yet" in waiter.get("/floor").content.decode()


def test_a_call_is_done_by_one_tap(waiter, session):
    call = TableCall.objects.create(session=session, kind="bill")
    page = waiter.get("/floor").content.decode()
    assert "7 Wants the bill" in text_of(page)
    assert f"/table/7/bill?sessionId={session.pk}" in page
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    call.refresh_from_db()
    assert call.done_by == "floor"
    assert "Wants the bill" not in waiter.get("/floor").content.decode()


def test_a_held_order_is_shown_with_its_dishes_and_approved(waiter, held):
    page = waiter.get("/floor").content.decode()
    assert "€19.00" in page
    assert re.search(r"2\s*× Ribollita", text_of(page.replace("&nbsp;", " ")))
    assert "Table 7 To approve" in text_of(page)
    response = submit(waiter, page, f"/orders/{held.pk}/approve")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    held.refresh_from_db()
    assert held.status == "pending"


def test_what_can_not_be_approved_any_more_says_why_and_leads_back(waiter, held):
    page = waiter.get("/floor").content.decode()
    TableSession.objects.update(ended_at=timezone.now())
    response = submit(waiter, page, f"/orders/{held.pk}/approve")
    assert response.status_code == 409
    assert "This table was closed" in response.content.decode()
    assert 'href="/floor"' in response.content.decode()


def test_a_held_order_is_refused_with_a_reason_by_one_tap(waiter, held):
    page = waiter.get("/floor").content.decode()
    for reason in OrderChange.Reason.values:
        assert re.search(rf'<button[^>]*name="reason" value="{reason}"', page)
    response = submit(waiter, page, f"/orders/{held.pk}/cancel", reason="kitchen_closed")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    held.refresh_from_db()
    change = OrderChange.objects.get()
    assert (held.status, change.kind, change.reason) == ("cancelled", "refused", "kitchen_closed")


def test_what_is_ready_is_carried_and_served(waiter, api, session, soup):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    order = Order.objects.get()
    Order.objects.update(status="ready")
    page = waiter.get("/floor").content.decode()
    assert "Ready to carry" in page
    assert "Table 7 Ready" in text_of(page)
    response = submit(waiter, page, f"/orders/{order.pk}/status")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    order.refresh_from_db()
    assert order.status == "served"
    assert "Table 7 Served €9.50" in text_of(waiter.get("/floor").content.decode())


@pytest.mark.parametrize("status", ["preparing", "completed"])
@pytest.mark.parametrize("path", ["/floor", "/floor/tables/7", "/"])
def test_a_page_that_was_left_open_does_not_serve_what_was_moved_on_since(waiter, api, session, soup, path, status):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    Order.objects.update(status="ready", ready_at=timezone.now())
    order = Order.objects.get()
    page = waiter.get(path).content.decode()
    order_steps.set_status(order_id=str(order.pk), status=status)
    before = Order.objects.values().get()
    refused = submit(waiter, page, f"/orders/{order.pk}/status")
    assert refused.status_code == 409
    assert "Somebody has moved this order on meanwhile." in text_of(refused.content.decode())
    assert Order.objects.values().get() == before


def test_served_twice_is_served(waiter, api, session, soup):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    Order.objects.update(status="ready")
    order = Order.objects.get()
    page = waiter.get("/floor").content.decode()
    assert [submit(waiter, page, f"/orders/{order.pk}/status").status_code for _ in range(2)] == [303, 303]


def test_who_may_not_work_the_kitchen_serves_nothing(table, session, browser_client):
    from django.contrib.auth.models import Permission

    user = make_user("Cashiers", "runner")
    user.user_permissions.add(Permission.objects.get(codename="close_session"))
    browser_client.force_login(user)
    Order.objects.create(table=table, session=session, status="ready", total=Decimal("5"))
    page = browser_client.get("/floor").content.decode()
    assert "Ready to carry" in page
    assert "/status" not in page


def test_tables_say_their_state_in_words(waiter):
    states = {
        1: ("Free", None),
        2: ("Seated", ""),
        3: ("Ordered", "pending"),
        4: ("Preparing", "preparing"),
        5: ("Ready", "ready"),
        6: ("Served", "served"),
        7: ("To approve", "held"),
    }
    for number, (_word, status) in states.items():
        table = make_table(number)
        if status is None:
            continue
        session = TableSession.objects.create(table=table, total_orders=bool(status) and status != "held")
        if status:
            Order.objects.create(table=table, session=session, status=status, total=Decimal("5"))
    TableCall.objects.create(session=TableSession.objects.create(table=make_table(8)), kind="waiter")
    page = text_of(waiter.get("/floor").content.decode())
    tiles = page[page.index("Tables Table 1") :]
    for number, (word, _status) in states.items():
        assert f"Table {number} {word}" in tiles
    assert "Table 8 Calls" in tiles


def test_tiles_say_what_their_minutes_count_where_their_state_does_not(waiter):
    now = timezone.now()
    for number, status in ((1, ""), (2, "preparing"), (3, "ready"), (4, "served")):
        session = TableSession.objects.create(table=make_table(number), total_orders=1, started_at=now)
        if status:
            Order.objects.create(table=session.table, session=session, status=status, total=Decimal("5"))
    TableCall.objects.create(session=TableSession.objects.create(table=make_table(5)), kind="waiter")
    make_table(6)
    page = waiter.get("/floor").content.decode()
    said = {number: re.findall(r'tile-counted">(\w+)', tile_of(page, number)) for number in range(1, 7)}
    assert said == {1: [], 2: ["ordered"], 3: ["ordered"], 4: [], 5: [], 6: []}
    for number in range(1, 6):
        assert re.search(r"seated \d\d:\d\d$", text_of(f"<{tile_of(page, number)}"))
    assert "seated" not in tile_of(page, 6)


def test_a_late_order_is_called_late_on_its_tables_page_and_in_the_tile_of_a_table_that_calls(waiter, session):
    TableCall.objects.create(session=session, kind="waiter")
    Order.objects.create(table=session.table, session=session, status="preparing", total=Decimal("5"))

    def said() -> tuple[bool, bool]:
        floor, table = (waiter.get(path).content.decode() for path in ("/floor", "/floor/tables/7"))
        late = re.search(r"Calls · late ordered \d\d:\d\d \d\d:\d\d", text_of(f"<{tile_of(floor, 7)}"))
        return bool(late), "Preparing · late" in text_of(table)

    assert said() == (False, False)
    Order.objects.update(created_at=timezone.now() - timedelta(minutes=settings.KITCHEN_LATE_MINUTES, seconds=1))
    assert said() == (True, True)
    Order.objects.update(status="ready")
    assert said() == (False, False)


def test_a_tile_says_since_when_its_party_sits_and_who_took_their_latest_order(waiter, table, session):
    make_user("Floor", "tomas")
    sara = make_user("Floor", "sara")
    sara.first_name = "Sara"
    sara.save()
    began = timezone.now() - timedelta(minutes=48)
    TableSession.objects.update(started_at=began)
    assert "tile-waiter" not in waiter.get("/floor").content.decode()
    for number, name in enumerate(("", "sara", "tomas", "")):
        at = began + timedelta(minutes=number)
        Order.objects.create(table=table, session=session, total=5, placed_by=name, created_at=at)
    tile = tile_of(waiter.get("/floor").content.decode(), 7)
    assert f'seated <time datetime="{timezone.localtime(began).isoformat()}" data-age' in tile
    assert text_of(f"<{tile}").endswith("Waiter: tomas")
    Order.objects.filter(placed_by="tomas").update(placed_by="sara")
    assert text_of(f"<{tile_of(waiter.get('/floor').content.decode(), 7)}").endswith("Waiter: Sara")
    TableSession.objects.update(covers=4)
    assert re.search(
        "4 guests · seated .* Waiter: Sara$", text_of(f"<{tile_of(waiter.get('/floor').content.decode(), 7)}")
    )
    Order.objects.create(table=table, session=session, total=5, placed_by="has left", created_at=timezone.now())
    assert text_of(f"<{tile_of(waiter.get('/floor').content.decode(), 7)}").endswith("Waiter: has left")
    as_json = waiter.get("/floor", headers={"Accept": "application/json"}).json()
    assert set(as_json["tables"][0]) == {"tableNumber", "section", "capacity", "session"}


def tile_of(page: str, number: int) -> str:
    return page.split(f'id="tile-{number}"')[1].split("</li>", 1)[0]


def test_what_is_ready_counts_since_it_is_and_the_longest_comes_first(waiter):
    now = timezone.now()
    for number, ordered, ready in ((1, 30, 2), (2, 20, 9)):
        session = TableSession.objects.create(table=make_table(number), total_orders=1)
        times = {"created_at": now - timedelta(minutes=ordered), "ready_at": now - timedelta(minutes=ready)}
        Order.objects.create(table=session.table, session=session, status="ready", total=Decimal("5"), **times)
    page = waiter.get("/floor").content.decode()
    orders = [Order.objects.get(table__table_number=number) for number in (2, 1)]
    assert re.findall(r'id="ready-([0-9a-f-]+)"', page) == [str(order.pk) for order in orders]
    for order in orders:
        since = f'datetime="{timezone.localtime(order.ready_at).isoformat()}"'
        tile = tile_of(page, order.table.table_number)
        assert since in tile
        assert "tile-counted" not in tile
        assert since in page.split(f'id="ready-{order.pk}"')[1].split("</li>")[0]


def test_a_table_with_allergies_says_so_until_its_guests_leave(waiter, table, session):
    make_table(8)
    order = Order.objects.create(table=table, session=session, status="preparing", total=5, allergies=["nuts"])
    page = waiter.get("/floor").content.decode()
    assert "Allergy" in tile_of(page, 7)
    assert "Allergy" in page.split('id="waiting-7"')[1].split("</li>")[0]
    assert "Allergy" not in tile_of(page, 8)
    for status, is_marked in (("ready", True), ("served", True), ("cancelled", False)):
        Order.objects.filter(pk=order.pk).update(status=status)
        page = waiter.get("/floor").content.decode()
        assert ("Allergy" in tile_of(page, 7)) is is_marked
        assert ("Allergies: nuts" in text_of(page)) is (status == "ready")


def test_a_table_with_dishes_in_a_cart_is_choosing(waiter, session, soup):
    line = CartLine.objects.create(session=session, guest="phone", menu_item=soup)
    assert "Table 7 Choosing" in text_of(waiter.get("/floor").content.decode())
    line.delete()
    assert "Table 7 Seated" in text_of(waiter.get("/floor").content.decode())


def test_tables_are_shown_by_section_in_the_order_of_their_numbers(waiter):
    for number, section in ((1, "Window"), (2, "Bar"), (3, "Window"), (4, "")):
        make_table(number, section)
    TableSession.objects.create(table=make_table(5, "Bar"))
    page = waiter.get("/floor").content.decode()
    assert re.findall(r'id="tile-(\d+)"', page) == ["1", "3", "2", "5", "4"]
    names = re.findall(r'<h3 class="area-name".*?</h3>', page, re.DOTALL)
    said = [("Window", "0 of 2"), ("Bar", "1 of 2"), ("Other tables", "0 of 1")]
    assert list(map(text_of, names)) == [f"{name} {count} with guests" for name, count in said]


def test_the_tables_that_wait_longest_come_first(waiter):
    for number, minutes in ((1, 3), (2, 20), (3, 9)):
        session = TableSession.objects.create(table=make_table(number))
        at = timezone.now() - timedelta(minutes=minutes)
        Order.objects.create(table=session.table, session=session, total=Decimal("5"), created_at=at)
    page = waiter.get("/floor").content.decode()
    assert re.findall(r'id="waiting-(\d+)"', page) == ["2", "3", "1"]


def test_a_bill_left_open_leads_to_its_own_bill_and_page(waiter, table):
    began = timezone.now() - timedelta(hours=5)
    left = TableSession.objects.create(table=table, started_at=began, total_orders=1, total_revenue=Decimal("12.50"))
    Order.objects.create(table=table, session=left, status="served", total=Decimal("12.50"))
    page = waiter.get("/floor").content.decode()
    assert "1 bill left open" in page
    assert f"/table/7/bill?sessionId={left.pk}" in page
    assert f"/floor/tables/7?sessionId={left.pk}" in page
    assert re.search(r"Table 7 Left open €12\.50 \d\d:\d\d$", text_of(f"<{tile_of(page, 7)}"))
    row = page.split('id="now"')[1].split(f'id="left-{left.pk}"')[1].split("</li>")[0]
    assert re.search(r"Table 7 Left open €12\.50 \d+ \w+, \d\d:\d\d Bill Table 7$", text_of(f"<{row}"))
    assert "Nobody needs you" not in page
    assert f'datetime="{timezone.localtime(began).isoformat()}"' in tile_of(page, 7)
    make_table(8)
    assert "0 with guests · 1 left open · 1 free" in text_of(waiter.get("/floor").content.decode())
    other = make_table(9, "Bar")
    assert " 0 of 2 with guests · 1 left open Table 7" in text_of(waiter.get("/floor").content.decode())
    other.delete()
    TableSession.objects.create(table=table)
    page = text_of(waiter.get("/floor").content.decode())
    assert "Table 7 Seated" in page
    assert "1 with guests · 1 free" in page
    submit(waiter, waiter.get(f"/table/7/close?sessionId={left.pk}").content.decode(), "/table/7/close")
    assert "left open" not in waiter.get("/floor").content.decode()


def test_of_many_bills_left_open_the_oldest_are_shown_and_the_others_listed(waiter):
    for number in range(1, 6):
        began = timezone.now() - timedelta(hours=5, minutes=number)
        left = TableSession.objects.create(table=make_table(number), started_at=began, total_revenue=Decimal(5))
        Order.objects.create(table=left.table, session=left, status="served", total=Decimal("5"))
    page = waiter.get("/floor").content.decode()
    assert "5 bills left open" in page
    at_once, more = page.split('id="left-open-more"')
    for part, numbers in ((at_once, ["5", "4", "3"]), (more.split("</details>")[0], ["2", "1"])):
        rows = re.findall(r'<li class="need need-left.*?</li>', part, re.DOTALL)
        assert [text_of(row).split()[1] for row in rows] == numbers
        assert all(re.search(r" Left open €5\.00 \d+ \w+, \d\d:\d\d Bill Table \d$", text_of(row)) for row in rows)


def test_who_may_not_take_payments_is_led_to_the_party_of_a_bill_left_open(table, browser_client):
    from django.contrib.auth.models import Permission

    user = make_user("Cashiers", "runner")
    user.user_permissions.set(Permission.objects.filter(codename="close_session"))
    user.groups.clear()
    browser_client.force_login(user)
    left = TableSession.objects.create(table=table, started_at=timezone.now() - timedelta(hours=5))
    Order.objects.create(table=table, session=left, status="served", total=Decimal("5"))
    page = browser_client.get("/floor").content.decode()
    assert f'id="left-{left.pk}"' in page
    assert f"/floor/tables/7?sessionId={left.pk}" in page
    assert "/bill" not in page


def test_a_section_leaves_the_rest_out_and_says_how_much_waits_there(waiter, table):
    TableCall.objects.create(session=TableSession.objects.create(table=table), kind="waiter")
    TableCall.objects.create(session=TableSession.objects.create(table=make_table(8, "Long room & bar")), kind="bill")
    page = waiter.get("/floor?section=Long+room+%26+bar").content.decode()
    assert re.findall(r'id="tile-(\d+)"', page) == ["8"]
    assert "1 more in another section" in page
    assert page.index('id="now"') < page.index('id="sections"') < page.index('id="areas"')  # beside what it chooses
    call = TableCall.objects.get(kind="bill")
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert response["Location"] == "/floor?section=Long+room+%26+bar"
    assert len(re.findall(r'id="tile-(\d+)"', waiter.get("/floor?section=Nowhere").content.decode())) == 2


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example/floor", "/floor/../sign-out", "/floor\n", ""])
def test_a_form_leads_to_pages_of_the_floor_and_the_kitchen_alone(waiter, session, page):
    call = TableCall.objects.create(session=session, kind="waiter")
    shown = waiter.get("/floor").content.decode()
    assert submit(waiter, shown, f"/calls/{call.pk}/done", next=page)["Location"] == "/floor"


@pytest.mark.parametrize("accept", [PAGE, "application/json"])
def test_thirty_busy_tables_take_six_queries(waiter, accept):
    soup, bread = make_item(), make_item("Bread", "4.00")
    for number in range(1, 31):
        session = TableSession.objects.create(table=make_table(number), total_orders=3)
        TableCall.objects.create(session=session, kind="bill")
        for status in ("held", "ready", "pending"):
            order = Order.objects.create(table=session.table, session=session, status=status, total=Decimal("13.50"))
            for position, item in enumerate((soup, bread)):
                order.items.create(menu_item=item, position=position, quantity=1, price=item.price)
    waiter.get("/floor")
    with own_queries() as queries:
        response = waiter.get("/floor", headers={"accept": accept})
    assert response.status_code == 200
    # The page has one more: what needs attention, in its header.
    assert len(queries) <= 6 + (accept == PAGE), "\n".join(queries)


def test_the_floor_is_for_those_who_may_close_tables(browser_client, table):
    response = browser_client.get("/floor")
    assert (response.status_code, response["Location"]) == (302, "/sign-in?next=%2Ffloor")
    browser_client.force_login(make_user("Cashiers"))
    assert browser_client.get("/floor").status_code == 403
