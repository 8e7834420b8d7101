"""The X and Z of a cash drawer for a receipt printer. Pages show them in the same rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from restaurant.billing.models import Adjustment, DrawerDay, DrawerMovement, Payment
from restaurant.billing.paper import head, percent, print_lines
from restaurant.billing.queries.takings import Figures
from restaurant.kitchen.printing.layout import Paper
from restaurant.ordering.models import Printer, PrintJob
from web.formats import capfirst
from web.templatetags.money import format_money
from web.templatetags.reports import shown


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    amount: Decimal
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: list[Row]


def sections(figures: Figures, *, z: DrawerDay | None = None) -> list[Section]:
    """Return the figures of an X or a Z in words, without those that are not in use."""
    found = [
        Section(_("Cash in the drawer"), list(_cash(figures["cash"], z))),
        Section(_("Payments"), list(_payments(figures["payments"]))),
        Section(_("Sales"), list(_sales(figures))),
        Section(_("Changed afterwards"), list(_corrections(figures.get("corrections", ())))),
    ]
    return [section for section in found if section.rows]


def _cash(cash: Figures, z: DrawerDay | None) -> Iterator[Row]:
    labels = {
        "received": _("Payments in cash, with tips"),
        "voided": _("Voided"),
        "refunds": _("Refunds"),
        **{kind.value: capfirst(str(kind.label)) for kind in DrawerMovement.Kind},
    }
    yield Row(_("Float"), cash["float"])
    for name, label in labels.items():
        if cash.get(name):
            yield Row(label, cash[name] if name in ("received", "in") else -cash[name])
    if "expected" in cash:
        yield Row(_("Should be in it"), cash["expected"], is_total=True)
    if z and z.counted is not None and z.difference is not None:
        yield Row(_("Counted"), z.counted)
        yield Row(_("Difference"), z.difference, is_total=True)
    for name, label in (("tips", _("Tips among it")), ("change", _("Change given")), ("rounding", _("Rounding"))):
        if cash.get(name):
            yield Row(label, cash[name])


def _payments(payments: list[Figures]) -> Iterator[Row]:
    for row in payments:
        yield Row(f"{row['count']} × {capfirst(str(Payment.Method(row['method']).label))}", row["amount"])
    if len(payments) > 1:
        yield Row(pgettext("a sum", "Together"), sum((row["amount"] for row in payments), Decimal(0)), is_total=True)
    if tips := sum((row["tips"] for row in payments), Decimal(0)):
        yield Row(_("Tips on top"), tips)


def _sales(figures: Figures) -> Iterator[Row]:
    if "gross" not in figures:
        return
    rates = [(f"{_('VAT')} {percent(tax['rate'])}", tax) for tax in figures["taxes"]]
    for label, tax in rates:
        yield Row(_("Sold at %(rate)s") % {"rate": label}, tax["gross"])
    if figures["untaxed"]:
        yield Row(_("Sold without VAT"), figures["untaxed"])
    yield Row(_("Sales"), figures["gross"], is_total=True)
    for label, tax in rates:
        yield Row(_("%(rate)s in it") % {"rate": label}, tax["tax"])
    for label, count, value in change_rows(figures):
        yield Row(label if count is None else f"{count} × {label}", value)
    for name, label in (("cancelled", _("Cancelled")), ("voided", _("Payments voided")), ("refunds", _("Refunds"))):
        if figures[name]["count"]:
            yield Row(f"{figures[name]['count']} × {label}", figures[name]["value"])


def change_rows(changes: Figures) -> Iterator[tuple[str, int | None, Decimal]]:
    """Yield kind, count and value of what changed bills, and after it each reason and its value.

    Service has no reasons that say anything.
    """
    names = {"discounts": _("Discounts"), "comps": _("On the house"), "service": pgettext("a charge", "Service")}
    reasons = {reason.value: str(reason.label) for reason in Adjustment.Reason}
    for kind in filter(changes.get, names):
        yield names[kind], changes[kind]["count"], changes[kind]["value"]
        for reason, value in changes[kind]["byReason"].items() if kind != "service" else ():
            yield f"– {reasons[reason]}", None, value


def _corrections(corrections: Iterable[Figures]) -> Iterator[Row]:
    labels = {
        "void": _("Payment voided"),
        "cancellation": _("Cancelled"),
        "adjustment": _("Bill changed"),
        "refund": _("Refund"),
    }
    for row in corrections:
        of = _("of Z %(number)s") % {"number": row["z"]} if row["z"] else _("of before the first Z")
        yield Row(f"{labels[row['kind']]}, {of}", row["amount"])


# --- on paper -----------------------------------------------------------------------------------------


def print_drawer(printer: Printer, day: DrawerDay, figures: Figures) -> None:
    """Print the X of an open day, or the Z of a closed one."""
    is_z = day.number is not None
    paper = Paper(printer.columns)
    title = _("Z %(number)s") % {"number": day.number} if is_z else _("X, interim")
    lines = [*head(paper, f"{title} · {day.drawer.name}")]
    moments = [(_("Opened %(time)s by %(name)s"), day.opened_at, day.opened_by_name)]
    if day.closed_at:
        moments.append((_("Closed %(time)s by %(name)s"), day.closed_at, day.closed_by_name))
    for words, moment, name in moments:
        lines += paper.lines(words % {"time": shown(moment, "time"), "name": name})
    for section in sections(figures, z=day if is_z else None):
        lines += [paper.rule(), *paper.lines(section.title, height=2, bold=True)]
        for row in section.rows:
            lines += paper.ends(row.label, format_money(row.amount), bold=row.is_total)
    if "journal" in figures:
        lines += [paper.rule(), *paper.lines(_("Journal %(number)s: %(hash)s") % figures["journal"])]
    kind = PrintJob.Kind.Z if is_z else PrintJob.Kind.X
    print_lines(printer, kind, lines, str(day.pk), day.closed_at)
