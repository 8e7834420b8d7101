import uuid

from django.db import migrations, models

LINES = ("door", "wall", "window")


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0016_plan_of_the_floor")]

    operations = [
        migrations.AddField(
            "table",
            "plan_shape",
            models.CharField(
                blank=True,
                choices=[
                    ("square", "Square"),
                    ("round", "Round"),
                    ("long", "Long"),
                    ("upright", "Upright"),
                ],
                db_default="",
                default="",
                editable=False,
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            "RoomFeature",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("section", models.CharField(blank=True, max_length=50)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bar", "Bar"),
                            ("door", "Door"),
                            ("wall", "Wall"),
                            ("window", "Window"),
                            ("plant", "Plant"),
                            ("label", "Label"),
                        ],
                        max_length=10,
                    ),
                ),
                ("column", models.PositiveSmallIntegerField()),
                ("row", models.PositiveSmallIntegerField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("text", models.CharField(blank=True, default="", max_length=20)),
            ],
            options={
                "ordering": ["section", "row", "column", "pk"],
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(column__gte=1, column__lte=13 - models.F("width"))
                        & models.Q(row__gte=1, row__lte=13 - models.F("height")),
                        name="feature_on_the_plan",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(kind__in=LINES)
                        & (models.Q(width=0, height__gte=1) | models.Q(width__gte=1, height=0))
                        | ~models.Q(kind__in=LINES) & models.Q(width__gte=1, height__gte=1),
                        name="lines_and_areas",
                    ),
                ],
            },
        ),
    ]
