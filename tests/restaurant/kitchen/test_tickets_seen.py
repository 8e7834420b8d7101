"""A display tells what it has drawn, and what none has drawn is an alarm."""

from datetime import timedelta

import pytest
from django.utils import timezone

from restaurant.models import Category, Order, OrderItem, Printer, PrintJob, Station
from tests.conftest import make_item, order_body, own_queries

pytestmark = pytest.mark.django_db
HALF_A_MINUTE = timedelta(seconds=30)


@pytest.fixture
def bar(db) -> Station:
    return Station.objects.create(name="The bar", slug="bar")


@pytest.fixture
def spritz(bar):
    item = make_item("Spritz", "9.00", category="Drinks")
    Category.objects.filter(name="Drinks").update(station=bar)
    return item


@pytest.fixture
def ordered(api, session, soup, spritz, clock):
    """Orders a soup, of no station, and a spritz, of the bar."""
    clock(timezone.now())

    def order() -> str:
        body = order_body(session, (soup, 1), (spritz, 1))
        return str(api.post("/table/7/order", body, format="json").json()["orderId"])

    return order


def see(client, *order_ids: str, **where):
    return client.post("/kitchen/seen", {"orderIds": list(order_ids), **where}, format="json")


def alarms(client) -> list:
    needs = client.get("/attention").json()["needs"]
    return [(need["count"], need["text"]) for need in needs if need["kind"] == "unseen"]


def test_what_no_display_has_drawn_for_half_a_minute_is_an_alarm(floor, ordered, clock):
    first = ordered()
    assert see(floor, first).json() == {"seen": 2}
    assert see(floor, first).json() == {"seen": 0}
    second = ordered()
    clock(timezone.now() + HALF_A_MINUTE - timedelta(seconds=1))
    assert alarms(floor) == []
    clock(timezone.now() + timedelta(seconds=1))
    assert alarms(floor) == [(1, "1 order not seen in the kitchen: table 7")]
    see(floor, second, "00000000-0000-4000-8000-000000000000")
    assert alarms(floor) == []


def test_a_station_has_seen_its_entries_and_those_of_none(floor, ordered, clock, bar):
    grill = Station.objects.create(name="The grill", slug="grill")
    order = ordered()
    assert see(floor, order, station=grill.slug).json() == {"seen": 1}
    clock(timezone.now() + HALF_A_MINUTE)
    assert len(alarms(floor)) == 1
    [unseen] = floor.get("/floor").json()["unseen"]
    assert (unseen["orderId"], unseen["tableNumber"], unseen["station"]) == (order, 7, "bar")
    assert see(floor, order, station=bar.slug).json() == {"seen": 1}
    assert "unseen" not in floor.get("/floor").json()
    assert see(floor, order, station="oven").status_code == 404


def test_without_a_display_that_tells_nobody_is_alarmed(floor, ordered, clock):
    order = ordered()
    clock(timezone.now() + HALF_A_MINUTE)
    assert alarms(floor) == []
    see(floor, order)
    ordered()
    clock(timezone.now() + timedelta(days=1))
    assert alarms(floor) == []


def test_a_printed_docket_counts_as_seen_by_what_it_has(floor, ordered, clock, bar):
    see(floor, ordered())
    Printer.objects.create(name="Bar", host="127.0.0.1", station=bar)
    everything = Printer.objects.create(name="Pass", host="127.0.0.1")
    ordered()
    clock(timezone.now() + HALF_A_MINUTE)
    jobs = PrintJob.objects.all()
    jobs.filter(printer__station=bar).update(state="printed", printed_at=timezone.now())
    assert len(alarms(floor)) == 1  # the soup is on no paper
    jobs.filter(printer=everything).update(state="printed", printed_at=timezone.now())
    assert alarms(floor) == []


def test_what_is_done_or_cancelled_or_held_alarms_nobody(floor, ordered, clock):
    see(floor, ordered())
    held = ordered()
    Order.objects.filter(pk=held).update(status="held")
    done = ordered()
    clock(timezone.now() + HALF_A_MINUTE)
    floor.post(f"/orders/{done}/items/0/done", {"done": True}, format="json")
    assert len(alarms(floor)) == 1
    floor.post(f"/orders/{done}/cancel", {"reason": "mistake", "items": [{"position": 1}]}, format="json")
    assert alarms(floor) == []
    floor.post(f"/orders/{held}/approve")
    assert alarms(floor) == []
    clock(timezone.now() + HALF_A_MINUTE)
    assert len(alarms(floor)) == 1


def test_only_the_kitchen_says_what_it_has_seen(api, cashier, ordered):
    order = ordered()
    assert [see(client, order).status_code for client in (api, cashier)] == [401, 403]
    assert not OrderItem.objects.exclude(seen_at=None).exists()


def test_seeing_is_no_change_of_an_order(floor, ordered, clock):
    order = ordered()
    with own_queries() as queries:
        see(floor, order)
    assert not any("pg_notify" in query for query in queries)


def test_a_ticket_is_put_first_and_back_among_the_others(floor, cashier, ordered, clock):
    earlier = ordered()
    clock(timezone.now() + timedelta(seconds=1))
    later = ordered()
    prioritise = f"/orders/{later}/prioritise"

    def shown() -> list:
        tickets = floor.get("/kitchen").json()["orders"]
        return [(ticket["orderId"], ticket.get("prioritised")) for ticket in tickets]

    assert shown() == [(earlier, None), (later, None)]
    first = floor.post(prioritise).json()
    assert (first["prioritised"], floor.post(prioritise).json()) == (True, first)
    assert shown() == [(later, True), (earlier, None)]
    assert "prioritised" not in floor.post(prioritise, {"on": False}, format="json").json()
    assert shown() == [(earlier, None), (later, None)]
    floor.post(f"/orders/{later}/status", {"status": "served"}, format="json")
    assert [client.post(prioritise).status_code for client in (floor, cashier)] == [409, 403]
