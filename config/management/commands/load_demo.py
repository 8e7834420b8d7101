"""`python manage.py load_demo`: the demonstration restaurant, into an empty database."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import demo
from qrservice.gateway import QRServiceError


class Command(BaseCommand):
    help = "Loads a demonstration restaurant with sixty days of history, if there is no restaurant in the database yet."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            staff = demo.load()
        except QRServiceError as error:
            raise CommandError(f"The QR code service did not make the codes, so nothing was loaded: {error}") from error
        except KeyboardInterrupt:
            raise CommandError("Interrupted, so nothing was loaded.", returncode=130) from None
        if staff is None:
            self.stdout.write("There is a restaurant in this database already, so nothing was changed.")
            return
        self.stdout.write(f"{demo.VENUE_NAME} is open. Sign in at {settings.APP_BASE_URL}/sign-in with one of these;")
        self.stdout.write(f"the passwords are shown this once:\n\n{staff}\n")
        card = demo.card()
        if card is not None:
            self.stdout.write(f"The till:         {settings.APP_BASE_URL}/till")
            self.stdout.write(f"A member's card:  {card.address}")
            self.stdout.write(f"Open it as {card.name} (works once, within the hour):\n{card.sign_in_address}")
