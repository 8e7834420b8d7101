"""What the floor's page says of each table, of those that wait, and of bills that were left open."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.utils import timezone

from restaurant.models import CartLine, Order, TableCall, TableSession
from tests.conftest import make_table, make_user
from tests.reading import read
from tests.restaurant.floor.floors import WAITING, floor_of, items, tables, tile_of
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


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
    tiles = floor_of(waiter).region("Tables")
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
    page = floor_of(waiter)
    assert ["ordered" in tile_of(page, number) for number in range(1, 7)] == [False, True, True, False, False, False]
    for number in range(1, 6):
        assert re.search(r"seated \d\d:\d\d$", tile_of(page, number).text)
    assert "seated" not in tile_of(page, 6)


def test_a_late_order_is_called_late_on_its_tables_page_and_in_the_tile_of_a_table_that_calls(waiter, session, clock):
    TableCall.objects.create(session=session, kind="waiter")
    Order.objects.create(table=session.table, session=session, status="preparing", total=Decimal("5"))

    def said() -> tuple[bool, bool]:
        late = re.search(r"Calls ·? ?late ordered \d\d:\d\d \d\d:\d\d", tile_of(floor_of(waiter), 7).text)
        return bool(late), "Preparing · late" in read(waiter.get("/floor/tables/7"))

    assert said() == (False, False)
    clock(timezone.now())
    Order.objects.update(created_at=timezone.now() - timedelta(minutes=settings.KITCHEN_LATE_MINUTES))
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
    assert "Waiter:" not in tile_of(floor_of(waiter), 7)
    for number, name in enumerate(("", "sara", "tomas", "")):
        at = began + timedelta(minutes=number)
        Order.objects.create(table=table, session=session, total=5, placed_by=name, created_at=at)
    tile = tile_of(floor_of(waiter), 7)
    assert tile.all("time")[-1]["datetime"] == timezone.localtime(began).isoformat()
    assert re.search(r"seated \d\d:\d\d Waiter: tomas$", tile.text)
    Order.objects.filter(placed_by="tomas").update(placed_by="sara")
    assert tile_of(floor_of(waiter), 7).text.endswith("Waiter: Sara")
    TableSession.objects.update(covers=4)
    assert re.search(r"4 guests seated \d\d:\d\d Waiter: Sara$", tile_of(floor_of(waiter), 7).text)
    Order.objects.create(table=table, session=session, total=5, placed_by="has left", created_at=timezone.now())
    assert tile_of(floor_of(waiter), 7).text.endswith("Waiter: has left")
    as_json = waiter.get("/floor", headers={"Accept": "application/json"}).json()
    assert set(as_json["tables"][0]) == {"tableNumber", "section", "capacity", "session"}


def test_what_is_ready_counts_since_it_is_and_the_longest_comes_first(waiter):
    now = timezone.now()
    for number, ordered, ready in ((1, 30, 2), (2, 20, 9)):
        session = TableSession.objects.create(table=make_table(number), total_orders=1)
        times = {"created_at": now - timedelta(minutes=ordered), "ready_at": now - timedelta(minutes=ready)}
        Order.objects.create(table=session.table, session=session, status="ready", total=Decimal("5"), **times)
    page = floor_of(waiter)
    carried = page.one("list", "Ready to carry").all("link", re.compile(r"^Table \d+$"))
    assert [link.name for link in carried] == ["Table 2", "Table 1"]
    times = [each["datetime"] for each in page.one("list", "Ready to carry").all("time")]
    for number in (2, 1):
        since = timezone.localtime(Order.objects.get(table__table_number=number).ready_at).isoformat()
        tile = tile_of(page, number)
        assert since in [each["datetime"] for each in tile.all("time")]
        assert "ordered" not in tile
        assert since in times


def test_a_table_with_allergies_says_so_until_its_guests_leave(waiter, table, session):
    make_table(8)
    order = Order.objects.create(table=table, session=session, status="preparing", total=5, allergies=["nuts"])
    page = floor_of(waiter)
    assert "Allergy" in tile_of(page, 7)
    assert "Allergy" in items(page, WAITING)[0]
    assert "Allergy" not in tile_of(page, 8)
    for status, is_marked in (("ready", True), ("served", True), ("cancelled", False)):
        Order.objects.filter(pk=order.pk).update(status=status)
        page = floor_of(waiter)
        assert ("Allergy" in tile_of(page, 7)) is is_marked
        assert ("Allergies: nuts" in page) is (status == "ready")


def test_a_table_with_dishes_in_a_cart_is_choosing(waiter, session, soup):
    line = CartLine.objects.create(session=session, guest="phone", menu_item=soup)
    assert "Table 7 Choosing" in floor_of(waiter)
    line.delete()
    assert "Table 7 Seated" in floor_of(waiter)


def test_tables_are_shown_by_section_in_the_order_of_their_numbers(waiter):
    for number, section in ((1, "Window"), (2, "Bar"), (3, "Window"), (4, "")):
        make_table(number, section)
    TableSession.objects.create(table=make_table(5, "Bar"))
    page = floor_of(waiter)
    assert tables(page) == ["1", "3", "2", "5", "4"]
    said = [("Window", "0 of 2"), ("Bar", "1 of 2"), ("Other tables", "0 of 1")]
    names = page.region("Tables").names("heading")
    assert names == ["Tables", *(f"{name} {count} with guests" for name, count in said)]


def test_the_tables_that_wait_longest_come_first(waiter):
    for number, minutes in ((1, 3), (2, 20), (3, 9)):
        session = TableSession.objects.create(table=make_table(number))
        at = timezone.now() - timedelta(minutes=minutes)
        Order.objects.create(table=session.table, session=session, total=Decimal("5"), created_at=at)
    assert [item.text.split()[1] for item in items(floor_of(waiter), WAITING)] == ["2", "3", "1"]


def test_a_bill_left_open_leads_to_its_own_bill_and_page(waiter, table):
    began = timezone.now() - timedelta(hours=5)
    left = TableSession.objects.create(table=table, started_at=began, total_orders=1, total_revenue=Decimal("12.50"))
    Order.objects.create(table=table, session=left, status="served", total=Decimal("12.50"))
    page = floor_of(waiter)
    [row] = items(page, "1 bill left open")
    assert re.search(r"Table 7 Left open €12\.50 \d+ \w+, \d\d:\d\d Bill Table 7$", row.text)
    to = [address for _name, address in row.links()]
    assert {f"/table/7/bill?sessionId={left.pk}", f"/floor/tables/7?sessionId={left.pk}"} == set(to)
    tile = tile_of(page, 7)
    assert re.search(r"Table 7 Left open €12\.50 \d\d:\d\d$", tile.text)
    assert [each["datetime"] for each in tile.all("time")] == [timezone.localtime(began).isoformat()]
    assert "Nobody needs you" not in page
    make_table(8)
    assert "0 with guests · 1 left open · 1 free" in floor_of(waiter)
    other = make_table(9, "Bar")
    assert "0 of 2 with guests · 1 left open Table 7" in floor_of(waiter)
    other.delete()
    TableSession.objects.create(table=table)
    page = floor_of(waiter)
    assert "Table 7 Seated" in page
    assert "1 with guests · 1 free" in page
    submit(waiter, waiter.get(f"/table/7/close?sessionId={left.pk}"), "/table/7/close")
    assert "left open" not in floor_of(waiter)


def test_of_many_bills_left_open_the_oldest_are_shown_and_the_others_listed(waiter):
    for number in range(1, 6):
        began = timezone.now() - timedelta(hours=5, minutes=number)
        left = TableSession.objects.create(table=make_table(number), started_at=began, total_revenue=Decimal(5))
        Order.objects.create(table=left.table, session=left, status="served", total=Decimal("5"))
    page = floor_of(waiter)
    for name, numbers in (("5 bills left open", "543"), ("More bills left open", "21")):
        rows = items(page, name)
        assert [row.text.split()[1] for row in rows] == list(numbers)
        assert all(re.search(r" Left open €5\.00 \d+ \w+, \d\d:\d\d Bill Table \d$", row.text) for row in rows)


def test_who_may_not_take_payments_is_led_to_the_party_of_a_bill_left_open(table, browser_client):
    user = make_user("Cashiers", "runner")
    user.user_permissions.set(Permission.objects.filter(codename="close_session"))
    user.groups.clear()
    browser_client.force_login(user)
    left = TableSession.objects.create(table=table, started_at=timezone.now() - timedelta(hours=5))
    Order.objects.create(table=table, session=left, status="served", total=Decimal("5"))
    page = floor_of(browser_client)
    [row] = items(page, "1 bill left open")
    assert {address for _name, address in row.links()} == {f"/floor/tables/7?sessionId={left.pk}"}
    assert not [address for _name, address in page.links() if "/bill" in address]
