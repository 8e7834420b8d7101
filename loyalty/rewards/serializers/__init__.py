"""Requests and responses about rewards."""

from loyalty.rewards.serializers.redemptions import (
    CancelledRedemption,
    ConfirmationDetails,
    ConfirmBody,
    Confirmed,
    RedeemBody,
    Undone,
    UsedError,
    ValidRedemption,
)
from loyalty.rewards.serializers.rewards import Catalogue, OfferedReward, PointsError, Redeemed, RedemptionOffer

__all__ = [
    "CancelledRedemption",
    "Catalogue",
    "ConfirmBody",
    "ConfirmationDetails",
    "Confirmed",
    "OfferedReward",
    "PointsError",
    "RedeemBody",
    "Redeemed",
    "RedemptionOffer",
    "Undone",
    "UsedError",
    "ValidRedemption",
]
