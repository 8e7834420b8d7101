"""`python manage.py expire_redemptions`: for a daily timer."""

from typing import Any

from django.core.management.base import BaseCommand

from loyalty.rewards.services import redemptions
from web import tidying


class Command(BaseCommand):
    help = "Marks overdue active redemptions as expired. Points are not given back."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Expired: {redemptions.expire_overdue(now=tidying.now())}")
