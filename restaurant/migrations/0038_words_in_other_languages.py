import restaurant.menu.models.words
from django.db import migrations, models


def words() -> "models.JSONField":
    return models.JSONField(
        blank=True,
        db_default={},
        default=dict,
        validators=[restaurant.menu.models.words.validate_words],
        verbose_name="in other languages",
    )


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0037_language_of_orders")]

    operations = [
        migrations.AddField(model, "words", words()) for model in ("category", "menuitem", "optiongroup", "option")
    ]
