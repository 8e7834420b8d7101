import qrservice.addresses
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('qrservice', '0004_codes_of_places_have_an_index'),
    ]

    operations = [
        migrations.AlterField(
            model_name='code',
            name='analytics_id',
            field=models.CharField(default=qrservice.addresses.new_analytics_id, editable=False, max_length=32, unique=True, verbose_name='analytics ID'),
        ),
    ]
