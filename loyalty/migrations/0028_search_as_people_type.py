from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models
from django.db.models import Func, TextField, Value
from django.db.models.functions import Concat

TEXT = Concat("name", Value("\n"), "email", Value("\n"), "phone", output_field=TextField())
NUMBER = [Value(r"^\s*00|\(0\)|\D"), Value(""), Value("g")]


class Migration(migrations.Migration):
    """Writes every member anew, with indexes: a million take a minute or two, in which nobody gets points."""

    dependencies = [("loyalty", "0027_language_of_members"), ("web", "0006_plain_text")]

    operations = [
        migrations.RemoveIndex("member", "member_trigrams"),
        migrations.RemoveIndex("member", "member_search"),
        migrations.RemoveField("member", "search_text"),
        migrations.AddField(
            "member",
            "search_text",
            models.GeneratedField(
                db_persist=True,
                editable=False,
                expression=Concat(
                    Func(TEXT, function="plain_text", output_field=TextField()),
                    Value("\n", TextField()),
                    Func("phone", *NUMBER, function="regexp_replace", output_field=TextField()),
                ),
                output_field=TextField(db_collation="C"),
            ),
        ),
        migrations.AddIndex(
            "member",
            GinIndex(
                Func("search_text", function="trigrams", output_field=ArrayField(TextField())), name="member_trigrams"
            ),
        ),
        migrations.AddIndex("member", models.Index(fields=["search_text", "id"], name="member_search")),
    ]
