"""`python manage.py collect_points`: points of closed tables that could not be collected. `serve` does so by itself."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from loyalty import gateway as loyalty
from restaurant.ordering.services import order_points


class Command(BaseCommand):
    help = "Collects the points for orders of closed tables where that failed before. Exits with 1 if some still fail."

    def handle(self, *args: Any, **options: Any) -> None:
        if not loyalty.collects_at_tables():
            self.stdout.write("No location is named where tables earn points.")
            return
        settled, failed = order_points.collect_all()
        self.stdout.write(f"{settled} collected, {failed} failed.")
        if failed:
            raise CommandError("Some points could not be collected. The log says why.")
