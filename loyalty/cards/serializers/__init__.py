"""Cards as JSON."""

from loyalty.cards.serializers.cards import Account, MemberCard
from loyalty.cards.serializers.privacy import Erased, ErasureOffer, StoredData

__all__ = [
    "Account",
    "Erased",
    "ErasureOffer",
    "MemberCard",
    "StoredData",
]
