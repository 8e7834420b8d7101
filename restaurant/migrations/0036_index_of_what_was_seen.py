from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    """While guests order as always."""

    atomic = False
    dependencies = [("restaurant", "0035_seen_first_and_courses")]

    operations = [
        ResumableAddIndex(
            "orderitem",
            models.Index(condition=models.Q(("seen_at__isnull", False)), fields=["seen_at"], name="order_item_seen"),
        ),
    ]
