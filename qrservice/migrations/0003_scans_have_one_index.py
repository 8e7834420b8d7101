import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('qrservice', '0002_api_keys'),
    ]

    operations = [
        migrations.AlterField(
            model_name='scan',
            name='code',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scans', to='qrservice.code', verbose_name='QR code'),
        ),
    ]
