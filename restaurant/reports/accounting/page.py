"""The page of the accountant's figures."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from restaurant.reports.accounting import Line
from web.reporting import Column, PageData, Table
from web.windows import Period


def page(lines: list[Line], period: Period) -> PageData:
    """`lines`: one for each account."""
    rows = [[line.name, line.debit or None, line.credit or None] for line in lines]
    debit, credit = sum(line.debit for line in lines), sum(line.credit for line in lines)
    total = [[_("Total"), debit, credit]] if lines else []
    columns = [Column(pgettext("of the books", "Account")), Column(_("Debit"), "money"), Column(_("Credit"), "money")]
    days = urlencode({"from": period.window.first, "to": period.window.last})
    return {
        "heading": _("Accounting"),
        "tables": [
            Table(
                _("By account"),
                columns,
                rows + total,
                asides=[*(line.number for line in lines), ""],
                has_total=True,
                empty=_("Nothing happened on these days."),
            )
        ],
        "lacks_numbers": any(not line.number for line in lines),
        "files": [
            (_("By day and account (CSV)"), f"?{days}&format=csv"),
            (_("For DATEV"), f"?{days}&as=datev"),
            (_("Order lines (CSV)"), f"{reverse('report_lines')}?{days}"),
            (_("Journal (JSON Lines)"), f"{reverse('journal')}?{days}"),
            (_("Journal (CSV)"), f"{reverse('journal')}?{days}&as=csv"),
        ],
        "notes": [
            _("What is cancelled or voided on a later day is booked on that day."),
            _("Bills are open from the order until they are paid. What is left there, guests still owe."),
        ],
    }
