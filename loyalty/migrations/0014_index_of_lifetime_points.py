from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('loyalty', '0013_awards_and_spend_of_members'),
    ]

    operations = [
        AddIndexConcurrently(
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
