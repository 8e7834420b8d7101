"""The page of a day."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from babel.dates import format_date
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.gateway import Given
from restaurant.billing.models import Payment
from restaurant.billing.queries import Tax
from restaurant.menu.models import OTHER
from restaurant.ordering.models import OrderChange
from restaurant.reports import EVERY_ORDER
from restaurant.reports.day import GUEST, Day, OpenBill, Sales
from web.choices import day_text, week_before_text
from web.formats import locale
from web.reporting import Column, PageData, Table, Tile, average, clauses, compared, with_count, zone_words
from web.templatetags.money import clock
from web.templatetags.reports import shown

NOTHING = Decimal("0.00")
NBSP = "\xa0"


def page(report: Day, before: Sales, given: Given | None, *, names: Mapping[str, str], now: datetime) -> PageData:
    """`names`: the full names of users, which the page shows; the CSV has their user names. `given`: to members."""
    taxes, payments, cancelled = _taxes(report), _payments(report), _cancelled(report, {})
    open_bills, takers = _open_bills(report.open_bills), _takers(report, {})
    is_first = bool(report.orders and not (before.orders or before.sessions))
    sales, paid, tips, due, *others = tiles = [replace(each, is_first=is_first) for each in _tiles(report, before, now)]
    loyalty = _given(given) if given else []
    return {
        "heading": day_text(report.date),
        "sentence": _sentence(report, before, now),
        "is_today": report.began <= now < report.ended,
        "since": report.began,
        "until": max(min(report.ended, now), report.began),
        "as_of": now,
        "is_first": is_first,
        "compared_with": week_before_text(report.date, is_running=report.ended > now),
        "day": report.date.isoformat(),
        "earlier": (report.date - timedelta(days=1)).isoformat(),
        "today": timezone.localdate(now).isoformat(),
        "yesterday": (timezone.localdate(now) - timedelta(days=1)).isoformat(),
        "later": (report.date + timedelta(days=1)).isoformat() if report.ended <= now else "",
        "lines": f"{reverse('report_lines')}?{urlencode({'from': report.date, 'to': report.date})}",
        "tiles": [*tiles, *loyalty],
        "main_tiles": [sales, paid, due, tips],
        "other_tiles": [
            *(_since_when(each) for each in [*others[:2], *_compared(others[2:], before, sales.period)]),
            *loyalty,
        ],
        "day_name": _day_name(report.date, timezone.localdate(now)),
        "cash": _taken(report, Payment.Method.CASH),
        "card": _taken(report, Payment.Method.CARD),
        "tables": [taxes, payments, cancelled, open_bills, takers],
        "taxes_table": taxes,
        "payments_table": replace(payments, note=_cash_note(report)),
        "cancelled_table": _cancelled_of_the_page(report, names),
        "open_table": _open_bills(sorted(report.open_bills, key=lambda each: not each.has_left), are_named=True),
        "takers_table": _takers(report, names),
        "categories_table": _categories(report),
        "notes": [
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            EVERY_ORDER,
            _("Prices include VAT. It is computed from the day's sales at each rate."),
            _("Payments and cancellations count on the day they are made, whenever the order was placed."),
            _("Voided payments are left out, and so are orders that were refused before the kitchen had them."),
            _("Open bills are those of table sessions that started on this day, as they are now."),
            *(
                [_("A reward counts on the day it is handed out; its points on the day they were used.")]
                if given
                else []
            ),
        ],
    }


def _day_name(day: date, today: date) -> str:
    if day == today:
        return _("Today")
    return _("Yesterday") if day == today - timedelta(days=1) else format_date(day, "medium", locale=locale())


def _taken(report: Day, method: str) -> Decimal:
    """What the drawer or the terminal has of the day, tips included."""
    taken = (each for each in report.payments if each.method == method)
    return sum((each.amount + each.tips for each in taken), NOTHING)


def _cash_note(report: Day) -> str:
    cash = _taken(report, Payment.Method.CASH)
    return _("Cash taken, tips included: %(amount)s.") % {"amount": shown(cash, "money")} if cash else ""


def _sentence(report: Day, before: Sales, now: datetime) -> str:
    if not report.orders:
        return _("No orders yet on this day.") if report.ended > now else _("No orders on this day.")
    orders = with_count(ngettext("%(count)s order", "%(count)s orders", report.orders), report.orders)
    sold = _("%(revenue)s from %(orders)s") % {"revenue": shown(report.gross, "money"), "orders": orders}
    is_running = report.ended > now
    week = _("a week ago by this time") if is_running else _("the same day a week before")
    change = compared(report.gross, before.gross, week)
    bills = len(report.open_bills)
    still_open = ngettext("%(count)s bill is still open", "%(count)s bills are still open", bills)
    return clauses(
        f"{sold}, {change}" if change else sold,
        with_count(still_open, bills) if bills else _("every bill is paid"),
    )


def _tiles(report: Day, before: Sales, now: datetime) -> list[Tile]:
    week = _("A week ago by this time") if report.ended > now else _("A week before")
    number = sum(each.count for each in report.payments)
    payments = with_count(ngettext("%(count)s payment", "%(count)s payments", number), number)
    payments = _("%(payments)s, %(voided)s") % {"payments": payments, "voided": _voided(report)}
    changes = len(report.cancellations)
    cancelled = ngettext("%(count)s cancellation", "%(count)s cancellations", changes) % {
        "count": shown(changes, "number")
    }
    cancelled = cancelled if changes else _("Nothing")
    bills = len(report.open_bills)
    open_bills = with_count(ngettext("%(count)s open bill", "%(count)s open bills", bills), bills)
    open_bills = open_bills if bills else ""
    gone = sum(each.has_left for each in report.open_bills)
    if gone:
        left = ngettext("%(count)s party has left", "%(count)s parties have left", gone) % {
            "count": shown(gone, "number")
        }
        # On a phone it breaks between the two.
        open_bills = "; ".join(each.replace(" ", NBSP) for each in (open_bills, left))
    return [
        Tile(_("Sales"), report.gross, "money", before=before.gross, period=week),
        Tile(_("Payments"), report.paid, "money", note=payments),
        Tile(_("Tips"), report.tips, "money", note=_("On top of the payments")),
        Tile(
            _("Still due"),
            report.due,
            "money",
            note=open_bills,
            tone="due" if bills else "",
            url="#open-title" if bills else "",
        ),
        Tile(_("Cancelled"), report.cancelled, "money", note=cancelled),
        Tile(_("Orders"), report.orders, before=before.orders, period=week),
        Tile(_("Average order"), average(report.gross, report.orders), "money"),
        Tile(_("Table sessions"), report.sessions),
    ]


def _given(given: Given) -> list[Tile]:
    """What members got, with a zero too."""
    cards = with_count(ngettext("On %(count)s card", "On %(count)s cards", given.cards), given.cards)
    spent = ngettext("For %(count)s point", "For %(count)s points", given.spent) % {
        "count": shown(given.spent, "number")
    }
    return [
        Tile(_("Points given"), given.points, note=cards if given.points else ""),
        Tile(_("Rewards handed out"), given.rewards, note=spent if given.rewards else ""),
    ]


def _voided(report: Day) -> str:
    """With a zero too: that there was nothing is what the day is signed for."""
    if not report.voided.count:
        return _("none voided")
    words = {"count": shown(report.voided.count, "number"), "amount": shown(report.voided.amount, "money")}
    return _("%(count)s voided (%(amount)s)") % words


def _compared(tiles: list[Tile], before: Sales, period: str) -> list[Tile]:
    """Average order and table sessions, on the page beside those of a week before."""
    figures = (average(before.gross, before.orders), before.sessions)
    return [replace(each, before=figure, period=period) for each, figure in zip(tiles, figures, strict=True)]


def _since_when(figure: Tile) -> Tile:
    """With a note of what it was, where there is a figure of a week before."""
    if not figure.before:
        return figure
    was = shown(figure.before, figure.kind)
    return replace(figure, note=_("%(figure)s a week before") % {"figure": was})


def _taxes(report: Day) -> Table:
    columns = [Column(_("Rate")), Column(_("Net"), "money"), Column(_("VAT"), "money"), Column(_("Gross"), "money")]
    rows: list[list[Any]] = [[rate_text(tax), tax.net, tax.tax, tax.gross] for tax in report.taxes]
    if report.untaxed and rows:
        rows.append([_("No rate"), None, None, report.untaxed])
    if len(rows) > 1:
        net, tax, gross = (sum((row[place] or NOTHING for row in rows), NOTHING) for place in (1, 2, 3))
        rows.append([_("Total"), net + report.untaxed, tax, gross])
    empty = _("Nothing was sold at a VAT rate. Rates are set in the admin, under “Ordering rules”.")
    return Table(_("VAT"), columns, rows, empty=empty, has_total=len(rows) > 1)


def rate_text(tax: Tax) -> str:
    """Without zeros at its end: `13.5%`."""
    return shown(tax.rate.quantize(Decimal(1)) if tax.rate == int(tax.rate) else tax.rate.normalize(), "percent")


def _payments(report: Day) -> Table:
    columns = [
        Column(_("Method")),
        Column(_("Payments"), "number"),
        Column(_("Amount"), "money"),
        Column(_("Tips"), "money"),
    ]
    rows: list[list[Any]] = [
        [str(Payment.Method(each.method).label).capitalize(), each.count, each.amount, each.tips]
        for each in report.payments
    ]
    if len(rows) > 1:
        rows.append([_("Total"), sum(each.count for each in report.payments), report.paid, report.tips])
    return Table(_("Payments by method"), columns, rows, empty=_("No payments on this day."), has_total=len(rows) > 1)


def _cancelled(report: Day, names: Mapping[str, str]) -> Table:
    columns = [
        Column(_("Time")), Column(_("Table")), Column(_("Amount"), "money", is_lead=True), Column(_("By")),
        Column(_("Reason")), Column(_("Note")),
    ]  # fmt: skip
    rows = [
        [
            clock(each.at), each.table_number, each.amount,
            _("Guest") if each.by == GUEST else names.get(each.by, each.by),
            str(OrderChange.Reason(each.reason).label) if each.reason else "", each.note,
        ]
        for each in report.cancellations
    ]  # fmt: skip
    links = [reverse("order", args=[each.order_id]) for each in report.cancellations]
    return Table(_("Cancellations"), columns, rows, links=links, empty=_("Nothing was cancelled on this day."))


def _cancelled_of_the_page(report: Day, names: Mapping[str, str]) -> Table:
    """Amounts last, as in the other tables, and no column for notes where there are none."""
    table = _cancelled(report, names)
    has_notes = any(row[5] for row in table.rows)
    places = [0, 1, 3, 4, 5, 2] if has_notes else [0, 1, 3, 4, 2]
    columns = [table.columns[place] for place in places]
    rows = [[capfirst(row[place]) if place == 4 else row[place] for place in places] for row in table.rows]
    return replace(table, columns=columns, rows=rows)


def _open_bills(bills: list[OpenBill], *, are_named: bool = False) -> Table:
    """`are_named`: `Table 7`, as the page has it; the file has the number."""
    columns = [Column(_("Table")), Column(_("Since")), Column(_("Due"), "money")]
    name = _("Table %(number)s")
    rows: list[list[Any]] = [
        [name % {"number": each.table_number} if are_named else each.table_number, clock(each.started_at), each.due]
        for each in bills
    ]
    links = [each.url for each in bills]
    asides = [_("has left") if each.has_left else "" for each in bills]
    if len(rows) > 1:
        rows.append([_("Total"), "", sum((each.due for each in bills), NOTHING)])
        links.append("")
        asides.append("")
    empty = _("Every bill of this day is paid.")
    return Table(_("Open bills"), columns, rows, links=links, asides=asides, empty=empty, has_total=len(rows) > 1)


def _takers(report: Day, names: Mapping[str, str]) -> Table:
    """Members of staff, then the guests themselves."""
    columns = [Column(_("Name")), Column(_("Orders"), "number"), Column(_("Sales"), "money")]
    rows: list[list[Any]] = [[names.get(each.name, each.name), each.orders, each.gross] for each in report.placed_by]
    by_guests = report.orders - sum(each.orders for each in report.placed_by)
    if by_guests:
        gross = report.gross - sum((each.gross for each in report.placed_by), NOTHING)
        rows.append([_("Guests, on their phones"), by_guests, gross])
    if len(rows) > 1:
        rows.append([_("Total"), report.orders, report.gross])
    empty = _("No orders on this day.")
    return Table(_("Who took orders"), columns, rows, empty=empty, has_total=len(rows) > 1)


def _categories(report: Day) -> Table:
    columns = [Column(_("Category")), Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows: list[list[Any]] = [
        [_("Other") if each.category == OTHER else each.category, each.portions, each.gross]
        for each in report.categories
    ]
    if len(rows) > 1:
        rows.append([_("Total"), sum(each.portions for each in report.categories), report.gross])
    empty = _("No orders on this day.")
    return Table(_("Sales by category"), columns, rows, empty=empty, has_total=len(rows) > 1)
