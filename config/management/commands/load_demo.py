"""`python manage.py load_demo`: the demonstration restaurant, into an empty database."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.demo import VENUE_NAME, load
from qrservice.gateway import QRServiceError


class Command(BaseCommand):
    help = "Loads a demonstration restaurant with sixty days of history, if there is no restaurant in the database yet."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            staff = load()
        except QRServiceError as error:
            raise CommandError(f"The QR code service did not make the codes, so nothing was loaded: {error}") from error
        except KeyboardInterrupt:
            raise CommandError("Interrupted, so nothing was loaded.", returncode=130) from None
        if staff is None:
            self.stdout.write("There is a restaurant in this database already, so nothing was changed.")
            return
        self.stdout.write(f"{VENUE_NAME} is open. Sign in at {settings.APP_BASE_URL}/sign-in with one of these;")
        self.stdout.write("the passwords are shown this once:\n\n" + str(staff))
