"""A table's own page: its party, its bill, and what a waiter does there."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.models import Order, Payment, TableCall, TableSession
from tests.conftest import PAGE, make_table, make_user, order_body, own_queries, unknown_id
from tests.reading import Part
from tests.restaurant.floor.floors import addresses, table_of
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


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
    page = table_of(waiter)
    assert "2 × Ribollita €19.00" in page
    assert "2 × Sourdough & olive oil 1 cancelled €8.50" in page


def test_what_the_kitchen_is_done_with_is_marked_while_it_is_at_the_rest(waiter, placed):
    entry = Order.objects.get().items.get(position=0)
    assert "of 5 done" not in table_of(waiter)
    entry.done_at = timezone.now()
    entry.save()
    page = table_of(waiter)
    assert "2 of 5 done" in page  # pieces, as on the kitchen's displays
    assert "done 2 × Ribollita €19.00" in page
    assert "Sourdough & olive oil €12.75" in page
    Order.objects.update(status="ready")
    page = table_of(waiter)
    assert "2 × Ribollita €19.00" in page
    assert "of 5 done" not in page


def test_what_is_cancelled_is_not_counted_as_done_or_to_do(waiter, placed):
    order = Order.objects.get()
    order.items.filter(position=0).update(done_at=timezone.now(), cancelled_quantity=1)
    order.items.filter(position=1).update(cancelled_quantity=2)
    assert "1 of 2 done" in table_of(waiter)


def test_minutes_are_counted_while_an_order_waits(subtests, waiter, placed):
    for status, is_counted in [
        ("held", True),
        ("pending", True),
        ("preparing", True),
        ("ready", True),
        ("served", False),
        ("cancelled", False),
    ]:
        with subtests.test(status=status, is_counted=is_counted):
            Order.objects.update(status=status)
            orders = table_of(waiter).region("Orders")
            since = timezone.localtime(Order.objects.get().created_at).isoformat()
            counted = [each["datetime"] for each in orders.all("time") if each.get("data-age") is not None]
            assert counted == [since] * is_counted
            assert "ordered " in orders


def test_closing_is_a_quiet_link_that_asks_first_until_nothing_is_due(waiter, placed, session):
    def closing() -> Part:
        return table_of(waiter).one("link", re.compile("^Close table"))

    quiet = closing()
    assert quiet.name == "Close table…"
    Payment.objects.create(session=session, method="cash", amount=Decimal("31.75"))
    assert closing().name == "Close table"
    assert closing()["class"] != quiet["class"]


def test_the_total_stands_below_the_orders_and_what_is_paid_and_due_once_something_is(waiter, placed, session):
    assert table_of(waiter).facts() == {"Total": "€31.75"}
    Payment.objects.create(session=session, method="cash", amount=Decimal("10.00"))
    assert table_of(waiter).facts() == {"Total": "€31.75", "Paid": "€10.00", "Due": "€21.75"}


def test_the_table_says_how_many_it_seats(waiter, placed, table):
    table.capacity = 4
    table.save()
    assert "Window 4 seats since" in table_of(waiter)


def test_the_page_tells_what_happened_by_whom(waiter, floor, placed, session, soup):
    tom = make_user("Floor", "tom")
    tom.first_name = "Tomas"
    tom.save()
    Order.objects.update(placed_by="tom", ready_at=timezone.now(), served_at=timezone.now())
    TableCall.objects.create(session=session, kind="waiter", done_at=timezone.now(), done_by="tom")
    Payment.objects.create(session=session, method="cash", amount=Decimal("10"), taken_by_name="vera")
    page = table_of(waiter)
    story = re.sub(r"\d\d:\d\d ", "", page.region("What happened").text)
    for part in ("Opened", "Ordered: 5 dishes · Tomas", "Called the waiter", "Waiter came · Tomas"):
        assert part in story
    assert "Ready: 5 dishes Served: 5 dishes" in story
    assert "Paid: €10.00, cash · vera" in story
    assert "served by Tomas" in page


def test_looking_at_an_empty_table_opens_no_session(floor, waiter, table):
    empty = {"table": {"number": 7, "section": "Window"}, "session": None, "orders": [], "calls": [], "due": 0}
    assert floor.get("/floor/tables/7").json() == empty
    assert "Nobody sits here." in table_of(waiter)
    assert not TableSession.objects.exists()


def test_a_party_that_was_left_open_is_shown_by_its_id(floor, waiter, table, session):
    left = TableSession.objects.create(
        table=table, started_at=timezone.now() - timedelta(hours=6), total_orders=1, total_revenue=Decimal("8")
    )
    Order.objects.create(table=table, session=left, status="served", total=Decimal("8"))
    assert floor.get("/floor/tables/7").json()["session"]["id"] == str(session.pk)
    assert floor.get(f"/floor/tables/7?sessionId={left.pk}").json()["session"]["id"] == str(left.pk)
    page = table_of(waiter, f"?sessionId={left.pk}")
    assert "This bill was left open" in page
    assert "/floor/tables/7/order" not in addresses(page)  # nobody can order into it
    assert f"/floor/tables/7?sessionId={left.pk}" in addresses(table_of(waiter))


def test_a_party_that_has_moved_is_shown_where_it_is_now(floor, session):
    host = TableSession.objects.create(table=make_table(8))
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    shown = floor.get(f"/floor/tables/7?sessionId={session.pk}").json()
    assert (shown["table"]["number"], shown["session"]["id"]) == (8, str(host.pk))


def test_what_is_not_there_is_404(subtests, floor, table):
    for path in ["/floor/tables/9", "/floor/tables/x", f"/floor/tables/7?sessionId={unknown_id()}"]:
        with subtests.test(path=path):
            assert floor.get(path).status_code == 404


def test_it_is_for_those_who_may_close_tables(api, cashier, table, browser_client):
    assert api.get("/floor/tables/7").status_code == 401
    assert cashier.get("/floor/tables/7").status_code == 403
    assert browser_client.get("/floor/tables/7")["Location"] == "/sign-in?next=%2Ffloor%2Ftables%2F7"


def test_its_page_leads_to_everything_a_waiter_does_there(waiter, placed, session):
    page = table_of(waiter)
    assert addresses(page) >= {
        f"/orders/{placed}/cancel?next=%2Ffloor%2Ftables%2F7",
        f"/table/7/bill?sessionId={session.pk}",
        "/floor/tables/7/order",
        f"/table/7/close?sessionId={session.pk}",
    }
    assert "Bill: €31.75 due" in page
    assert page.text.count("€31.75") == 2  # the total, and on the way to the bill: not with the only order again
    assert "/tables/7/code" not in [form.get("action") for form in page.all("form")]  # a manager's


def test_until_all_is_served_more_is_ordered_and_then_the_bill_is_next(waiter, placed, session):
    def stands_out() -> list[str]:
        """Which of the two looks as the first does while the guests still order."""
        page = table_of(waiter)
        ways = [page.one("link", name) for name in ("Order for guests", re.compile("^Bill"))]
        return [way["href"].partition("?")[0] for way in ways if way["class"] == loud]

    loud = table_of(waiter).one("link", "Order for guests")["class"]
    assert stands_out() == ["/floor/tables/7/order"]
    for status in ("held", "ready"):  # the order's own button comes first
        Order.objects.update(status=status)
        assert stands_out() == []
    Order.objects.update(status="served")
    assert stands_out() == ["/table/7/bill"]
    TableCall.objects.create(session=session, kind="waiter")
    assert stands_out() == ["/table/7/bill"]
    Order.objects.update(status="pending")
    assert stands_out() == ["/floor/tables/7/order"]


def test_what_cannot_be_cancelled_offers_no_cancelling(waiter, placed, session):
    for status, offers in (("completed", True), ("cancelled", False)):  # the first with a manager's password
        Order.objects.update(status=status)
        assert offers is (f"/orders/{placed}/cancel" in waiter.get("/floor/tables/7").content.decode())


def test_a_form_of_the_page_leads_back_to_it(waiter, placed, session):
    call = TableCall.objects.create(session=session, kind="waiter")
    page = table_of(waiter, f"?sessionId={session.pk}")
    response = submit(waiter, page, f"/calls/{call.pk}/done")
    assert response["Location"] == f"/floor/tables/7?sessionId={session.pk}"


def test_the_number_of_orders_does_not_change_the_number_of_queries(waiter, session, soup):
    counts = []
    for _ in range(2):
        for _order in range(5):
            order = Order.objects.create(table=session.table, session=session, total=Decimal("9.50"))
            order.items.create(menu_item=soup, quantity=1, price=soup.price)
            TableSession.objects.create(table=make_table(100 + Order.objects.count()))
        for accept in (PAGE, "application/json"):
            with own_queries() as queries:
                assert waiter.get("/floor/tables/7", headers={"accept": accept}).status_code == 200
            counts.append(len(queries))
    assert counts == [13, 9] * 2
