"""Members, their points, and the rewards they buy with them."""

from loyalty.mail import FailedMail
from loyalty.models.ledger import PointTransaction, PointTransactionQuerySet
from loyalty.models.letters import Letter
from loyalty.models.locations import Location
from loyalty.models.members import Member, new_card_key
from loyalty.models.mixins import Recorded, WithCode
from loyalty.models.notifications import Notification
from loyalty.models.programme import Programme
from loyalty.models.redemptions import Confirmation, Redemption, RedemptionQuerySet
from loyalty.models.rewards import Reward
from loyalty.models.sums import LedgerDay, PointsOfQuarter

__all__ = [
    "Confirmation",
    "FailedMail",
    "LedgerDay",
    "Letter",
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
    "WithCode",
    "new_card_key",
]
