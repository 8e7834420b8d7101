"""`python manage.py create_api_key <account>`: the key is the last line on standard output."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from qrservice.services import keys


class Command(BaseCommand):
    help = "Creates an API key for an account, and the account if it does not exist. The key is printed only once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the name of the account")
        parser.add_argument("--name", default="", help="what will use it")
        parser.add_argument("--scope", action="append", choices=["generate", "analytics"], help="both by default")
        parser.add_argument("--days", type=int, help="days until the key expires; never by default")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["account"].strip()
        if not 0 < len(name) <= 100:
            raise CommandError("The account needs a name of 1 to 100 characters.")
        if options["days"] is not None and options["days"] < 1:
            raise CommandError("--days must be 1 or more.")
        scopes = options["scope"] or ["generate", "analytics"]
        _, secret = keys.create(
            account=keys.account_named(name),
            name=options["name"][:100],
            can_generate="generate" in scopes,
            can_read_analytics="analytics" in scopes,
            expires_at=timezone.now() + timedelta(days=options["days"]) if options["days"] else None,
        )
        self.stdout.write(secret)
