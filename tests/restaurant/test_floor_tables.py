"""A table's own page: its party, its bill, and what a waiter does there."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from restaurant.models import Order, Payment, TableCall, TableSession
from tests.conftest import PAGE, make_table, make_user, order_body, own_queries, unknown_id
from tests.restaurant.test_floor_page import submit, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiter(browser_client) -> Client:
    browser_client.force_login(make_user("Floor", "vera"))
    return browser_client


@pytest.fixture
def placed(api, session, soup, bread) -> str:
    """Two soups for 9.50 and three breads for 4.25: 31.75."""
    return api.post("/table/7/order", order_body(session, (soup, 2), (bread, 3)), format="json").json()["orderId"]


def test_a_table_is_shown_with_its_party(floor, placed, session):
    TableCall.objects.create(session=session, kind="bill")
    Payment.objects.create(session=session, method="cash", amount=Decimal("10"))
    shown = floor.get("/floor/tables/7").json()
    on_floor = floor.get("/floor").json()
    assert shown["table"] == {"number": 7, "section": "Window"}
    assert shown["session"] == on_floor["tables"][0]["session"]
    assert shown["calls"] == on_floor["calls"]
    assert [(order["orderId"], order["status"], order["total"]) for order in shown["orders"]] == [
        (placed, "pending", 31.75)
    ]
    assert shown["due"] == 21.75


def test_an_orders_dishes_have_what_they_come_to_without_what_is_cancelled(waiter, floor, placed):
    floor.post(
        f"/orders/{placed}/cancel", {"items": [{"position": 1, "quantity": 1}], "reason": "mistake"}, format="json"
    )
    page = text_of(waiter.get("/floor/tables/7").content.decode()).replace("&nbsp;", " ")
    assert "2 × Ribollita €19.00" in page
    assert "2 × Sourdough &amp; olive oil 1 cancelled €8.50" in page


def test_what_the_kitchen_is_done_with_is_marked_while_it_is_at_the_rest(waiter, placed):
    entry = Order.objects.get().items.get(position=0)
    assert "of 5 done" not in text_of(waiter.get("/floor/tables/7").content.decode())
    entry.done_at = timezone.now()
    entry.save()
    page = text_of(waiter.get("/floor/tables/7").content.decode()).replace("&nbsp;", " ")
    assert "2 of 5 done" in page  # pieces, as on the kitchen's displays
    assert "done 2 × Ribollita €19.00" in page
    assert "Sourdough &amp; olive oil €12.75" in page
    Order.objects.update(status="ready")
    page = text_of(waiter.get("/floor/tables/7").content.decode()).replace("&nbsp;", " ")
    assert "2 × Ribollita €19.00" in page
    assert "of 5 done" not in page


def test_what_is_cancelled_is_not_counted_as_done_or_to_do(waiter, placed):
    order = Order.objects.get()
    order.items.filter(position=0).update(done_at=timezone.now(), cancelled_quantity=1)
    order.items.filter(position=1).update(cancelled_quantity=2)
    assert "1 of 2 done" in text_of(waiter.get("/floor/tables/7").content.decode())


@pytest.mark.parametrize(
    ("status", "is_counted"),
    [("held", True), ("pending", True), ("preparing", True), ("ready", True), ("served", False), ("cancelled", False)],
)
def test_minutes_are_counted_while_an_order_waits(waiter, placed, status, is_counted):
    Order.objects.update(status=status)
    page = waiter.get("/floor/tables/7").content.decode()
    since = timezone.localtime(Order.objects.get().created_at).isoformat()
    assert (f'<time class="order-age" datetime="{since}" data-age></time>' in page) is is_counted
    assert "ordered " in text_of(page)


def test_closing_is_a_quiet_link_that_asks_first_until_nothing_is_due(waiter, placed, session):
    def closing() -> tuple[str, bool]:
        page = waiter.get("/floor/tables/7").content.decode()
        part = page.split('id="party-close"')[1].split("</p>")[0]
        return text_of("<p" + part), 'class="button ' in part

    assert closing() == ("Close table…", False)
    Payment.objects.create(session=session, method="cash", amount=Decimal("31.75"))
    assert closing() == ("Close table", True)


def test_the_total_stands_below_the_orders_and_what_is_paid_and_due_once_something_is(waiter, placed, session):
    def sums() -> str:
        return text_of(waiter.get("/floor/tables/7").content.decode().split('id="sums">')[1].split("</dl>")[0])

    assert sums() == "Total €31.75"
    Payment.objects.create(session=session, method="cash", amount=Decimal("10.00"))
    assert sums() == "Total €31.75 Paid €10.00 Due €21.75"


def test_the_table_says_how_many_it_seats(waiter, placed, table):
    table.capacity = 4
    table.save()
    assert "Window 4 seats since" in text_of(waiter.get("/floor/tables/7").content.decode())


def test_guests_are_counted_by_one_tap(waiter, floor, placed, session):
    page = waiter.get("/floor/tables/7").content.decode()
    assert ('aria-pressed="true"' in page, "covers" in floor.get("/floor/tables/7").json()) == (False, False)
    assert submit(waiter, page, "/table/7/covers", covers="3")["Location"] == "/floor/tables/7"
    page = waiter.get("/floor/tables/7").content.decode()
    assert re.findall(r'value="(\d)" aria-pressed="true"', page) == ["3"]
    assert "4 guests" not in text_of(page)
    assert "3 guests" in text_of(page)
    assert "3 guests" in text_of(waiter.get("/floor/tables/7/order").content.decode())
    assert floor.get("/floor/tables/7").json()["covers"] == 3
    assert "covers" not in floor.get("/floor").content.decode()
    submit(waiter, page, "/table/7/covers", covers="")
    session.refresh_from_db()
    assert session.covers is None


def test_guests_who_sit_down_begin_a_session_that_nobody_scanned(floor, table):
    response = floor.post("/table/7/covers", {"covers": 99}, format="json").json()
    session = TableSession.objects.get()
    assert response == {"sessionId": str(session.pk), "tableNumber": 7, "covers": 99}
    assert (session.total_scans, session.covers) == (0, 99)


@pytest.mark.parametrize("covers", [0, 100, "3", True, 2.5])
def test_a_number_of_guests_that_is_none_is_refused(floor, session, covers):
    assert floor.post("/table/7/covers", {"covers": covers}, format="json").status_code == 400


def test_guests_are_counted_by_the_floor_while_they_are_there(floor, cashier, api, session):
    body = {"covers": 2, "sessionId": str(session.pk)}
    refused = [client.post("/table/7/covers", body, format="json").status_code for client in (api, cashier)]
    assert refused == [401, 403]
    TableSession.objects.update(ended_at=timezone.now())
    assert floor.post("/table/7/covers", body, format="json").status_code == 409
    assert TableSession.objects.get().covers is None


@pytest.mark.parametrize(("there", "sum_of_both"), [(None, 3), (2, 5), (98, 99)])
def test_guests_who_join_others_are_added_to_them(floor, session, there, sum_of_both):
    host = TableSession.objects.create(table=make_table(8), covers=there)
    TableSession.objects.filter(pk=session.pk).update(covers=3)
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    host.refresh_from_db()
    session.refresh_from_db()
    assert (host.covers, session.covers) == (sum_of_both, None)


def test_the_page_tells_what_happened_by_whom(waiter, floor, placed, session, soup):
    tom = make_user("Floor", "tom")
    tom.first_name = "Tomas"
    tom.save()
    Order.objects.update(placed_by="tom", ready_at=timezone.now(), served_at=timezone.now())
    TableCall.objects.create(session=session, kind="waiter", done_at=timezone.now(), done_by="tom")
    Payment.objects.create(session=session, method="cash", amount=Decimal("10"), taken_by_name="vera")
    page = waiter.get("/floor/tables/7").content.decode()
    story = re.sub(r"\d\d:\d\d ", "", text_of(page.split('id="story"')[1].split("</section>")[0] + ">"))
    for part in ("Opened", "Ordered: 5 dishes · Tomas", "Called the waiter", "Waiter came · Tomas"):
        assert part in story
    assert "Ready: 5 dishes Served: 5 dishes" in story
    assert "Paid: €10.00, cash · vera" in story
    assert "served by Tomas" in text_of(page)


def test_looking_at_an_empty_table_opens_no_session(floor, waiter, table):
    empty = {"table": {"number": 7, "section": "Window"}, "session": None, "orders": [], "calls": [], "due": 0}
    assert floor.get("/floor/tables/7").json() == empty
    assert "Nobody sits here." in waiter.get("/floor/tables/7").content.decode()
    assert not TableSession.objects.exists()


def test_a_party_that_was_left_open_is_shown_by_its_id(floor, waiter, table, session):
    left = TableSession.objects.create(
        table=table, started_at=timezone.now() - timedelta(hours=6), total_orders=1, total_revenue=Decimal("8")
    )
    Order.objects.create(table=table, session=left, status="served", total=Decimal("8"))
    assert floor.get("/floor/tables/7").json()["session"]["id"] == str(session.pk)
    assert floor.get(f"/floor/tables/7?sessionId={left.pk}").json()["session"]["id"] == str(left.pk)
    page = waiter.get(f"/floor/tables/7?sessionId={left.pk}").content.decode()
    assert "This bill was left open" in page
    assert "/floor/tables/7/order" not in page  # nobody can order into it
    assert f"/floor/tables/7?sessionId={left.pk}" in waiter.get("/floor/tables/7").content.decode()


def test_a_party_that_has_moved_is_shown_where_it_is_now(floor, session):
    host = TableSession.objects.create(table=make_table(8))
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    shown = floor.get(f"/floor/tables/7?sessionId={session.pk}").json()
    assert (shown["table"]["number"], shown["session"]["id"]) == (8, str(host.pk))


@pytest.mark.parametrize("path", ["/floor/tables/9", "/floor/tables/x", f"/floor/tables/7?sessionId={unknown_id()}"])
def test_what_is_not_there_is_404(floor, table, path):
    assert floor.get(path).status_code == 404


def test_it_is_for_those_who_may_close_tables(api, cashier, table, browser_client):
    assert api.get("/floor/tables/7").status_code == 401
    assert cashier.get("/floor/tables/7").status_code == 403
    assert browser_client.get("/floor/tables/7")["Location"] == "/sign-in?next=%2Ffloor%2Ftables%2F7"


def test_its_page_leads_to_everything_a_waiter_does_there(waiter, placed, session):
    page = waiter.get("/floor/tables/7").content.decode()
    for link in (
        f"/orders/{placed}/cancel?next=%2Ffloor%2Ftables%2F7",
        f"/table/7/bill?sessionId={session.pk}",
        "/floor/tables/7/order",
        f"/table/7/close?sessionId={session.pk}",
    ):
        assert f'href="{link}"' in page
    assert "Bill: €31.75 due" in page
    assert page.count("€31.75") == 2  # the total, and on the way to the bill: not with the only order again
    assert "/tables/7/code" not in page  # a manager's


def test_until_all_is_served_more_is_ordered_and_then_the_bill_is_next(waiter, placed, session):
    def filled() -> list[str]:
        actions = waiter.get("/floor/tables/7").content.decode().split('id="party-actions"')[1].split("</div>")[0]
        return re.findall(r'class="button button-wide" href="([^"?]+)', actions)

    assert filled() == ["/floor/tables/7/order"]
    for status in ("held", "ready"):  # the order's own button comes first
        Order.objects.update(status=status)
        assert filled() == []
    Order.objects.update(status="served")
    assert filled() == ["/table/7/bill"]
    TableCall.objects.create(session=session, kind="waiter")
    assert filled() == ["/table/7/bill"]


def test_ordering_stands_out_also_while_the_table_calls(waiter, placed, session):
    TableCall.objects.create(session=session, kind="waiter")
    page = waiter.get("/floor/tables/7").content.decode()
    assert '<a class="button button-wide" href="/floor/tables/7/order">' in page
    assert '<button class="button act" id="done-' in page  # as on the floor


def test_what_cannot_be_cancelled_offers_no_cancelling(waiter, placed, session):
    for status in ("completed", "cancelled"):
        Order.objects.update(status=status)
        assert f"/orders/{placed}/cancel" not in waiter.get("/floor/tables/7").content.decode()


def test_a_form_of_the_page_leads_back_to_it(waiter, placed, session):
    call = TableCall.objects.create(session=session, kind="waiter")
    page = waiter.get(f"/floor/tables/7?sessionId={session.pk}").content.decode()
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert response["Location"] == f"/floor/tables/7?sessionId={session.pk}"


# --- moving -------------------------------------------------------------------------------------------


def test_a_party_moves_to_a_free_table_by_one_tap(waiter, placed, session):
    make_table(8)
    page = waiter.get("/floor/tables/7").content.decode()
    response = submit(waiter, page, "/table/7/move", to="8")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/8")
    session.refresh_from_db()
    assert session.table.table_number == 8
    assert "Nobody sits here." in waiter.get("/floor/tables/7").content.decode()


def test_joining_another_party_is_asked_first(waiter, placed, session):
    host = TableSession.objects.create(table=make_table(8), total_orders=2, total_revenue=Decimal("40"))
    page = waiter.get("/floor/tables/7").content.decode()
    question = f"/floor/tables/7?sessionId={session.pk}&amp;join=8#join"
    assert question in page
    asked = waiter.get(question.replace("&amp;", "&")).content.decode()
    assert "Join the guests at table 8?" in asked
    assert "with 2 orders (€40.00)" in text_of(asked)
    session.refresh_from_db()
    assert session.merged_into is None
    response = submit(waiter, asked, "/table/7/move")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/8")
    session.refresh_from_db()
    assert session.merged_into == host


def test_a_table_that_was_taken_since_the_page_was_opened_is_asked_about(waiter, session):
    table = make_table(8)
    page = waiter.get("/floor/tables/7").content.decode()
    TableSession.objects.create(table=table)
    response = submit(waiter, page, "/table/7/move", to="8")
    assert response["Location"] == f"/floor/tables/7?sessionId={session.pk}&join=8#join"
    session.refresh_from_db()
    assert session.ended_at is None


def test_a_program_is_not_asked(floor, session):
    host = TableSession.objects.create(table=make_table(8))
    response = floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    assert response.json() == {"sessionId": str(host.pk), "tableNumber": 8}


# --- closing, and a new code --------------------------------------------------------------------------


def test_the_question_before_closing_names_what_is_due_and_held(waiter, placed, session):
    Order.objects.create(table=session.table, session=session, status="held", total=Decimal("5"))
    page = waiter.get(f"/table/7/close?sessionId={session.pk}").content.decode()
    assert "€31.75 is not paid yet." in page
    assert "1 order waits for approval." in page
    Payment.objects.create(session=session, method="card", amount=Decimal("31.75"))
    assert "not paid" not in waiter.get(f"/table/7/close?sessionId={session.pk}").content.decode()


def test_a_manager_replaces_the_code_and_prints_the_new_card(browser_client, table):
    browser_client.force_login(make_user("Managers"))
    page = browser_client.get("/floor/tables/7").content.decode()
    assert "stops working at once" in page
    response = submit(browser_client, page, "/tables/7/code")
    assert (response.status_code, response["Location"]) == (303, "/tables/print?numbers=7")
    before = table.qr_analytics_id
    table.refresh_from_db()
    assert table.qr_analytics_id != before


@pytest.mark.parametrize(("accept", "number"), [(PAGE, 13), ("application/json", 8)])
def test_the_number_of_orders_does_not_change_the_number_of_queries(waiter, session, soup, accept, number):
    counts = []
    for _ in range(2):
        for _order in range(5):
            order = Order.objects.create(table=session.table, session=session, total=Decimal("9.50"))
            order.items.create(menu_item=soup, quantity=1, price=soup.price)
            TableSession.objects.create(table=make_table(100 + Order.objects.count()))
        with own_queries() as queries:
            assert waiter.get("/floor/tables/7", headers={"accept": accept}).status_code == 200
        counts.append(len(queries))
    assert counts == [number, number]
