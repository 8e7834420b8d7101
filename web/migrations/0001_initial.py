from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Permits",
            fields=[
                ("key", models.CharField(max_length=250, primary_key=True, serialize=False)),
                ("ends_at", models.DateTimeField(db_index=True)),
                ("granted", models.BigIntegerField()),
            ],
            options={"db_table": "web_permits"},
        ),
        # No write-ahead log: counting a request must not wait for the disk.
        migrations.RunSQL("ALTER TABLE web_permits SET UNLOGGED", migrations.RunSQL.noop),
    ]
