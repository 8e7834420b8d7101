"""Bills and receipts for a receipt printer, as guests read them."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from datetime import datetime
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant.billing import fiscal
from restaurant.billing.models import Payment, Refund
from restaurant.billing.queries import Bill
from restaurant.kitchen.printing.layout import Line, Paper
from restaurant.ordering.models import Printer, PrintJob
from restaurant.ordering.services import dockets
from web import venue
from web.formats import capfirst
from web.templatetags.money import format_money
from web.templatetags.reports import shown


def print_sheet(printer: Printer, sheet: Bill) -> None:
    """Print a bill or a part of it, once it is paid as a receipt; what was printed before is a copy."""
    paper, session = Paper(printer.columns), sheet.session
    title = _("Receipt %(number)s") if sheet.is_paid else _("Bill %(number)s")
    lines = [*head(paper, title % {"number": sheet.number})]
    if session.billed_at:
        lines += paper.lines(shown(session.billed_at, "time"))
    lines += paper.lines(_("Table %(number)s") % {"number": session.table.table_number})
    if sheet.payer:
        for text in (sheet.payer.name, *sheet.payer.address.splitlines(), sheet.payer.vat_number):
            lines += paper.lines(text)
    lines.append(paper.rule())
    for line in sheet.lines:
        lines += paper.ends(f"{line.quantity} x {line.item.display_name}", format_money(line.total))
        lines += (each for option in line.item.options for each in paper.lines(f"+ {option['name']}", indent=4))
    lines.append(paper.rule())
    for adjustment in sheet.adjustments:
        lines += paper.ends(adjustment.label, format_money(adjustment.value))
    lines += paper.ends(_("Total"), format_money(sheet.sums.total), height=2, bold=True)
    for tax in sheet.sums.taxes:
        label = _("VAT %(rate)s of %(gross)s") % {"rate": percent(tax.rate), "gross": format_money(tax.gross)}
        lines += paper.ends(label, format_money(tax.tax))
    lines += _paid(paper, sheet.standing, sheet.refunds)
    if sheet.due:
        lines += paper.ends(_("Due"), format_money(sheet.due), height=2, bold=True)
    for text in (*fiscal.signatures(sheet.standing), _("Thank you for your visit.")):
        lines += [Line(""), *paper.lines(text)]
    kind = PrintJob.Kind.RECEIPT if sheet.is_paid else PrintJob.Kind.BILL
    print_lines(printer, kind, lines, f"{session.pk} {sheet.number}", session.billed_at)


def _paid(paper: Paper, payments: Iterable[Payment], refunds: Iterable[Refund]) -> Iterator[Line]:
    for payment in payments:
        yield from paper.ends(capfirst(str(payment.get_method_display())), format_money(payment.received))
        for label, amount in ((_("of it a tip"), payment.tip), (_("rounded by"), payment.rounding)):
            if amount:
                yield from paper.ends(f"  {label}", format_money(amount))
        if payment.change:
            yield from paper.ends(_("  given"), format_money(payment.tendered or 0))
            yield from paper.ends(_("  change"), format_money(payment.change))
    for refund in refunds:
        yield from paper.ends(_("Given back"), format_money(-refund.given))


def head(paper: Paper, title: str) -> Iterator[Line]:
    yield from paper.lines(venue.name(), width=2, height=2, bold=True)
    known = venue.current()
    for text in (*known.address.splitlines(), known.phone):
        yield from paper.lines(text)
    if known.vat_number:
        yield from paper.lines(_("VAT number %(number)s") % {"number": known.vat_number})
    yield Line("")
    yield from paper.lines(title, width=2, height=2, bold=True)


def print_lines(printer: Printer, kind: PrintJob.Kind, lines: list[Line], subject: str, since: datetime | None) -> None:
    printed = Paper(printer.columns).lines(_("Printed %(time)s") % {"time": shown(timezone.now(), "time")})
    dockets.print_paper(printer, kind, [astuple(line) for line in (*lines, *printed)], subject, since)


def percent(rate: Decimal) -> str:
    return shown(rate.normalize(), "percent")
