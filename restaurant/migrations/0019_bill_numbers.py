from django.db import migrations, models

# Bills of closed sessions, in the order in which they were closed.
NUMBER_THE_PAST = """
WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY ended_at, id) AS number
      FROM restaurant_tablesession AS past
     WHERE ended_at IS NOT NULL
       AND EXISTS (SELECT FROM restaurant_order
                    WHERE session_id = past.id AND status NOT IN ('held', 'cancelled'))
), given AS (
    UPDATE restaurant_tablesession AS session SET bill_number = numbered.number
      FROM numbered WHERE numbered.id = session.id
    RETURNING session.bill_number
)
INSERT INTO restaurant_billcounter (id, last) SELECT 1, coalesce(max(bill_number), 0) FROM given
"""


class Migration(migrations.Migration):
    dependencies = [("restaurant", "0018_covers_and_later_orders")]

    operations = [
        migrations.CreateModel(
            name="BillCounter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("last", models.PositiveIntegerField(default=0)),
            ],
            options={"default_permissions": ()},
        ),
        migrations.AddField(
            "tablesession", "bill_number", models.PositiveIntegerField(editable=False, null=True, unique=True)
        ),
        migrations.RunSQL(NUMBER_THE_PAST, migrations.RunSQL.noop),
    ]
