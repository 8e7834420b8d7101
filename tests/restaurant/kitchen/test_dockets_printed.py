"""Dockets on printers that are off, slow, without paper or break off: printed once, or marked as a copy."""

import signal
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from restaurant import events
from restaurant.kitchen import queries as kitchen_queries
from restaurant.kitchen.printing import jobs, unready_printers, waiting
from restaurant.models import Order, OrderItem, Printer, PrintJob, Station, TableSession
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.restaurant.kitchen.printing import (
    IMPATIENT,
    QUICK,
    cancel,
    is_connected,
    print_tickets,
    printing,
    state,
    wait_for_error,
    wait_until_printed,
)
from tests.servers import PATIENCE, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def device() -> Iterator[FakePrinter]:
    made = FakePrinter()
    yield made
    made.off()


@pytest.fixture
def printer(db, device) -> Printer:
    return Printer.objects.create(name="Pass", host="127.0.0.1", port=device.port)


@pytest.fixture
def session(db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def soup(db):
    return make_item()


@pytest.fixture
def order(session, soup) -> Callable[..., PrintJob]:
    """An order with a docket for a printer, as the services make it."""

    def place(printer: Printer, name: str = "Soup", quantity: int = 1, station: Station | None = None) -> PrintJob:
        with transaction.atomic():
            placed = Order.objects.create(table=session.table, session=session, total="9.50")
            OrderItem.objects.create(
                order=placed, menu_item=soup, name=name, quantity=quantity, price="9.50", station=station
            )
            events.new_order(placed.pk)
            return PrintJob.objects.create(order=placed, printer=printer)

    return place


def test_a_printer_that_was_off_while_50_orders_came_prints_each_once_and_delays_no_other(printer, device, order):
    device.off()
    other_device = FakePrinter()
    other = Printer.objects.create(name="Bar", host="127.0.0.1", port=other_device.port)
    with printing():
        placed = [order(printer, f"Dish {number:02}.") for number in range(50)]
        drink = order(other, "Negroni")
        wait_until_printed(drink)
        wait_for_error(placed[0], "can't be reached")
        device.on()
        wait_until_printed(*placed)
        late = order(printer, "Dessert")
        wait_until_printed(late)
    other_device.off()
    texts = device.texts()
    assert [text.split("x ")[1].split("\n")[0] for text in texts] == [f"Dish {n:02}." for n in range(50)] + ["Dessert"]
    assert not any("COPY" in text for text in texts)
    assert {state(job) for job in placed} == {("printed", 1, "")}
    assert len(other_device.dockets) == 1


def test_what_a_guest_orders_and_staff_cancel_is_printed(printer, device, session, soup, api):
    bread = make_item("Focaccia", allergens={"milk": "contains"})
    body = order_body(session, (soup, 3), (bread, 1)) | {"allergies": ["milk"]}
    body["items"][0]["specialInstructions"] = "hot"
    with printing():
        placed = api.post("/table/7/order", body, format="json").json()
        device.wait_for(1)
        part = {"reason": "sold_out", "items": [{"position": 0, "quantity": 1}]}
        cancelled = signed_in(make_user("Floor")).post(f"/orders/{placed['orderId']}/cancel", part, format="json")
        assert cancelled.status_code == 200
        docket, slip = device.wait_for(2)
    assert "Table 7" in docket
    assert f"#{placed['orderId'][:6].upper()}" in docket
    for text in ("ALLERGY: MILK", "3 x Ribollita", '"hot"', "1 x Focaccia", "!! MILK !!"):
        assert text in docket
    for text in ("CANCELLED", "1 x Ribollita", "(still to make: 2)"):
        assert text in slip
    assert "Focaccia" not in slip


def test_a_connection_that_breaks_in_a_docket_leads_to_a_copy(printer, device, order):
    device.breaks_after = 100
    first, second = order(printer, "Soup"), order(printer, "Steak")
    with printing():
        wait_until_printed(first, second)
    soup, steak = device.texts()
    assert "COPY" in soup
    assert "Soup" in soup
    assert "COPY" not in steak
    assert (first.attempts, state(first)[1], state(second)[1]) == (0, 2, 1)


def test_without_paper_or_with_an_open_cover_nothing_is_sent_and_the_docket_is_no_copy(printer, device, order):
    device.has_paper = False
    job = order(printer)
    with printing():
        wait_for_error(job, "out of paper")
        assert unready_printers(QUICK) == {"Pass": "The printer is out of paper."}
        device.has_paper, device.cover_is_open = True, True
        wait_for_error(job, "cover is open")
        assert device.dockets == []
        device.cover_is_open = False
        wait_until_printed(job)
    assert state(job) == ("printed", 1, "")
    assert "COPY" not in device.texts()[0]
    assert unready_printers(QUICK) == {}


def test_paper_that_ends_in_a_docket_leads_to_a_copy_when_there_is_paper_again(printer, device, order):
    device.runs_out_after = 1
    first, second = order(printer, "Soup"), order(printer, "Steak")
    with printing():
        wait_for_error(second, "out of paper")
        assert state(first)[0] == "printed"
        device.has_paper = True
        wait_until_printed(second)
    assert ["COPY" in text for text in device.texts()] == [False, True]


def test_a_printer_that_answers_no_status_gets_no_docket_that_would_be_printed_for_ever(printer, device, order):
    device.answers = False
    job = order(printer)
    with printing(IMPATIENT):
        wait_for_error(job, "does not answer")
        assert device.dockets == []
        device.answers = True
        wait_until_printed(job)
    assert len(device.dockets) == 1


def test_a_slow_printer_and_one_that_does_not_say_when_it_has_printed_print_once(printer, device, order):
    device.delay, device.knows_is_printed = 0.05, False
    placed = [order(printer), order(printer)]
    with printing(IMPATIENT):
        wait_until_printed(*placed)
    assert [state(job)[1] for job in placed] == [1, 1]
    assert len(device.dockets) == 2


def test_a_printer_that_falls_silent_about_a_docket_prints_it_again_as_a_copy(printer, device, order):
    with printing(IMPATIENT):
        wait_until_printed(order(printer))
        device.knows_is_printed = False
        job = order(printer)
        wait_for_error(job, "did not say")
        device.knows_is_printed = True
        wait_until_printed(job)
    _first, second, *copies = device.texts()
    assert "COPY" not in second
    assert copies
    assert all("COPY" in text for text in copies)


@pytest.mark.slow
def test_a_process_that_is_killed_in_a_docket_leaves_a_copy_to_another_one_which_ends_when_told(printer, device, order):
    device.delay = 0.4
    job = order(printer)
    both = [print_tickets(), print_tickets()]
    try:
        device.wait_for(1)  # its bytes are there, and nobody has stored that
        killed = next(each for each in both if is_connected(each.pid, device.port))
        killed.kill()
        killed.wait(PATIENCE)
        assert state(job)[:2] == ("waiting", 1)
        device.delay = 0
        wait_until_printed(job)
        assert ["COPY" in text for text in device.texts()] == [False, True]
        (left,) = set(both) - {killed}
        left.send_signal(signal.SIGTERM)
        assert left.wait(PATIENCE) == 0
    finally:
        for each in both:
            each.kill()
            each.wait(PATIENCE)


@pytest.mark.race
def test_of_two_that_print_each_docket_comes_once_and_the_other_goes_on_when_one_ends(printer, device, order):
    device.delay = 0.01
    placed = [order(printer, f"Dish {number:02}.") for number in range(12)]
    with printing() as first, printing():
        wait_until_printed(*placed[:6])
        first.stop()
        wait_until_printed(*placed)
        more = [order(printer) for _ in range(4)]
        wait_until_printed(*more)
    assert len(device.dockets) == 16
    assert not any("COPY" in text for text in device.texts())


def test_a_lost_database_is_found_again_and_nothing_is_printed_twice(printer, device, order):
    with printing():
        first = order(printer)
        wait_until_printed(first)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        second = order(printer)
        wait_until_printed(second)
    assert len(device.dockets) == 2


def test_a_printed_docket_that_could_not_be_stored_is_stored_later_and_not_printed_again(
    printer, device, order, monkeypatch
):
    store, failures = jobs.set_printed, iter([True, True])

    def failing(*arguments):
        if next(failures, False):
            raise OperationalError("away")
        store(*arguments)

    monkeypatch.setattr(jobs, "set_printed", failing)
    job = order(printer)
    with printing():
        wait_until_printed(job)
    assert len(device.dockets) == 1


def test_what_is_cancelled_while_the_printer_is_off_is_left_out_and_needs_no_slip(printer, device, order):
    device.off()
    with printing():
        part, whole = order(printer, "Steak", quantity=3), order(printer, "Soup")
        slips = [cancel(part, 2), cancel(whole, 1)]
        wait_for_error(part, "can't be reached")
        device.on()
        wait_until_printed(part)
        wait_for(lambda: state(whole)[0] == "dropped", "the cancelled one")
        later = cancel(part, 1)
        wait_until_printed(later)
    assert [state(slip)[0] for slip in slips] == ["dropped", "dropped"]
    docket, slip = device.texts()
    assert "1 x Steak" in docket
    assert "CANCELLED" in slip
    assert "(none left to make)" in slip


def test_dockets_of_an_inactive_printer_wait_for_an_hour_and_are_then_given_up(printer, device, order):
    other_device = FakePrinter()
    other = Printer.objects.create(name="Bar", host="127.0.0.1", port=other_device.port)
    fresh, old = order(printer), order(printer)
    PrintJob.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(minutes=61))
    Printer.objects.filter(pk=printer.pk).update(active=False)
    with printing():
        wait_for(lambda: state(old)[0] == "dropped", "the old one")
        assert state(fresh)[0] == "waiting"
        Printer.objects.filter(pk=printer.pk).update(active=True)
        wait_until_printed(fresh)
        Printer.objects.filter(pk=printer.pk).update(active=False)
        unseen = order(printer)
        assert waiting() == 0
        wait_until_printed(order(other))  # so what waits was looked for since
        assert state(unseen)[0] == "waiting"
    other_device.off()


def test_a_docket_that_cannot_be_made_points_to_the_display_and_the_next_is_printed(printer, device, order):
    strange = order(printer)
    strange.order.items.update(options=[{"nonsense": True}])
    fine = order(printer)
    with printing():
        wait_until_printed(strange, fine)
    assert "SEE DISPLAY" in device.texts()[0]


@pytest.mark.django_db
def test_late_dockets_are_listed_by_printer(printer, device, order):
    now = timezone.now()
    bar = Printer.objects.create(name="Bar", host="127.0.0.1", port=1)
    for job, seconds, error in [(order(printer), 40, "first"), (order(printer), 31, ""), (order(bar), 29, "")]:
        PrintJob.objects.filter(pk=job.pk).update(created_at=now - timedelta(seconds=seconds), error=error)
    (late,) = kitchen_queries.late_dockets(now)
    assert (late.printer, late.count, late.error) == ("Pass", 2, "first")
    assert late.since == now - timedelta(seconds=40)
    assert waiting() == 3
    Printer.objects.update(active=False)
    assert kitchen_queries.late_dockets(now) == []
