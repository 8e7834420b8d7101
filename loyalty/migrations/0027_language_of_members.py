from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("loyalty", "0026_decimals_of_the_currency")]

    operations = [
        migrations.AddField(
            "member", "language", models.CharField(blank=True, db_default="", default="", editable=False, max_length=10)
        ),
    ]
