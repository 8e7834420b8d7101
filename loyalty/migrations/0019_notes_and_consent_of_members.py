from django.db import migrations, models


class Migration(migrations.Migration):
    """At once, whatever the number of members: the columns have constant defaults."""

    dependencies = [("loyalty", "0018_trigrams_of_members")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="offers_agreed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="agreed to offers"),
        ),
        migrations.AddField(
            model_name="member",
            name="note",
            field=models.TextField(blank=True, db_default="", default="", max_length=500, verbose_name="note"),
        ),
    ]
