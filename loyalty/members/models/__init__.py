"""Members."""

from loyalty.members.models.members import Member, new_card_key, trigrams
from loyalty.members.models.mixins import Recorded, WithCode

__all__ = [
    "Member",
    "Recorded",
    "WithCode",
    "new_card_key",
    "trigrams",
]
