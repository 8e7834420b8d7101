from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("config", "0012_passkeys")]

    operations = [
        migrations.AddField(
            "venue", "kitchen_language", models.CharField(blank=True, db_default="", default="", max_length=10)
        ),
    ]
