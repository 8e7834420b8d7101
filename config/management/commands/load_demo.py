"""`python manage.py load_demo`: the demonstration restaurant, into an empty database."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.demo import VENUE_NAME, example_member, loading
from config.demo.staff import Account
from qrservice.gateway import QRServiceError

LEAST, MOST = 1_000, 10_000_000  # orders that `--scale` makes


class Command(BaseCommand):
    help = "Loads a demonstration restaurant with sixty days of history, if there is no restaurant in the database yet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--scale",
            type=int,
            metavar="ORDERS",
            help="Besides, two years with so many orders and members and ten times as many scans; then prints how many"
            " milliseconds the pages take. A million takes a few minutes and 4 GB.",
        )

    def handle(self, *args: Any, scale: int | None = None, **options: Any) -> None:
        if scale is not None and not LEAST <= scale <= MOST:
            raise CommandError(f"--scale is a number of orders from {LEAST:,} to {MOST:,}.")
        try:
            accounts = loading.load()
        except QRServiceError as error:
            raise CommandError(f"The QR code service did not make the codes, so nothing was loaded: {error}") from error
        except KeyboardInterrupt:
            raise CommandError("Interrupted, so nothing was loaded.", returncode=130) from None
        if accounts is None and scale:
            raise CommandError("There is a restaurant in this database already: --scale wants an empty one.")
        if accounts is None:
            self.stdout.write("There is a restaurant in this database already, so nothing was changed.")
            return
        self._introduce(accounts)
        if scale:
            self._fill(scale)

    def _introduce(self, accounts: list[Account]) -> None:
        self.stdout.write(f"{VENUE_NAME} is open. Sign in at {settings.APP_BASE_URL}/sign-in with one of these;")
        self.stdout.write("the passwords are shown this once:\n")
        for account in accounts:
            self.stdout.write(str(account))
        self.stdout.write("")
        card = example_member.card()
        if card is not None:
            self.stdout.write(f"The till:         {settings.APP_BASE_URL}/till")
            self.stdout.write(f"A member's card:  {card.address}")
            self.stdout.write(f"Open it as {card.name} (works once, within the hour):\n{card.sign_in_address}")

    def _fill(self, scale: int) -> None:
        from config.demo.scale import filling, pages

        began = time.monotonic()
        try:
            filling.fill(scale)
        except KeyboardInterrupt:
            raise CommandError(
                "Interrupted: tables lack rows, indexes and constraints. Please delete this database.", returncode=130
            ) from None
        seconds = time.monotonic() - began
        self.stdout.write(f"\n{scale:,} orders and members, {10 * scale:,} scans, in {seconds:.0f} seconds.\n\n")
        self.stdout.write(pages.table(pages.measure()))
