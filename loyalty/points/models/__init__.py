"""The ledger, the programme and its locations."""

from loyalty.points.models.ledger import TAKE_BACK_ANY, PointTransaction, PointTransactionQuerySet
from loyalty.points.models.locations import Location
from loyalty.points.models.programme import MultipliedPoints, NextTier, Programme
from loyalty.points.models.sums import LedgerDay, PointsOfQuarter

__all__ = [
    "TAKE_BACK_ANY",
    "LedgerDay",
    "Location",
    "MultipliedPoints",
    "NextTier",
    "PointTransaction",
    "PointTransactionQuerySet",
    "PointsOfQuarter",
    "Programme",
]
