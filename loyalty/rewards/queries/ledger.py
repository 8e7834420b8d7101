"""Comparing the ledger with the points that are stored of each member."""

from decimal import Decimal
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from loyalty.members.models import Member
from loyalty.rewards.models import Redemption


def unbalanced_members() -> QuerySet[Any]:
    """Return members whose stored points differ from the ledger, with the ledger's figures.

    `ledger_balance` is the sum of the transactions, `ledger_lifetime` that of the imported ones and of the awards that
    were not taken back, `ledger_awards` the number of these and `ledger_spend` the sum of their order totals.
    `ledger_spent` is what was redeemed and not cancelled, and `redeemed` the same according to the redemptions.
    """
    points, total = "transactions__points", "transactions__order_total"
    award, reversed_award = Q(transactions__type="earn"), Q(transactions__reverses__type="earn")
    spent = Q(transactions__type="redeem") | Q(transactions__reverses__type="redeem")
    not_cancelled = Redemption.objects.exclude(status=Redemption.Status.CANCELLED)
    of_member = not_cancelled.filter(customer=OuterRef("pk")).order_by().values("customer")
    return (
        Member.objects.annotate(
            ledger_balance=Coalesce(Sum(points), 0),
            ledger_lifetime=Coalesce(Sum(points, filter=award | Q(transactions__type="import")), 0)
            - Coalesce(Sum("transactions__reverses__points", filter=reversed_award), 0),
            ledger_awards=Count("transactions", filter=award) - Count("transactions", filter=reversed_award),
            ledger_spend=Coalesce(Sum(total, filter=award | reversed_award), Decimal(0)),
            ledger_spent=-Coalesce(Sum(points, filter=spent), 0),
            redeemed=Coalesce(Subquery(of_member.values(total=Sum("points_spent"))), 0),
        )
        .exclude(
            points_balance=F("ledger_balance"),
            lifetime_points=F("ledger_lifetime"),
            awards=F("ledger_awards"),
            spend=F("ledger_spend"),
            redeemed=F("ledger_spent"),
        )
        .order_by("pk")
    )
