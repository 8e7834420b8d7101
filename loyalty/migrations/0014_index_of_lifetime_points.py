from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations, models

from web.indexes import ResumableAddIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('loyalty', '0013_awards_and_spend_of_members'),
    ]

    operations = [
        ResumableAddIndex(
            model_name='member',
            index=models.Index(
                fields=['-lifetime_points'],
                include=['points_balance', 'last_activity_at', 'erased_at'],
                name='member_by_lifetime_points',
            ),
        ),
        RemoveIndexConcurrently(
            model_name='pointtransaction',
            name='transaction_spent_net',
        ),
    ]
