"""The page of a day."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from babel.dates import format_date
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.gateway import Given
from restaurant.billing.models import Payment
from restaurant.billing.printing import change_rows
from restaurant.billing.sums import Tax
from restaurant.menu.models import OTHER
from restaurant.reports import ORDERS_NOTE
from restaurant.reports.day import Day
from restaurant.reports.queries.sales import NOTHING, Sales
from web import venue
from web.choices import day_text, week_before_text
from web.formats import capfirst, locale
from web.reporting import Column, PageData, Table, Tile, average, clauses, compared, with_count, zone_words
from web.templatetags.money import clock
from web.templatetags.reports import shown


def page(report: Day, before: Sales, given: Given | None, *, names: Mapping[str, str], now: datetime) -> PageData:
    """`names`: the full names of users, which the page shows; the CSV has their user names. `given`: to members."""
    taxes, payments, cancelled = _taxes(report), _payments(report), _cancelled(report, {})
    changes = _changes(report)
    waits = _waits(report, {})
    open_bills, takers = _open_bills(report.open_bills), _takers(report, {})
    is_first = bool(report.orders and not (before.orders or before.sessions))
    sales, paid, tips, due, *others = tiles = [replace(tile, is_first=is_first) for tile in _tiles(report, before, now)]
    loyalty = _given(given) if given else []
    today, one_day = venue.day_of(now), timedelta(days=1)
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
        "earlier": (report.date - one_day).isoformat(),
        "today": today.isoformat(),
        "yesterday": (today - one_day).isoformat(),
        "later": (report.date + one_day).isoformat() if report.ended <= now else "",
        "lines": f"{reverse('report_lines')}?{urlencode({'from': report.date, 'to': report.date})}",
        "tiles": [*tiles, *loyalty],
        "main_tiles": [sales, paid, due, tips],
        "other_tiles": [
            *(_with_figure_before(tile) for tile in [*others[:2], *_compared(others[2:], before, sales.period)]),
            *loyalty,
        ],
        "day_name": _day_name(report.date, today),
        "cash": _taken(report, Payment.Method.CASH),
        "card": _taken(report, Payment.Method.CARD),
        "tables": [taxes, payments, *([changes] if changes.rows else []), cancelled, open_bills, takers, *waits],
        "changes_table": changes,
        "taxes_table": taxes,
        "payments_table": replace(payments, note=_cash_note(report)),
        "cancelled_table": _cancelled_of_the_page(report, names),
        "open_table": _open_bills(sorted(report.open_bills, key=lambda bill: bill.is_open), are_named=True),
        "takers_table": _takers(report, names),
        "waits_tables": _waits(report, names),
        "categories_table": _categories(report),
        "notes": [
            _days_start(),
            ORDERS_NOTE,
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


def _days_start() -> str:
    ends_at = venue.current().day_ends_at
    if ends_at == time.min:
        return _("Days start at midnight %(zone)s.") % {"zone": zone_words()}
    return _("Days start at %(time)s %(zone)s.") % {"time": f"{ends_at:%H:%M}", "zone": zone_words()}


def _day_name(day: date, today: date) -> str:
    if day == today:
        return _("Today")
    return _("Yesterday") if day == today - timedelta(days=1) else format_date(day, "medium", locale=locale())


def _taken(report: Day, method: str) -> Decimal:
    """Return what the drawer or the terminal has taken, tips included."""
    return sum((paid["amount"] + paid["tips"] for paid in report.payments if paid["method"] == method), NOTHING)


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
    change = compared(report.gross, before.revenue, week)
    bills = len(report.open_bills)
    still_open = ngettext("%(count)s bill is still open", "%(count)s bills are still open", bills)
    return clauses(
        f"{sold}, {change}" if change else sold,
        with_count(still_open, bills) if bills else _("every bill is paid"),
    )


def _tiles(report: Day, before: Sales, now: datetime) -> list[Tile]:
    week = _("A week ago by this time") if report.ended > now else _("A week before")
    number = sum(paid["count"] for paid in report.payments)
    payments = with_count(ngettext("%(count)s payment", "%(count)s payments", number), number)
    payments = _("%(payments)s, %(voided)s") % {"payments": payments, "voided": _voided(report)}
    if report.refunds:
        refunded = _("%(payments)s, %(amount)s given back")
        payments = refunded % {"payments": payments, "amount": shown(report.refunds["value"], "money")}
    changes = len(report.cancellations)
    cancelled = with_count(ngettext("%(count)s cancellation", "%(count)s cancellations", changes), changes)
    cancelled = cancelled if changes else _("Nothing")
    bills = len(report.open_bills)
    open_bills = with_count(ngettext("%(count)s open bill", "%(count)s open bills", bills), bills)
    open_bills = open_bills if bills else ""
    gone = sum(not bill.is_open for bill in report.open_bills)
    if gone:
        left = with_count(ngettext("%(count)s party has left", "%(count)s parties have left", gone), gone)
        open_bills = f"{open_bills};\n{left}"
    return [
        Tile(_("Sales"), report.gross, "money", before=before.revenue, period=week),
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
    """Return what members got, with a zero too."""
    cards = with_count(ngettext("On %(count)s card", "On %(count)s cards", given.cards), given.cards)
    spent = with_count(ngettext("For %(count)s point", "For %(count)s points", given.spent), given.spent)
    return [
        Tile(_("Points given"), given.points, note=cards if given.points else ""),
        Tile(_("Rewards handed out"), given.rewards, note=spent if given.rewards else ""),
    ]


def _voided(report: Day) -> str:
    """Say it with a zero too: that there was nothing is what the day is signed for."""
    if not report.voided["count"]:
        return _("none voided")
    voided = {"count": shown(report.voided["count"], "number"), "amount": shown(report.voided["value"], "money")}
    return _("%(count)s voided (%(amount)s)") % voided


def _compared(tiles: list[Tile], before: Sales, period: str) -> list[Tile]:
    """Return average order and table sessions beside those of a week before, as the page shows them."""
    figures = (average(before.revenue, before.orders), before.sessions)
    return [replace(tile, before=figure, period=period) for tile, figure in zip(tiles, figures, strict=True)]


def _with_figure_before(tile: Tile) -> Tile:
    """Return the tile with a note of the figure a week before, where there is one."""
    if not tile.before:
        return tile
    return replace(tile, note=_("%(figure)s a week before") % {"figure": shown(tile.before, tile.kind)})


def _taxes(report: Day) -> Table:
    columns = [Column(_("Rate")), Column(_("Net"), "money"), Column(_("VAT"), "money"), Column(_("Gross"), "money")]
    rows: list[list[Any]] = [[rate_text(tax), tax.net, tax.tax, tax.gross] for tax in report.taxes]
    if report.untaxed and rows:
        rows.append([_("No rate"), None, None, report.untaxed])
    if len(rows) > 1:
        net, tax, gross = (sum((row[column] or NOTHING for row in rows), NOTHING) for column in (1, 2, 3))
        rows.append([_("Total"), net + report.untaxed, tax, gross])
    empty = _("Nothing was sold at a VAT rate. Rates are set in the admin, under “Ordering rules”.")
    return Table(_("VAT"), columns, rows, empty=empty, has_total=len(rows) > 1)


def rate_text(tax: Tax) -> str:
    """Return a rate without zeros at its end: `13.5%`."""
    return shown(tax.rate.quantize(Decimal(1)) if tax.rate == int(tax.rate) else tax.rate.normalize(), "percent")


def _payments(report: Day) -> Table:
    columns = [
        Column(_("Method")),
        Column(_("Payments"), "number"),
        Column(_("Amount"), "money"),
        Column(_("Tips"), "money"),
    ]
    rows: list[list[Any]] = [
        [capfirst(Payment.Method(paid["method"]).label), paid["count"], paid["amount"], paid["tips"]]
        for paid in report.payments
    ]
    if len(rows) > 1:
        rows.append([_("Total"), sum(paid["count"] for paid in report.payments), report.paid, report.tips])
    return Table(_("Payments by method"), columns, rows, empty=_("No payments on this day."), has_total=len(rows) > 1)


def _changes(report: Day) -> Table:
    """By kind, and below each by reason. Service has no reasons that say anything."""
    rows = [[*row] for row in change_rows(report.changes)]
    columns = [Column(_("What")), Column(_("Number"), "number"), Column(_("Amount"), "money")]
    note = _("Sales are after this; sales by category and by who took orders are before it.")
    return Table(_("Changes of bills"), columns, rows, note=note)


def _cancelled(report: Day, names: Mapping[str, str]) -> Table:
    columns = [
        Column(_("Time")), Column(_("Table")), Column(_("Amount"), "money", is_lead=True), Column(_("By")),
        Column(_("Reason")), Column(_("Note")),
    ]  # fmt: skip
    rows = [
        [
            clock(change.at), change.order.table.table_number, change.amount,
            names.get(change.user_name, change.user_name) or _("Guest"), change.get_reason_display(), change.note,
        ]
        for change in report.cancellations
    ]  # fmt: skip
    links = [reverse("order", args=[change.order_id]) for change in report.cancellations]
    return Table(_("Cancellations"), columns, rows, links=links, empty=_("Nothing was cancelled on this day."))


def _cancelled_of_the_page(report: Day, names: Mapping[str, str]) -> Table:
    """Put amounts last, as in the other tables, and leave out the column for notes where there are none."""
    table = _cancelled(report, names)
    has_notes = any(row[5] for row in table.rows)
    order = [0, 1, 3, 4, 5, 2] if has_notes else [0, 1, 3, 4, 2]
    columns = [table.columns[column] for column in order]
    rows = [[capfirst(row[column]) if column == 4 else row[column] for column in order] for row in table.rows]
    return replace(table, columns=columns, rows=rows)


def _open_bills(bills: list[Any], *, are_named: bool = False) -> Table:
    """`are_named`: `Table 7`, as the page has it; the file has the number."""
    columns = [Column(_("Table")), Column(_("Since")), Column(_("Due"), "money")]
    name = _("Table %(number)s")
    rows: list[list[Any]] = [
        [name % {"number": number} if are_named else number, clock(bill.started_at), bill.due]
        for number, bill in ((bill.table.table_number, bill) for bill in bills)
    ]
    links = [bill.bill_url for bill in bills]
    asides = ["" if bill.is_open else _("has left") for bill in bills]
    if len(rows) > 1:
        rows.append([_("Total"), "", sum((bill.due for bill in bills), NOTHING)])
        links.append("")
        asides.append("")
    empty = _("Every bill of this day is paid.")
    return Table(_("Open bills"), columns, rows, links=links, asides=asides, empty=empty, has_total=len(rows) > 1)


def _takers(report: Day, names: Mapping[str, str]) -> Table:
    """Members of staff, then the guests themselves."""
    columns = [Column(_("Name")), Column(_("Orders"), "number"), Column(_("Sales"), "money")]
    takers = report.placed_by
    rows: list[list[Any]] = [[names.get(taker.name, taker.name), taker.orders, taker.gross] for taker in takers]
    by_guests = report.orders - sum(taker.orders for taker in takers)
    if by_guests:
        gross = report.ordered - sum((taker.gross for taker in takers), NOTHING)
        rows.append([_("Guests, on their phones"), by_guests, gross])
    if len(rows) > 1:
        rows.append([_("Total"), report.orders, report.ordered])
    empty = _("No orders on this day.")
    return Table(_("Who took orders"), columns, rows, empty=empty, has_total=len(rows) > 1)


def _waits(report: Day, names: Mapping[str, str]) -> list[Table]:
    """How long calls and ready dishes waited, where that is known."""
    columns = [
        Column(_("Name")), Column(_("Number"), "number"), Column(_("Median, seconds"), "number"),
        Column(_("9 of 10, seconds"), "number"),
    ]  # fmt: skip
    titles = {"calls": _("How long calls waited"), "ready": _("How long ready dishes waited")}
    tables = []
    for what, people in report.response.items():
        rows = [
            [names.get(each.name, each.name) or _("All"), each.count, each.median, each.nine_of_ten] for each in people
        ]
        tables += [Table(titles[what], columns, rows, has_total=True)] if rows else []
    return tables


def _categories(report: Day) -> Table:
    columns = [Column(_("Category")), Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows: list[list[Any]] = [
        [_("Other") if category.category == OTHER else category.category, category.portions, category.gross]
        for category in report.categories
    ]
    if len(rows) > 1:
        rows.append([_("Total"), sum(category.portions for category in report.categories), report.ordered])
    empty = _("No orders on this day.")
    return Table(_("Sales by category"), columns, rows, empty=empty, has_total=len(rows) > 1)
