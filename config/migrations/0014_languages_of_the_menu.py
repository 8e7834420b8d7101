from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("config", "0013_language_of_the_kitchen")]

    operations = [
        migrations.AddField("venue", "menu_languages", models.JSONField(blank=True, db_default=[], default=list))
    ]
