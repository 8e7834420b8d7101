from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0015_food_cost")]

    operations = [
        migrations.AddField(
            "table", "plan_column", models.PositiveSmallIntegerField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "table", "plan_row", models.PositiveSmallIntegerField(blank=True, editable=False, null=True)
        ),
        migrations.AddConstraint(
            "table",
            models.UniqueConstraint(
                fields=["section", "plan_column", "plan_row"],
                condition=models.Q(plan_column__isnull=False),
                name="one_table_in_a_place",
            ),
        ),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=models.Q(plan_column=None, plan_row=None)
                | models.Q(plan_column__isnull=False, plan_row__isnull=False)
                & models.Q(plan_column__range=(1, 12), plan_row__range=(1, 12)),
                name="place_on_the_plan",
            ),
        ),
    ]
