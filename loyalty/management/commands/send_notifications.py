"""`python manage.py send_notifications`: for a timer every few minutes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from loyalty.messages.services import notifications


class Command(BaseCommand):
    help = "Mails the notifications that could not be mailed when they were written; exits with 1 if some still can't."

    def handle(self, *args: Any, **options: Any) -> None:
        sent, failed = notifications.send_unsent(now=timezone.now())
        self.stdout.write(f"Sent: {sent}. Failed: {failed}.")
        if failed:
            raise CommandError(f"{failed} could not be sent; they are tried again later.")
