import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('restaurant', '0001_initial'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='tablesession',
            index=models.Index(fields=['started_at'], name='session_by_start'),
        ),
        migrations.AlterField(
            model_name="order",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="orders",
                to="restaurant.tablesession",
            ),
        ),
    ]
