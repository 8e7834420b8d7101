from django.db import migrations, models


class Migration(migrations.Migration):
    """A nullable column without a default: however large the table is, it is locked for a moment only."""

    dependencies = [
        ("restaurant", "0003_menuversion"),
    ]

    operations = [
        migrations.AddField(
            model_name="order",
            name="phone_key",
            field=models.CharField(editable=False, max_length=32, null=True),
        ),
    ]
