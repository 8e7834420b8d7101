from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0036_index_of_what_was_seen")]

    operations = [
        migrations.AddField(
            "order", "language", models.CharField(blank=True, db_default="", default="", editable=False, max_length=10)
        ),
    ]
