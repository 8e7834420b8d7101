"""Reading members, rewards, redemptions and the ledger."""

from loyalty.models import Location, Member, Notification, Redemption, Reward
from loyalty.queries.activity import activity, reversible_purchases
from loyalty.queries.cards import Card, ErasureOffer, OwnCard, TillCard, card, erasure_offer, own_card, till_card
from loyalty.queries.codes import image_url, normalized_code
from loyalty.queries.expiry import Expiring, expired_already, expiring, expiry_limit, members_with_expired_points
from loyalty.queries.ledger import unbalanced_members
from loyalty.queries.locations import CHECKIN_WINDOW, CheckIn, check_in, location, locations
from loyalty.queries.member_search import SEARCH_ROWS, members_named, search_members
from loyalty.queries.members import (
    CARD_ROWS,
    EMAIL_LINK_LIFETIME,
    UNDO_WINDOW,
    member,
    member_by_email,
    member_count,
    member_or_erased,
    members_by_tier,
    unconfirmed_email,
)
from loyalty.queries.notifications import FailingMail, failing_mail, notifications
from loyalty.queries.programme import PROGRAMME_FIELDS, UnusualAward, programme, unusual_award
from loyalty.queries.redemptions import (
    active_redemptions,
    confirmation,
    handed_out,
    is_undoable,
    redemption,
    state_of,
    valid_redemption,
)
from loyalty.queries.rewards import Catalogue, RedemptionOffer, catalogue, redemption_offer, rewards_for, rewards_ready
from loyalty.queries.times import is_today, last_day, local_text, local_text_today, until_text

__all__ = [
    "CARD_ROWS",
    "CHECKIN_WINDOW",
    "EMAIL_LINK_LIFETIME",
    "PROGRAMME_FIELDS",
    "SEARCH_ROWS",
    "UNDO_WINDOW",
    "Card",
    "Catalogue",
    "CheckIn",
    "ErasureOffer",
    "Expiring",
    "FailingMail",
    "Location",
    "Member",
    "Notification",
    "OwnCard",
    "Redemption",
    "RedemptionOffer",
    "Reward",
    "TillCard",
    "UnusualAward",
    "active_redemptions",
    "activity",
    "card",
    "catalogue",
    "check_in",
    "confirmation",
    "erasure_offer",
    "expired_already",
    "expiring",
    "expiry_limit",
    "failing_mail",
    "handed_out",
    "image_url",
    "is_today",
    "is_undoable",
    "last_day",
    "local_text",
    "local_text_today",
    "location",
    "locations",
    "member",
    "member_by_email",
    "member_count",
    "member_or_erased",
    "members_by_tier",
    "members_named",
    "members_with_expired_points",
    "normalized_code",
    "notifications",
    "own_card",
    "programme",
    "redemption",
    "redemption_offer",
    "reversible_purchases",
    "rewards_for",
    "rewards_ready",
    "search_members",
    "state_of",
    "till_card",
    "unbalanced_members",
    "unconfirmed_email",
    "until_text",
    "unusual_award",
    "valid_redemption",
]
