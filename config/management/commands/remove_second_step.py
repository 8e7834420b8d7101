"""`python manage.py remove_second_step <username>`: for whoever has lost their phone and their recovery codes."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.services import second_step


class Command(BaseCommand):
    help = "Removes the second step of somebody's sign-in, and their recovery codes: the password alone then signs in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None or not second_step.remove(user, by=user):
            raise CommandError(f"There is no user {options['username']!r} with a second step.")
