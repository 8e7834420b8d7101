from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0014_goes_well_with")]

    operations = [
        migrations.AddField(
            "menuitem",
            "cost",
            models.DecimalField(
                blank=True,
                decimal_places=2,
                max_digits=10,
                null=True,
                validators=[MinValueValidator(Decimal("0"))],
                verbose_name="food cost",
            ),
        ),
    ]
