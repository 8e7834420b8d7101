import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """A nullable column without a default: the table is locked for a moment only."""

    dependencies = [
        ("loyalty", "0006_who_did_it"),
    ]

    operations = [
        migrations.AddField(
            model_name="member",
            name="signed_out_phones",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=32), blank=True, editable=False, null=True, size=None
            ),
        ),
    ]
