"""The lines of a docket."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from restaurant.kitchen.printing.characters import printable
from restaurant.menu.models import Allergen
from restaurant.ordering.models import Order, OrderItem, Printer, PrintJob, TableMove
from web import venue

INDENT = 4  # characters


@dataclass(frozen=True, slots=True)
class Line:
    """A line of PRINTABLE characters. `width` and `height` are multiples of those of normal letters."""

    text: str
    width: int = 1
    height: int = 1
    bold: bool = False
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """Makes lines that fit on the paper, which has room for `columns` normal letters in a line."""

    columns: int

    def lines(self, text: str, *, indent: int = 0, hang: int = 0, width: int = 1, **style: Any) -> Iterator[Line]:
        """The text in as many lines as it needs, those after the first indented by `hang` more.

        Smaller where a word has no room in `width`.
        """
        text, first, rest = printable(text), " " * indent, " " * (indent + hang)
        width = self._fitting(text, width, margin=indent + hang)
        room = self.columns // width
        wrapped = textwrap.wrap(text, room, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
        return (Line(line, width=width, **style) for line in wrapped)

    def band(self, text: str, *, width: int = 2) -> Iterator[Line]:
        """White on black, over the whole line."""
        text = printable(text)
        width = self._fitting(text, width, margin=2)
        room = self.columns // width
        for line in textwrap.wrap(text, room - 2, break_on_hyphens=False):
            yield Line(line.center(room), width=width, height=2, bold=True, inverted=True)

    def _fitting(self, text: str, width: int, *, margin: int) -> int:
        """The largest width up to this one at which the longest word fits."""
        longest = max(map(len, text.split()), default=0)
        return next((fitting for fitting in range(width, 1, -1) if longest <= self.columns // fitting - margin), 1)

    def ends(self, text: str, amount: str, **style: Any) -> Iterator[Line]:
        """The text, and at the other end of its last line what it comes to."""
        *before, last = textwrap.wrap(printable(text), self.columns - len(printable(amount)) - 1) or [""]
        yield from (Line(line, **style) for line in before)
        yield Line(last + printable(amount).rjust(self.columns - len(last)), **style)

    def rule(self) -> Line:
        return Line("-" * self.columns)


def docket(job: PrintJob, *, is_copy: bool) -> list[Line]:
    """The docket of a job, as the order is now; empty where nothing is left to print. Papers of the till are as made.

    Of `job.order` its table, items and their stations are read, of `job.move` its tables.
    """
    if job.order is None:
        with translation.override(settings.LANGUAGE_CODE):
            copy = list(_copy(Paper(job.printer.columns), is_copy or job.is_copy))
        return [*copy, *(Line(*line) for line in job.lines)]
    if job.move:
        return _moved(job.move, job.printer, is_copy=is_copy)
    if job.kind == PrintJob.Kind.CANCELLED:
        return _cancelled(job.order, job.printer, job.cancelled_items, is_copy=is_copy)
    if job.kind == PrintJob.Kind.COURSE:
        return _fired(job, job.order, is_copy=is_copy)
    return _ordered(job.order, job.printer, is_copy=is_copy)


def unreadable(job: PrintJob) -> list[Line]:
    """A notice in place of a docket that can't be made: the kitchen has to know that there is an order."""
    paper = Paper(job.printer.columns)
    table = job.order.table.table_number if job.order else "?"
    return [
        *paper.band(_("SEE DISPLAY")),
        *paper.lines(_("Table %(number)s") % {"number": table}, width=3, height=3, bold=True),
        *paper.lines(_("This docket could not be printed. Please read the order on the display.")),
    ]


def _fired(job: PrintJob, order: Order, *, is_copy: bool) -> list[Line]:
    paper = Paper(job.printer.columns)
    fired = [item for item in order.items.all() if item.fired_at == job.created_at and item.remaining]
    own = [item for item in fired if _is_for(job.printer, item)]
    if not own:
        return []
    courses = ", ".join(str(course) for course in sorted({item.course for item in own if item.course}))
    lines = [*_copy(paper, is_copy), *paper.band(_("Course %(courses)s now") % {"courses": courses})]
    if order.allergies:
        lines += paper.band(_("ALLERGY: %(allergens)s") % {"allergens": _allergens(order.allergies)})
    lines += [*_header(paper, order), paper.rule(), *_entries(paper, own)]
    return [*lines, *_footer(paper, job.created_at, job.printer)]


def _ordered(order: Order, printer: Printer, *, is_copy: bool) -> list[Line]:
    paper = Paper(printer.columns)
    left = [item for item in order.items.all() if item.remaining]
    own = [item for item in left if _is_for(printer, item)]
    if not own:
        return []
    lines: list[Line] = [*_copy(paper, is_copy)]
    if order.status in (Order.Status.SERVED, Order.Status.COMPLETED):
        lines += paper.band(_("SERVED ALREADY"))
    if order.allergies:
        lines += paper.band(_("ALLERGY: %(allergens)s") % {"allergens": _allergens(order.allergies)})
    lines += _header(paper, order)
    if elsewhere := _stations(item for item in left if item not in own):
        lines += paper.lines(_("also: %(stations)s") % {"stations": ", ".join(elsewhere)}, height=2)
    lines += [paper.rule(), *_entries(paper, own)]
    return [*lines, *_footer(paper, order.created_at, printer)]


def _cancelled(order: Order, printer: Printer, parts: list[dict[str, int]], *, is_copy: bool) -> list[Line]:
    paper = Paper(printer.columns)
    quantities = {part["position"]: part["quantity"] for part in parts}
    items = [(item, quantities[item.position]) for item in order.items.all() if item.position in quantities]
    own = [(item, quantity) for item, quantity in items if _is_for(printer, item)]
    if not own:
        return []
    lines = [*_copy(paper, is_copy), *paper.band(_("CANCELLED")), *_header(paper, order), paper.rule()]
    for number, (item, quantity) in enumerate(own):
        lines += [Line("")] if number else []
        lines += _dish(paper, item, quantity)
        lines += _still_to_make(paper, order, printer, item)
    return [*lines, *_footer(paper, order.created_at, printer)]


def _still_to_make(paper: Paper, order: Order, printer: Printer, cancelled: OrderItem) -> Iterator[Line]:
    """The numbers that are left of exactly this, and of the same dish with other options or another note."""
    same = others = 0
    for item in order.items.all():
        is_same_dish = item.menu_item_id == cancelled.menu_item_id and _is_for(printer, item)
        if is_same_dish and order.is_cooking and item.done_at is None:
            if (item.options, item.special_instructions) == (cancelled.options, cancelled.special_instructions):
                same += item.remaining
            else:
                others += item.remaining
    left = _("still to make: %(count)s") % {"count": same} if same else _("none left to make")
    yield from paper.lines(f"({left})", indent=INDENT, hang=1, height=2)
    if others:
        other = _("others of this dish still to make: %(count)s") % {"count": others}
        yield from paper.lines(f"({other})", indent=INDENT, hang=1, height=2)


def _moved(move: TableMove, printer: Printer, *, is_copy: bool) -> list[Line]:
    paper = Paper(printer.columns)
    tables = {"old": move.from_table.table_number, "new": move.to_table.table_number}
    return [
        *_copy(paper, is_copy),
        *paper.band(_("MOVED")),
        *paper.lines(_("Table %(old)s is now %(new)s") % tables, width=2, height=3, bold=True),
        *paper.lines(f"{timezone.localtime(move.at):%H:%M} {move.user_name}", height=2),
        *_footer(paper, move.at, printer),
    ]


def _is_for(printer: Printer, item: OrderItem) -> bool:
    return printer.station_id is None or item.station_id == printer.station_id


def _stations(items: Iterable[OrderItem]) -> list[str]:
    """The names of the items' stations; items of no station come last, as “others”."""
    stations = {item.station for item in items}
    names = sorted(station.name for station in stations if station)
    return [*names, _("others")] if None in stations else names


def _copy(paper: Paper, is_copy: bool) -> Iterator[Line]:
    return paper.band(str(PrintJob.COPY)) if is_copy else iter(())


def _header(paper: Paper, order: Order) -> Iterator[Line]:
    table = _("Table %(number)s") % {"number": order.table.table_number}
    yield from paper.lines(table, width=3, height=3, bold=True)
    placed = timezone.localtime(order.approved_at or order.created_at)
    facts = [f"{placed:%H:%M}", order.called, order.placed_by]
    yield from paper.lines(" ".join(filter(None, facts)), height=2)


def _entries(paper: Paper, items: Iterable[OrderItem]) -> Iterator[Line]:
    """What is to be made now, then what waits for its course."""
    for number, item in enumerate(sorted(items, key=lambda item: item.waits)):
        yield from [Line("")] if number else []
        if item.waits:
            yield from paper.lines(_("LATER: course %(course)s") % {"course": item.course}, bold=True)
        yield from _dish(paper, item, item.remaining)
        if item.alert:
            yield from paper.band(f"!! {_allergens(item.alert)} !!", width=1)


def _dish(paper: Paper, item: OrderItem, quantity: int) -> Iterator[Line]:
    count = f"{quantity} x "
    yield from paper.lines(count + item.display_name, hang=len(count), height=2, bold=True)
    for option in item.options:
        yield from paper.lines(f"+ {option['name']}", indent=INDENT, hang=2, height=2)
    if item.special_instructions.strip():
        note = f'{item.order.note_words} "{item.special_instructions}"'
        yield from paper.lines(note.strip(), indent=INDENT, hang=1, height=2)


def _footer(paper: Paper, at: datetime, printer: Printer) -> Iterator[Line]:
    yield paper.rule()
    yield from paper.lines(venue.name(), width=2, height=2)
    yield from paper.lines(f"{timezone.localtime(at).date()} {printer.name}")


def _allergens(allergens: Iterable[str]) -> str:
    labels = {value: str(label) for value, label in Allergen.choices}
    return ", ".join(labels.get(allergen, allergen) for allergen in allergens).upper()
