"""`python manage.py tidy`: delete what is not needed any more. `serve` does so every day."""

from argparse import ArgumentTypeError
from datetime import date, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.tidying import tidy


class Command(BaseCommand):
    help = "Deletes old carts, sessions without orders, print jobs, sign-in attempts, expired tokens and sent mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--scans-older-than", type=int, metavar="DAYS", help="delete scans too; reports and totals lose them"
        )
        parser.add_argument(
            "--sums-since", type=_day, metavar="DAY", help="sum up the days since 2026-03-07, say, again, for reports"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        days: int | None = options["scans_older_than"]
        if days is not None and not 1 <= days <= 36_500:
            raise CommandError("--scans-older-than must be a number of days from 1 to 36500.")
        deleted = tidy(
            scans_older_than=None if days is None else timedelta(days=days), sums_since=options["sums_since"]
        )
        if deleted is None:
            self.stdout.write("Another process is tidying at the moment.")
            return
        for name, number in deleted.items():
            self.stdout.write(f"{number:>8}  {name}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError("a day such as 2026-03-07 is needed") from error
