"""`manage.py seal_journal`: number and chain what was written. `serve` does so every few seconds."""

from typing import Any

from django.core.management.base import BaseCommand

from web.services import sealing


class Command(BaseCommand):
    help = "Seals the journal's new entries."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{sealing.seal()} sealed.")
