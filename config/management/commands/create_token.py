"""`python manage.py create_token <username>`: a staff token; the key is the last line on standard output."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.models import StaffToken


class Command(BaseCommand):
    help = "Makes a token for a staff member's programs. The key is printed once, on the last line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", default="", help="what will use it, for the list in the admin")
        parser.add_argument("--days", type=int, help="after how many days it expires; never, if not given")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']!r}.")
        if options["days"] is not None and options["days"] < 1:
            raise CommandError("--days must be 1 or more.")
        expiry = timedelta(days=options["days"]) if options["days"] else None
        _, key = StaffToken.objects.create(user=user, expiry=expiry, name=options["name"][:100])
        self.stdout.write(key)
