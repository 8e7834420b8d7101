from django.db import migrations, models


def _recorded_by(model_name):
    field = models.CharField(blank=True, editable=False, max_length=150, null=True, verbose_name="entered by")
    return migrations.AddField(model_name=model_name, name="recorded_by", field=field)


class Migration(migrations.Migration):
    """Nullable columns without a default: however large a table is, it is locked for a moment only."""

    dependencies = [
        ("loyalty", "0005_results_of_repeated_requests"),
    ]

    operations = [
        _recorded_by("pointtransaction"),
        _recorded_by("redemption"),
        _recorded_by("confirmation"),
    ]
