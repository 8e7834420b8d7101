"""What is on a docket, and that nothing in it can command the printer."""

from datetime import UTC, datetime

import pytest

from restaurant.kitchen.printing.characters import PRINTABLE, printable
from restaurant.kitchen.printing.escpos import to_bytes
from restaurant.kitchen.printing.layout import Line, docket
from restaurant.models import Order, OrderItem, Printer, PrintJob, Station, TableSession
from tests.conftest import make_item, make_table
from tests.restaurant.kitchen.fake_printer import COMMANDS, CUT

pytestmark = pytest.mark.django_db

PLACED = datetime(2026, 6, 5, 17, 42, tzinfo=UTC)


@pytest.fixture
def grill() -> Station:
    return Station.objects.create(name="Grill", slug="grill")


@pytest.fixture
def bar() -> Station:
    return Station.objects.create(name="Bar", slug="bar")


@pytest.fixture
def order(grill, bar, settings) -> Order:
    settings.TIME_ZONE, settings.VENUE_NAME = "Europe/Lisbon", "Fig & Fennel"
    table = make_table(12)
    order = Order.objects.create(
        id="3f2a1c00-0000-4000-8000-000000000000",
        table=table,
        session=TableSession.objects.create(table=table),
        total="90.00",
        created_at=PLACED,
        placed_by="anna",
        allergies=["nuts", "milk"],
    )
    add(order, 0, "Flat Iron Steak", 2, grill, options=["Medium rare", "Fries with truffle mayonnaise and parmesan"])
    slow = "Slow-roasted shoulder of salt marsh lamb with rosemary"
    note = "no salt please, and the sauce on the side if that is possible"
    add(order, 1, slow, 3, grill, cancelled=2, note=note, alert=["milk"])
    add(order, 2, "Negroni", 2, bar)
    add(order, 3, "Chips", 1, grill, cancelled=1)
    return order


def add(order, position, name, quantity, station=None, *, options=(), cancelled=0, note="", alert=()) -> OrderItem:
    return OrderItem.objects.create(
        order=order,
        position=position,
        menu_item=make_item(f"Dish {position}"),
        name=name,
        quantity=quantity,
        cancelled_quantity=cancelled,
        special_instructions=note,
        price="10.00",
        options=[{"id": "x", "name": each, "price": "0.00"} for each in options],
        alert=list(alert),
        station=station,
    )


def lines(order: Order, *, columns: int = 48, station: Station | None = None, is_copy: bool = False, **job):
    name = f"{station or 'Pass'} {columns}"
    printer, _ = Printer.objects.get_or_create(name=name, host="10.0.0.9", columns=columns, station=station)
    return docket(PrintJob(order=order, printer=printer, **job), is_copy=is_copy)


def text(found: list[Line]) -> str:
    """Bands between hashes; how they are centred says nothing."""
    return "\n".join(f"# {line.text.strip()} #" if line.inverted else line.text for line in found)


WIDE = """\
# ALLERGY: NUTS, MILK #
Table 12
18:42 #3F2A1C anna
also: Bar
------------------------------------------------
2 x Flat Iron Steak
    + Medium rare
    + Fries with truffle mayonnaise and parmesan

1 x Slow-roasted shoulder of salt marsh lamb
    with rosemary
    "no salt please, and the sauce on the side
     if that is possible"
# !! MILK !! #
------------------------------------------------
Fig & Fennel
2026-06-05 Grill 48"""

NARROW = """\
# COPY #
# ALLERGY: NUTS, MILK #
Table 12
18:42 #3F2A1C anna
------------------------------------------
2 x Flat Iron Steak
    + Medium rare
    + Fries with truffle mayonnaise and
      parmesan

1 x Slow-roasted shoulder of salt marsh
    lamb with rosemary
    "no salt please, and the sauce on the
     side if that is possible"
# !! MILK !! #

2 x Negroni
------------------------------------------
Fig & Fennel
2026-06-05 Pass 42"""

SLIP = """\
# CANCELLED #
Table 12
18:42 #3F2A1C anna
------------------------------------------------
2 x Slow-roasted shoulder of salt marsh lamb
    with rosemary
    "no salt please, and the sauce on the side
     if that is possible"
    (still to make: 1)

1 x Chips
    (none left to make)
------------------------------------------------
Fig & Fennel
2026-06-05 Grill 48"""


def test_a_station_gets_its_entries_and_reads_who_else_is_at_it(order, grill, bar):
    assert text(lines(order, station=grill)) == WIDE
    drinks = text(lines(order, station=bar))
    assert "2 x Negroni" in drinks
    assert "also: Grill" in drinks
    assert "Steak" not in drinks


def test_a_printer_without_a_station_gets_everything_also_on_narrow_paper_and_as_a_copy(order):
    assert text(lines(order, columns=42, is_copy=True)) == NARROW


def test_a_slip_says_what_was_cancelled_and_how_many_are_still_to_make(order, grill, bar):
    cancelled = {
        "kind": PrintJob.Kind.CANCELLED,
        "cancelled_items": [{"position": 1, "quantity": 2}, {"position": 3, "quantity": 1}],
    }
    assert text(lines(order, station=grill, **cancelled)) == SLIP
    assert lines(order, station=bar, **cancelled) == []


def test_a_slip_tells_three_burgers_apart(order, grill):
    burger = make_item("Hamburger")
    order.items.all().delete()
    for position, (note, options) in enumerate([("no onion", []), ("", ["Rare"]), ("", ["Rare"]), ("no bun", [])]):
        add(order, position, "Hamburger", 1, grill, note=note, options=options, cancelled=position < 2)
    order.items.update(menu_item=burger)

    def slip(position: int) -> list[str]:
        part = {"position": position, "quantity": 1}
        found = lines(order, station=grill, kind=PrintJob.Kind.CANCELLED, cancelled_items=[part])
        return [line.text.strip() for line in found[4:-3]]

    others = "(others of this dish still to make: %d)"
    assert slip(0) == ["1 x Hamburger", '"no onion"', "(none left to make)", others % 2]
    assert slip(1) == ["1 x Hamburger", "+ Rare", "(still to make: 1)", others % 1]
    order.items.filter(position=3).update(done_at=PLACED)
    order = Order.objects.get(pk=order.pk)
    assert slip(1)[2:] == ["(still to make: 1)"]
    order.status = "served"
    assert slip(1)[2:] == ["(none left to make)"]


def test_nothing_is_left_to_print_of_what_is_cancelled_and_what_was_served_says_so(order, bar):
    order.status = "served"
    assert "SERVED ALREADY" in text(lines(order, station=bar))
    order.items.filter(station=bar).update(cancelled_quantity=2)
    assert lines(Order.objects.get(pk=order.pk), station=bar) == []


def test_no_line_is_longer_than_the_paper(subtests, order):
    add(order, 4, "Donaudampfschifffahrtsgesellschaftskapitänsmützenschokoladentorte", 99, note="x" * 300)
    for columns in (42, 48):
        with subtests.test(columns=columns):
            found = lines(order, columns=columns, is_copy=True)
            assert max(len(line.text) * line.width for line in found) <= columns
            assert [line for line in found if line.inverted and len(line.text) * line.width < columns - 1] == []
            table = next(line for line in found if line.text == "Table 12")
            assert (table.width, table.height, table.bold) == (3, 3, True)


def test_a_word_that_has_no_room_in_large_letters_is_printed_in_smaller_ones(subtests, order, settings):
    for columns, width in [(48, 2), (42, 1)]:
        with subtests.test(columns=columns, width=width):
            settings.VENUE_NAME = "Zur Hochgebirgsbewirtschaft"
            found = [(line.text, line.width) for line in lines(order, columns=columns)[-3:-1]]
            assert ("Hochgebirgsbewirtschaft" in found[-1][0], found[-1][1]) == (True, width)


def test_every_language_can_be_read_or_says_where_it_can(subtests):
    for written, printed in [
        ("Crème brûlée, Käsespätzle, jalapeño ß €5", "Crème brûlée, Käsespätzle, jalapeño ß €5"),
        ("“well done” – it’s…", "“well done” – it’s…"),
        ("Żurek, łosoś", "Żurek, łosoś"),
        ("Μουσακάς Борщ", "Μουσακάς Борщ"),
        ("Пюре, сіль, ґрунт", "Пюре, сiль, грунт"),
        ("Phở bò tái, ﬁne", "Pho bò tái, fine"),
        ("🌶️ hot 👍🏽", "(hot pepper) hot (thumbs up sign)"),
        ("麻婆豆腐 not spicy", "[see display] not spicy"),
    ]:
        with subtests.test(written=written, printed=printed):
            assert printable(written) == printed
            assert b"?" not in to_bytes([Line(printed)])


def test_every_character_that_counts_as_printable_is_on_a_page_of_the_printer():
    assert [each for each in PRINTABLE - {"?"} if b"?" in to_bytes([Line(each)])] == []


def test_no_text_of_a_guest_reaches_the_printer_as_a_command(order):
    for evil in ("\x1b@", "\x1dV\x01", "\x10\x04\x01", "\x1bp\x01\x19\xfa", "\x9b\x85\u2028\r\n\x7f"):
        order.placed_by = f"an{evil}na"
        order.items.all().delete()
        add(order, 4, f"So{evil}up", 1, options=[f"wa{evil}rm"], note=f"no{evil}w", alert=[f"nu{evil}ts"])
        order.table.section = evil
        sent = to_bytes(lines(order))
        assert sent.count(CUT) == 1, evil
        left = COMMANDS.sub(b"", sent.replace(CUT, b""))
        assert {byte for byte in left if byte < 32 or byte == 127} == {ord("\n")}, evil
        assert b"\x1bp" not in sent
