import uuid

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("restaurant", "0002_indexes_of_the_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="MenuVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.UUIDField(default=uuid.uuid4)),
            ],
            options={"default_permissions": ()},
        ),
    ]
