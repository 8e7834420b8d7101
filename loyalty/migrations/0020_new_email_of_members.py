from django.db import migrations, models


class Migration(migrations.Migration):
    """At once, whatever the number of members: the columns have constant defaults."""

    dependencies = [("loyalty", "0019_notes_and_consent_of_members")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="new_email",
            field=models.EmailField(blank=True, db_default="", default="", editable=False, max_length=255),
        ),
        migrations.AddField(
            model_name="member",
            name="new_email_asked_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
