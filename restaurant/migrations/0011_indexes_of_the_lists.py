from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """While guests order as always."""

    atomic = False
    dependencies = [("restaurant", "0010_say_preparing")]

    operations = [
        AddIndexConcurrently("order", models.Index(fields=["total"], name="order_by_total")),
    ]
