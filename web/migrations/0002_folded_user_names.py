from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from web.usernames import fold


def fold_names(apps: Any, schema_editor: Any) -> None:
    """Of users whose names look alike the first one has it: the others sign in as exactly as before."""
    folded: dict[str, int] = {}
    for pk, username in apps.get_model("auth", "User").objects.order_by("pk").values_list("pk", "username"):
        folded.setdefault(fold(username), pk)
    model = apps.get_model("web", "FoldedUsername")
    model.objects.bulk_create(model(user_id=pk, text=text) for text, pk in folded.items())


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("web", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="FoldedUsername",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="folded_username",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("text", models.CharField(max_length=600, unique=True)),
            ],
            options={"default_permissions": ()},
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
    ]
