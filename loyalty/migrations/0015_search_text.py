from django.db import migrations, models
from django.db.models.functions import Concat, Lower


class Migration(migrations.Migration):
    """Writes every member anew: a million take some seconds, in which nobody gets points."""

    dependencies = [("loyalty", "0014_index_of_lifetime_points")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="search_text",
            field=models.GeneratedField(
                db_persist=True,
                editable=False,
                expression=Lower(
                    Concat(
                        "name",
                        models.Value("\n"),
                        "email",
                        models.Value("\n"),
                        "phone",
                        output_field=models.TextField(),
                    )
                ),
                output_field=models.TextField(db_collation="C"),
            ),
        ),
    ]
