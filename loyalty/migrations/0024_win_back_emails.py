# The model has a new name, and its table the old one: nothing is done to the database.

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('loyalty', '0023_failed_mails'),
    ]

    operations = [
        migrations.AlterModelTable(
            name='letter',
            table='loyalty_letter',
        ),
        migrations.RenameModel(
            old_name='Letter',
            new_name='WinBackEmail',
        ),
        migrations.AlterField(
            model_name='winbackemail',
            name='customer',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='win_back_emails', to='loyalty.member'),
        ),
    ]
