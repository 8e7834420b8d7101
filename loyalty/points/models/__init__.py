"""The ledger, the programme and its locations."""

from loyalty.points.models.ledger import PointTransaction, PointTransactionQuerySet
from loyalty.points.models.locations import Location
from loyalty.points.models.programme import MultipliedPoints, NextTier, Programme
from loyalty.points.models.sums import LedgerDay, PointsOfQuarter

__all__ = [
    "LedgerDay",
    "Location",
    "MultipliedPoints",
    "NextTier",
    "PointTransaction",
    "PointTransactionQuerySet",
    "PointsOfQuarter",
    "Programme",
]
