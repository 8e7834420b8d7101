from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    """While guests order as always."""

    atomic = False
    dependencies = [("restaurant", "0012_sales_of_quarters")]

    operations = [
        ResumableAddIndex(
            "order",
            models.Index(
                condition=models.Q(("collector", ""), _negated=True),
                fields=["collector", "-created_at"],
                name="order_by_collector",
            ),
        ),
    ]
