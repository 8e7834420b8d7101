from typing import Any

from django.db import migrations
from django.db.models import F, Sum
from django.utils import timezone

from web.journal import canonical


def open_journal(apps: Any, schema_editor: Any) -> None:
    """Begin with sums of what was there before the journal: see `config.verification.sums_before`."""
    now = timezone.now()
    ordered = apps.get_model("restaurant", "OrderItem").objects.filter(order__kept_at=None)
    sums = {
        "ordered": ordered.aggregate(sum=Sum(F("price") * F("quantity"), default=0))["sum"],
        "paid": apps.get_model("restaurant", "Payment").objects.aggregate(sum=Sum("amount", default=0))["sum"],
        "points": apps.get_model("loyalty", "PointTransaction").objects.aggregate(sum=Sum("points", default=0))["sum"],
    }
    if any(sums.values()):
        entries = apps.get_model("web", "JournalEntry").objects
        entries.create(kind="opening", at=now, content=canonical(sums))


class Migration(migrations.Migration):
    dependencies = [
        ("restaurant", "0023_entries_are_carried"),
        ("loyalty", "0026_decimals_of_the_currency"),
        ("web", "0004_sealed_entries"),
    ]

    operations = [migrations.RunPython(open_journal, migrations.RunPython.noop)]
