"""Members, their points, and the rewards they buy with them."""

from loyalty.mail import FailedMail
from loyalty.members.models import Member, Recorded, WithCode, new_card_key
from loyalty.messages.models import Notification, WinBackEmail
from loyalty.points.models import (
    LedgerDay,
    Location,
    PointsOfQuarter,
    PointTransaction,
    PointTransactionQuerySet,
    Programme,
)
from loyalty.rewards.models import Confirmation, Redemption, RedemptionQuerySet, Reward

__all__ = [
    "Confirmation",
    "FailedMail",
    "LedgerDay",
    "Location",
    "Member",
    "Notification",
    "PointTransaction",
    "PointTransactionQuerySet",
    "PointsOfQuarter",
    "Programme",
    "Recorded",
    "Redemption",
    "RedemptionQuerySet",
    "Reward",
    "WinBackEmail",
    "WithCode",
    "new_card_key",
]
