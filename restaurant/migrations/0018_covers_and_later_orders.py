from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0017_shapes_and_features_of_the_plan")]

    operations = [
        migrations.AddField(
            "order",
            "kept_at",
            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="kept for later"),
        ),
        migrations.AddField(
            "tablesession",
            "covers",
            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="guests"),
        ),
        migrations.AddConstraint(
            "tablesession",
            models.CheckConstraint(
                condition=models.Q(covers=None) | models.Q(covers__range=(1, 99)), name="session_covers"
            ),
        ),
    ]
