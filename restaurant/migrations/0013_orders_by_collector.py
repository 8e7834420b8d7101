from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """While guests order as always."""

    atomic = False
    dependencies = [("restaurant", "0012_sales_of_quarters")]

    operations = [
        AddIndexConcurrently(
            "order",
            models.Index(
                condition=models.Q(("collector", ""), _negated=True),
                fields=["collector", "-created_at"],
                name="order_by_collector",
            ),
        ),
    ]
