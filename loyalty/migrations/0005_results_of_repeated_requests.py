from django.db import migrations, models

# The result is stored under the service's own names instead of those of the JSON response.
_NAMES = {
    "earn": {"points": "pointsEarned", "balance": "newBalance", "tier": "tier", "message": "message"},
    "redeem": {
        "code": "redemptionCode",
        "image_url": "qrCodeUrl",
        "reward": "reward",
        "expires_at": "expiresAt",
        "message": "message",
    },
}


def _rename(type_: str, names: list[tuple[str, str]]) -> str:
    pairs = ", ".join(f"'{new}', result::jsonb -> '{old}'" for new, old in names)
    return f"""
        UPDATE loyalty_pointtransaction SET result = jsonb_build_object({pairs})::text
         WHERE idempotency_key IS NOT NULL AND type = '{type_}' AND result <> ''
    """


class Migration(migrations.Migration):
    dependencies = [
        ("loyalty", "0004_indexes_of_the_reports"),
    ]

    operations = [
        migrations.RenameField("pointtransaction", "answer", "result"),
        migrations.RunSQL(
            [_rename(type_, list(names.items())) for type_, names in _NAMES.items()],
            [_rename(type_, [(old, new) for new, old in names.items()]) for type_, names in _NAMES.items()],
        ),
        migrations.AlterField(
            model_name="pointtransaction",
            name="type",
            field=models.CharField(
                choices=[("earn", "earned"), ("redeem", "redeemed"), ("expire", "removed"), ("bonus", "added")],
                max_length=50,
                verbose_name="type",
            ),
        ),
        migrations.AlterField(
            model_name="confirmation",
            name="message",
            field=models.TextField(verbose_name="message to staff"),
        ),
    ]
