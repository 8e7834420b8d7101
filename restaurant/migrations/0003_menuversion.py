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
                ("number", models.PositiveBigIntegerField(default=1)),
            ],
            options={"default_permissions": ()},
        ),
    ]
