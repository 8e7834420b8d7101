import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('restaurant', '0038_words_in_other_languages'),
    ]

    operations = [
        migrations.AlterField(
            model_name='order',
            name='points_collected',
            field=models.PositiveIntegerField(editable=False, null=True, verbose_name='points collected'),
        ),
        migrations.AlterField(
            model_name='printjob',
            name='printer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='restaurant.printer', verbose_name='printer'),
        ),
    ]
