"""`python manage.py doctor`: what is wrong with this installation, and what to do about it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from config import doctor


class Command(BaseCommand):
    help = "Says what is wrong with this installation, and what to do; exits with 1 where guests use it already."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--offline", action="store_true", help="do not ask APP_BASE_URL for a page")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        is_deployed = doctor.is_public() or not settings.DEBUG
        findings = doctor.findings(offline=options["offline"] or not is_deployed, with_printers=True)
        if not findings:
            self.stdout.write("All is well.")
            return
        for sentence in findings:
            self.stdout.write(f"- {sentence}")
        if is_deployed:
            raise CommandError(f"{len(findings)} of these need your attention.")
        self.stdout.write("Fine for a trial run. Before guests come, change these.")
