import django.core.validators
import web.money
from decimal import Decimal
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('restaurant', '0021_money'),
    ]

    operations = [
        migrations.AlterField(
            model_name='menuitem',
            name='cost',
            field=web.money.MoneyField(blank=True, max_digits=11, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='food cost'),
        ),
        migrations.AlterField(
            model_name='menuitem',
            name='price',
            field=web.money.MoneyField(max_digits=11, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='price'),
        ),
        migrations.AlterField(
            model_name='option',
            name='price',
            field=web.money.MoneyField(default=Decimal('0'), max_digits=9, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='extra price'),
        ),
        migrations.AlterField(
            model_name='order',
            name='total',
            field=web.money.MoneyField(max_digits=11, verbose_name='total'),
        ),
        migrations.AlterField(
            model_name='orderchange',
            name='amount',
            field=web.money.MoneyField(max_digits=11, verbose_name='amount'),
        ),
        migrations.AlterField(
            model_name='orderingrules',
            name='approval_above',
            field=web.money.MoneyField(blank=True, help_text='Larger orders wait for a member of staff. Empty: none do.', max_digits=11, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='approve orders above'),
        ),
        migrations.AlterField(
            model_name='orderingrules',
            name='cash_rounding',
            field=web.money.MoneyField(blank=True, help_text='What is paid in cash is rounded to it, such as 0.05. Empty: not rounded.', max_digits=6, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.001'))], verbose_name='smallest coin'),
        ),
        migrations.AlterField(
            model_name='orderitem',
            name='price',
            field=web.money.MoneyField(max_digits=11, verbose_name='unit price'),
        ),
        migrations.AlterField(
            model_name='salesofitem',
            name='revenue',
            field=web.money.MoneyField(max_digits=15),
        ),
        migrations.AlterField(
            model_name='salesofquarter',
            name='revenue',
            field=web.money.MoneyField(max_digits=15),
        ),
        migrations.AlterField(
            model_name='tablesession',
            name='total_revenue',
            field=web.money.MoneyField(default=Decimal('0'), verbose_name='revenue'),
        ),
    ]
