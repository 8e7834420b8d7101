from decimal import Decimal

from django.db import migrations, models

FILL = """
UPDATE loyalty_member SET awards = summed.awards, spend = summed.spend
  FROM (SELECT customer_id, coalesce(sum(order_total), 0) AS spend,
               count(*) FILTER (WHERE type = 'earn')
               - count(*) FILTER (WHERE type = 'reversal' AND order_total IS NOT NULL) AS awards
          FROM loyalty_pointtransaction WHERE type IN ('earn', 'reversal') GROUP BY customer_id) AS summed
 WHERE customer_id = loyalty_member.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('loyalty', '0012_erased_members'),
    ]

    operations = [
        migrations.AddField(
            model_name='member',
            name='awards',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='member',
            name='spend',
            field=models.DecimalField(db_default=0, decimal_places=2, default=Decimal('0'), editable=False, max_digits=14),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
