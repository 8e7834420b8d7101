"""`manage.py export_journal --from 2026-03-01 --to 2026-03-31 > journal.jsonl`: the journal of these days."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from web.archives import comma_separated, json_lines
from web.reporting import local_zone
from web.services import sealing


class Command(BaseCommand):
    help = "Seals the journal and writes that of these days as JSON Lines, or as CSV."

    def add_arguments(self, parser: CommandParser) -> None:
        for name in ("--from", "--to"):
            parser.add_argument(name, type=date.fromisoformat, required=True, metavar="2026-03-07")
        parser.add_argument("--csv", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        sealing.seal()
        write = comma_separated if options["csv"] else json_lines
        for text in write(options["from"], options["to"], local_zone()):
            self.stdout.write(text, ending="")
