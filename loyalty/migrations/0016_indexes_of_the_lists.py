from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    """While points are given as always."""

    atomic = False
    dependencies = [("loyalty", "0015_search_text")]

    operations = [
        ResumableAddIndex("member", models.Index(fields=["search_text", "id"], name="member_search")),
        ResumableAddIndex(
            "member",
            models.Index(models.F("last_activity_at").desc(nulls_last=True), name="member_by_activity"),
        ),
        ResumableAddIndex(
            "member",
            models.Index("tier", models.F("last_activity_at").desc(nulls_last=True), name="member_of_tier_by_activity"),
        ),
        ResumableAddIndex("member", models.Index(fields=["name"], name="member_by_name")),
        ResumableAddIndex(
            "member",
            models.Index(
                "points_balance", models.F("last_activity_at").desc(nulls_last=True), name="member_by_points"
            ),
        ),
        ResumableAddIndex("member", models.Index(fields=["created_at"], name="member_by_joining")),
    ]
