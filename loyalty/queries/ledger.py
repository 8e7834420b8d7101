"""The ledger against what is stored of each member."""

from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from loyalty.models import Member, Redemption


def unbalanced_members() -> QuerySet[Any]:
    """Members whose stored points differ from the ledger, with the ledger's figures.

    `ledger_balance` is the sum of the transactions, `ledger_lifetime` that of the awards that were not taken back,
    `ledger_spent` what was redeemed and not cancelled, and `redeemed` the same according to the redemptions.
    """
    points, reversed_award = "transactions__points", Q(transactions__reverses__type="earn")
    spent = Q(transactions__type="redeem") | Q(transactions__reverses__type="redeem")
    kept = Redemption.objects.exclude(status=Redemption.Status.CANCELLED)
    of_member = kept.filter(customer=OuterRef("pk")).order_by().values("customer")
    return (
        Member.objects.annotate(
            ledger_balance=Coalesce(Sum(points), 0),
            ledger_lifetime=Coalesce(Sum(points, filter=Q(transactions__type="earn")), 0)
            - Coalesce(Sum("transactions__reverses__points", filter=reversed_award), 0),
            ledger_spent=-Coalesce(Sum(points, filter=spent), 0),
            redeemed=Coalesce(Subquery(of_member.values(total=Sum("points_spent"))), 0),
        )
        .exclude(points_balance=F("ledger_balance"), lifetime_points=F("ledger_lifetime"), redeemed=F("ledger_spent"))
        .order_by("pk")
    )
