from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    """While guests order as always."""

    atomic = False
    dependencies = [("restaurant", "0010_say_preparing")]

    operations = [
        ResumableAddIndex("order", models.Index(fields=["total"], name="order_by_total")),
    ]
