"""The page of the accountant's figures."""

from collections import defaultdict
from decimal import Decimal
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from restaurant.ordering.queries.sessions import NOTHING
from restaurant.reports.accounting import Line
from web.reporting import Column, PageData, Table
from web.windows import Period


def page(lines: list[Line], period: Period) -> PageData:
    sums = defaultdict[tuple[str, str], list[Decimal]](lambda: [NOTHING, NOTHING])
    for line in lines:
        sides = sums[line.number, line.name]
        sides[0], sides[1] = sides[0] + line.debit, sides[1] + line.credit
    debit, credit = (sum((sides[side] for sides in sums.values()), NOTHING) for side in (0, 1))
    accounts = sorted(sums)
    rows = [[account[1], *(side or None for side in sums[account])] for account in accounts]
    total = [[_("Total"), debit, credit]] if sums else []
    columns = [Column(_("Account")), Column(_("Debit"), "money"), Column(_("Credit"), "money")]
    days = urlencode({"from": period.window.first, "to": period.window.last})
    return {
        "heading": _("Accounting"),
        "tables": [
            Table(
                _("By account"),
                columns,
                rows + total,
                asides=[*(number for number, _name in accounts), ""],
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
