"""The front page of staff: what needs attention, and acting on it."""

from datetime import datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from restaurant.models import Order, OrderItem, TableCall, TableSession
from tests.config.front_page.evening import at, begin, page_of, sell
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _friday_evening(clock, settings):
    begin(clock, settings)


def addresses(page: Part) -> list[str]:
    return [address for _name, address in page.links()]


def actions(page: Part) -> list[str]:
    """Where its forms are sent."""
    return [form.get("action") or "" for form in page.all("form")]


def waiting(page: Part) -> list[str]:
    return page.region("What needs attention").texts("item")


def test_what_needs_attention_is_that_of_the_header_with_where_and_since_when(session):
    session.table.section = "Terrace"
    session.table.save()
    call = TableCall.objects.create(session=session, kind="waiter", created_at=at(20, 18, 24))
    sell(session, at(20, 18), "10", "held")
    page = page_of("Floor")
    header = page.one("group", "What needs attention").links()
    assert header == [("Table 7 calls", "/floor#now"), ("1 order to approve: table 7", "/floor#now")]
    assert waiting(page) == [
        "Table 7 Calls the waiter Terrace · 18:24 Done Table 7",
        "Table 7 Order to approve Terrace · 18:00",
    ]
    sell(session, at(20, 17), "10", "held")
    sell(session, at(20, 18, 12), "10", "preparing")
    assert waiting(page_of("Managers"))[1:] == [
        "Table 7 2 orders to approve Terrace · 17:00",
        "Table 7 Late in the kitchen Terrace · ordered 18:12",
    ]
    for number in (8, 9, 10):
        sell(TableSession.objects.create(table=make_table(number)), at(20, 18, number), "10", "preparing")
    assert waiting(page_of("Cashiers", "work_kitchen")) == ["Table 8, 9, 10 … 4 late in the kitchen ordered 18:08"]
    assert f"/floor/tables/7?sessionId={session.pk}" in addresses(page)
    assert f"/calls/{call.pk}/done" in actions(page)


def test_what_no_display_has_drawn_is_not_to_be_approved(session):
    sell(session, at(20, 18, 25), "10", "pending")
    soup = {"menu_item": make_item(), "name": "Soup", "price": "5.00", "order": Order.objects.get()}
    OrderItem.objects.create(**soup, position=0, seen_at=at(20, 18, 26))
    OrderItem.objects.create(**soup, position=1)
    assert waiting(page_of("Kitchen"))[0] == "Table 7 Not seen in the kitchen Window · 18:25"


def test_cashiers_are_told_of_nothing(session):
    sell(session, at(20, 18), "10", "held")
    assert "attention" not in page_of("Cashiers")


def test_a_call_is_answered_on_the_page(session):
    call = TableCall.objects.create(session=session, kind="bill")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor", "vera"))
    assert waiting(read(client.get("/")))[0].startswith("Table 7 Wants the bill")
    response = client.post(f"/calls/{call.pk}/done", {"next": "/"})
    assert (response.status_code, response["Location"]) == (303, "/")
    call.refresh_from_db()
    assert call.done_by == "vera"
    assert "Nothing needs attention." in read(client.get("/")).region("What needs attention")


def test_what_is_to_be_carried_needs_attention_the_longest_first(session):
    for number, ready in ((8, 18), (9, 12)):
        party = TableSession.objects.create(table=make_table(number))
        times = {"created_at": at(20, 18), "ready_at": at(20, 18, ready)}
        Order.objects.create(session=party, table=party.table, total=Decimal("5"), status="ready", **times)
    for group in ("Floor", "Managers"):
        assert waiting(page_of(group)) == [
            "Table 9 Ready to carry Window · 18:12 Served Table 9",
            "Table 8 Ready to carry Window · 18:18 Served Table 8",
        ]


def test_what_one_order_is_to_carry_is_served_there(session):
    order = Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor"))
    page = read(client.get("/"))
    assert waiting(page) == ["Table 7 Ready to carry Window · 18:30 Served Table 7"]
    assert f"/orders/{order.pk}/status" in actions(page)
    response = client.post(f"/orders/{order.pk}/status", {"status": "served", "next": "/"})
    assert (response.status_code, response["Location"]) == (303, "/")
    order.refresh_from_db()
    assert order.status == "served"


def test_the_dishes_to_carry_are_named_without_cancelled_ones(session):
    order = Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    for position, (name, quantity, cancelled) in enumerate((("Ragu", 3, 1), ("Spritz", 1, 0), ("Toast", 2, 2))):
        item = make_item(name=name)
        order.items.create(
            menu_item=item, name=name, position=position, quantity=quantity, cancelled_quantity=cancelled, price=5
        )
    assert waiting(page_of("Floor")) == [
        "Table 7 Ready to carry Window · 18:30 2 × Ragu, 1 × Spritz Served Table 7 3 dishes 2 × Ragu 1 × Spritz"
    ]


def test_of_many_orders_to_carry_the_first_are_shown(session):
    for _ in range(5):
        Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    shown = waiting(page_of("Floor"))
    assert shown == ["Table 7 Ready to carry Window · 18:30 Served Table 7"] * 3 + ["2 more orders to carry"]


def test_who_may_not_work_the_kitchen_is_led_to_what_is_to_carry(session):
    Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    page = page_of("Cashiers", "close_session")
    assert waiting(page) == ["Table 7 Ready to carry Window · 18:30"]
    assert not [each for each in actions(page) if each.endswith("/status")]


def test_what_needs_attention_comes_before_the_figures(session):
    sell(session, at(20, 12), "30")
    for group in ("Floor", "Managers"):
        headings = page_of(group).names("heading")
        figures = [headings.index(each) for each in ("Today", "On the floor now") if each in headings]
        assert headings.index("What needs attention") < min(figures), group


def leave_open(number: int, began: datetime, total: str) -> TableSession:
    party = TableSession.objects.create(table=make_table(number), started_at=began, total_revenue=Decimal(total))
    sell(party, began, total)
    return party


def test_a_bill_left_open_needs_attention_and_leads_to_it(session):
    left = leave_open(10, at(20, 13, 12), "109")
    TableSession.objects.create(table=make_table(11), started_at=at(20, 13))  # ordered nothing
    TableSession.objects.create(table=make_table(12), started_at=at(20, 13), ended_at=at(20, 14))
    for group in ("Floor", "Managers"):
        page = page_of(group)
        assert waiting(page) == ["Table 10 Left open €109.00 Window · 20 Nov, 13:12 Bill Table 10"]
        assert f"/table/10/bill?sessionId={left.pk}" in addresses(page)
        assert f"/floor/tables/10?sessionId={left.pk}" in addresses(page)
    user = make_user("Floor", "runner")
    user.groups.clear()
    user.user_permissions.add(Permission.objects.get(codename="close_session"))
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    assert waiting(read(client.get("/"))) == ["Table 10 Left open €109.00 Window · 20 Nov, 13:12"]
    assert "left open" not in page_of("Cashiers")


def test_a_bill_beside_which_another_party_has_sat_down_is_left_open(session):
    sell(session, at(20, 18, 20), "20")
    assert waiting(page_of("Floor")) == []
    TableSession.objects.create(table=session.table, started_at=at(20, 18, 31))
    assert [each.split(" €")[0] for each in waiting(page_of("Managers"))] == ["Table 7 Left open"]


def test_of_many_bills_left_open_the_oldest_are_shown_by_one_statement():
    for number in range(1, 6):
        leave_open(number, at(20, 13, number), "5")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor"))
    with own_queries() as queries:
        shown = waiting(read(client.get("/")))
    assert [each.split(" Left")[0] for each in shown] == ["Table 1", "Table 2", "Table 3", "More bills left open"]
    assert sum('"restaurant_tablesession"."total_revenue"' in query for query in queries) == 1


def test_of_many_calls_the_first_are_shown():
    for number in range(1, 8):
        party = TableSession.objects.create(table=make_table(number))
        TableCall.objects.create(session=party, kind="waiter", created_at=at(20, 18, number))
    shown = waiting(page_of("Floor"))
    assert [each.split(" Calls")[0] for each in shown[:5]] == [f"Table {number}" for number in range(1, 6)]
    assert shown[5:] == ["2 more calls"]
