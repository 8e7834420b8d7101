import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('loyalty', '0003_sign_out_of_a_card'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='pointtransaction',
            index=models.Index(fields=['created_at'], include=('points',), name='transaction_by_time'),
        ),
        migrations.AddIndex(
            model_name='pointtransaction',
            index=models.Index(condition=models.Q(('type', 'earn')), fields=['customer'], include=('order_total',), name='transaction_spent_by_member'),
        ),
        migrations.AddIndex(
            model_name='redemption',
            index=models.Index(fields=['created_at'], name='redemption_by_time'),
        ),
        migrations.AlterField(
            model_name="pointtransaction",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transactions",
                to="loyalty.member",
            ),
        ),
    ]
