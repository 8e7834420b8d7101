
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import restaurant.menu.models.allergens
import restaurant.menu.models.stations
import uuid
from decimal import Decimal
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('restaurant', '0005_the_evening'),
    ]

    operations = [
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('position', models.PositiveIntegerField(blank=True, help_text='Lower comes first. Empty: after those with one, by name.', null=True, verbose_name='position')),
                ('vat_rate', models.DecimalField(blank=True, decimal_places=2, help_text='Included in the price. Empty: the rate of the ordering rules.', max_digits=5, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='VAT in percent')),
                ('opens', models.TimeField(blank=True, help_text='For sale from this time on.', null=True, verbose_name='from')),
                ('closes', models.TimeField(blank=True, help_text='May be after midnight.', null=True, verbose_name='until')),
                ('weekdays', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')]), blank=True, default=list, size=None, verbose_name='days')),
            ],
            options={
                'verbose_name': 'category',
                'verbose_name_plural': 'categories',
                'ordering': [models.OrderBy(models.F('position'), nulls_last=True), 'name'],
            },
        ),
        migrations.CreateModel(
            name='ItemOptionGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(default=0, verbose_name='position')),
            ],
            options={
                'verbose_name': 'group of options',
                'verbose_name_plural': 'options',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='OpeningHours',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('weekday', models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], verbose_name='day')),
                ('opens', models.TimeField(verbose_name='opens')),
                ('closes', models.TimeField(help_text='Earlier than the opening: on the next day.', verbose_name='closes')),
            ],
            options={
                'verbose_name': 'opening hours',
                'verbose_name_plural': 'opening hours',
                'ordering': ['weekday', 'opens'],
            },
        ),
        migrations.CreateModel(
            name='Option',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('price', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=8, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='extra price')),
                ('available', models.BooleanField(default=True, verbose_name='available')),
                ('position', models.PositiveIntegerField(default=0, verbose_name='position')),
                ('allergens', models.JSONField(blank=True, default=dict, validators=[restaurant.menu.models.allergens.validate_declaration], verbose_name='allergens')),
            ],
            options={
                'verbose_name': 'option',
                'verbose_name_plural': 'options',
                'ordering': ['position', 'name'],
            },
        ),
        migrations.CreateModel(
            name='OptionGroup',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(help_text='What guests read, such as “How would you like it?”', max_length=100, verbose_name='name')),
                ('min_choices', models.PositiveSmallIntegerField(default=0, verbose_name='at least')),
                ('max_choices', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='at most')),
            ],
            options={
                'verbose_name': 'option group',
                'verbose_name_plural': 'option groups',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('description', models.CharField(blank=True, default='', help_text="What it shows, for people who can't see it. Empty: the dish's name.", max_length=200, verbose_name='description')),
                ('width', models.PositiveIntegerField(editable=False)),
                ('height', models.PositiveIntegerField(editable=False)),
                ('widths', models.JSONField(default=list, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name': 'picture',
                'verbose_name_plural': 'pictures',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='PictureVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('width', models.PositiveIntegerField()),
                ('height', models.PositiveIntegerField()),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('content_type', models.CharField(max_length=30)),
                ('data', models.BinaryField()),
            ],
            options={
                'ordering': ['width'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Printer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=50, unique=True, verbose_name='name')),
                ('host', models.CharField(help_text='Its name or address in your network.', max_length=255, verbose_name='host')),
                ('port', models.PositiveIntegerField(default=9100, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(65535)], verbose_name='port')),
                ('columns', models.PositiveSmallIntegerField(choices=[(48, '48 (80 mm paper)'), (42, '42 (80 mm paper, larger letters)')], default=48, verbose_name='characters in a line')),
                ('active', models.BooleanField(default=True, verbose_name='active')),
            ],
            options={
                'verbose_name': 'printer',
                'verbose_name_plural': 'printers',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='PrintJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('order', 'order'), ('cancelled', 'cancelled')], db_default='order', default='order', max_length=20, verbose_name='kind')),
                ('cancelled_items', models.JSONField(db_default=[], default=list)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('printed', 'printed'), ('dropped', 'given up')], db_default='waiting', default='waiting', max_length=20, verbose_name='state')),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, verbose_name='attempts')),
                ('error', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='error')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='created')),
                ('printed_at', models.DateTimeField(blank=True, null=True, verbose_name='printed')),
            ],
            options={
                'verbose_name': 'docket',
                'verbose_name_plural': 'dockets',
                'ordering': ['created_at', 'pk'],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='Station',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=50, unique=True, verbose_name='name')),
                ('slug', models.SlugField(help_text='Its display is at /kitchen/ and this.', unique=True, validators=[restaurant.menu.models.stations.validate_station_slug], verbose_name='address')),
            ],
            options={
                'verbose_name': 'station',
                'verbose_name_plural': 'stations',
                'ordering': ['name'],
            },
        ),
        migrations.AlterModelOptions(
            name='menuitem',
            options={'ordering': ['category', models.OrderBy(models.F('position'), nulls_last=True), 'name'], 'verbose_name': 'menu item', 'verbose_name_plural': 'menu items'},
        ),
        migrations.RemoveConstraint(
            model_name='cartline',
            name='cart_line_once_per_item',
        ),
        migrations.AddField(
            model_name='cartline',
            name='options',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), blank=True, db_default=[], default=list, size=None),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='allergens',
            field=models.JSONField(blank=True, default=dict, validators=[restaurant.menu.models.allergens.validate_declaration], verbose_name='allergens'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='diet',
            field=models.CharField(blank=True, choices=[('', 'neither'), ('vegetarian', 'vegetarian'), ('vegan', 'vegan')], default='', max_length=20, verbose_name='diet'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='portions',
            field=models.PositiveIntegerField(blank=True, help_text='Orders take from it. Empty: unlimited.', null=True, verbose_name='portions left'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='position',
            field=models.PositiveIntegerField(blank=True, help_text='Lower comes first. Empty: after those with one, by name.', null=True, verbose_name='position'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='sold_out_until',
            field=models.DateTimeField(blank=True, null=True, verbose_name='sold out until'),
        ),
        migrations.AddField(
            model_name='order',
            name='allergies',
            field=models.JSONField(blank=True, db_default=[], default=list, verbose_name='allergies'),
        ),
        migrations.AddField(
            model_name='order',
            name='ready_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='ready'),
        ),
        migrations.AddField(
            model_name='order',
            name='served_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='served'),
        ),
        migrations.AddField(
            model_name='orderingrules',
            name='paused_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='orderitem',
            name='alert',
            field=models.JSONField(blank=True, db_default=[], default=list, verbose_name='allergy alert'),
        ),
        migrations.AddField(
            model_name='orderitem',
            name='done_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='done'),
        ),
        migrations.AddField(
            model_name='orderitem',
            name='options',
            field=models.JSONField(blank=True, db_default=[], default=list, verbose_name='options'),
        ),
        migrations.AddField(
            model_name='orderitem',
            name='took_portions',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='menuitem',
            name='image_url',
            field=models.URLField(blank=True, default='', max_length=500, verbose_name='picture'),
        ),
        migrations.AlterField(
            model_name='menuitem',
            name='vat_rate',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='Included in the price. Empty: the rate of the category, or of the ordering rules.', max_digits=5, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='VAT in percent'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('served_at__isnull', False)), fields=['served_at'], name='order_served'),
        ),
        migrations.AddConstraint(
            model_name='cartline',
            constraint=models.UniqueConstraint(fields=('session', 'guest', 'menu_item', 'options'), name='cart_line_once_per_choice'),
        ),
        migrations.AddField(
            model_name='itemoptiongroup',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='item_groups', to='restaurant.menuitem'),
        ),
        migrations.AddConstraint(
            model_name='openinghours',
            constraint=models.UniqueConstraint(fields=('weekday', 'opens'), name='opening_hours_once'),
        ),
        migrations.AddConstraint(
            model_name='optiongroup',
            constraint=models.CheckConstraint(condition=models.Q(('max_choices__gte', 1), ('max_choices__gte', models.F('min_choices'))), name='option_group_bounds'),
        ),
        migrations.AddField(
            model_name='option',
            name='group',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='restaurant.optiongroup', verbose_name='group'),
        ),
        migrations.AddField(
            model_name='itemoptiongroup',
            name='group',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='item_groups', to='restaurant.optiongroup', verbose_name='group of options'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='option_groups',
            field=models.ManyToManyField(blank=True, related_name='items', through='restaurant.ItemOptionGroup', to='restaurant.optiongroup', verbose_name='options'),
        ),
        migrations.AddField(
            model_name='menuitem',
            name='picture',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='item', to='restaurant.picture'),
        ),
        migrations.AddField(
            model_name='pictureversion',
            name='picture',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='restaurant.picture'),
        ),
        migrations.AddField(
            model_name='printjob',
            name='order',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='print_jobs', to='restaurant.order'),
        ),
        migrations.AddField(
            model_name='printjob',
            name='printer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='restaurant.printer'),
        ),
        migrations.AddField(
            model_name='printer',
            name='station',
            field=models.ForeignKey(blank=True, help_text='Empty: it prints every order.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='printers', to='restaurant.station', verbose_name='station'),
        ),
        migrations.AddField(
            model_name='category',
            name='station',
            field=models.ForeignKey(blank=True, help_text='The part of the kitchen that makes it.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='categories', to='restaurant.station', verbose_name='station'),
        ),
        migrations.AddField(
            model_name='orderitem',
            name='station',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='restaurant.station'),
        ),
        migrations.AddConstraint(
            model_name='option',
            constraint=models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='option_price_is_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='option',
            constraint=models.UniqueConstraint(fields=('group', 'name'), name='option_once_in_its_group'),
        ),
        migrations.AddConstraint(
            model_name='itemoptiongroup',
            constraint=models.UniqueConstraint(fields=('item', 'group'), name='option_group_once_for_each_item'),
        ),
        migrations.AddConstraint(
            model_name='pictureversion',
            constraint=models.UniqueConstraint(fields=('picture', 'width'), name='picture_once_for_each_width'),
        ),
        migrations.AddIndex(
            model_name='printjob',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['printer', 'created_at'], name='print_job_waiting'),
        ),
    ]
