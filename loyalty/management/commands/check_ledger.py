"""`manage.py check_ledger`: compares every balance with the sum of its transactions."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from loyalty.members.models import Member
from loyalty.rewards.queries.ledger import unbalanced_members


class Command(BaseCommand):
    help = "Compares every member's stored points with the ledger; exits with 1 where they differ."

    def handle(self, *args: Any, **options: Any) -> None:
        count = 0
        for member in unbalanced_members().iterator():
            count += 1
            self.stdout.write(
                f"{member.pk}: balance {member.points_balance}, ledger {member.ledger_balance}; "
                f"lifetime {member.lifetime_points}, ledger {member.ledger_lifetime}; "
                f"redemptions {member.redeemed}, ledger {member.ledger_spent}; "
                f"awards {member.awards}, ledger {member.ledger_awards}; spend {member.spend}, "
                f"ledger {member.ledger_spend}"
            )
        if count:
            raise CommandError(f"The ledger does not balance for {count} of {Member.objects.count()} members.")
        self.stdout.write(f"The ledger balances: {Member.objects.count()} members.")
