from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("loyalty", "0032_merged_cards"),
    ]

    operations = [
        ResumableAddIndex(
            "member",
            models.Index(
                condition=models.Q(("merged_into__isnull", False)), fields=["merged_into"], name="member_merged"
            ),
        ),
    ]
