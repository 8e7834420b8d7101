"""`manage.py verify_journal`: compares the journal with its hashes, and the books with the journal."""

from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.verification import findings
from web.journal import latest

SHOWN = 20


class Command(BaseCommand):
    help = "Names what differs, is missing or was put in, the first 20; exits with 1 if anything does."

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(islice(findings(), SHOWN))
        for sentence in found:
            self.stdout.write(sentence)
        if found:
            raise CommandError("The books are not what the journal says.")
        last = latest()
        sealed = f"{last.number} entries, the last one with the hash {last.hash}" if last else "nothing is sealed yet"
        self.stdout.write(f"The books are what the journal says: {sealed}.")
