"""`manage.py check_sums`: compares the sums of days with their orders and their lines of the ledger."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from loyalty.points.queries import points
from restaurant.reports.queries.wrong_sums import days_of_sales
from web.sums_of_days import Comparison


class Command(BaseCommand):
    help = "Compares the sums that reports add up with the orders and the ledger; exits with 1 where they differ."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong: set[date] = set()
        for name, comparisons in (("Sales", days_of_sales()), ("Points", points.wrong_days())):
            wrong |= comparisons.keys()
            for day, comparison in comparisons.items():
                self.stdout.write(f"{name} of {day}: {_sentence_of(comparison)}")
        if wrong:
            days = "1 day" if len(wrong) == 1 else f"{len(wrong)} days"
            raise CommandError(
                f"Sums are wrong, and so are reports, of {days}. "
                f"To sum up all days since the first again: manage.py tidy --sums-since {min(wrong)}"
            )
        self.stdout.write("The sums of days are what their orders and the ledger say.")


def _sentence_of(comparison: Comparison) -> str:
    """Return such as `3 sums differ: orders 41, counted 42; revenue 812.00, counted 824.00`."""
    totals = "; ".join(f"{name} {stored}, counted {counted}" for name, (stored, counted) in comparison.totals.items())
    label = "1 sum differs" if comparison.differing == 1 else f"{comparison.differing} sums differ"
    return f"{label}: {totals}"
