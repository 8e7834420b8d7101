import django.core.validators
import web.money
from decimal import Decimal
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('loyalty', '0025_names_of_members'),
    ]

    operations = [
        migrations.AlterField(
            model_name='member',
            name='spend',
            field=web.money.MoneyField(db_default=0, default=Decimal('0'), editable=False, max_digits=15),
        ),
        migrations.AlterField(
            model_name='pointtransaction',
            name='order_total',
            field=web.money.MoneyField(blank=True, max_digits=11, null=True, verbose_name='order total'),
        ),
        migrations.AlterField(
            model_name='programme',
            name='confirm_above',
            field=web.money.MoneyField(default=Decimal('500'), help_text='The till asks whether the amount is right before it gives points for a larger bill.', max_digits=11, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='ask before bills above'),
        ),
    ]
