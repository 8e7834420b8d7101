from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0013_orders_by_collector")]

    operations = [
        migrations.AddField(
            "menuitem",
            "goes_with",
            models.ManyToManyField(blank=True, to="restaurant.menuitem", verbose_name="goes well with"),
        ),
    ]
