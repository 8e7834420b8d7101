"""`python manage.py expire_points`: for a daily timer. `serve` does so every night."""

from typing import Any

from django.core.management.base import BaseCommand

from loyalty.points.services import expiry
from web import tidying


class Command(BaseCommand):
    help = "Takes points off the cards that are older than the programme allows, oldest first."

    def handle(self, *args: Any, **options: Any) -> None:
        expired = expiry.expire(now=tidying.now())
        self.stdout.write(f"Expired: {expired.points} points of {expired.members} members")
