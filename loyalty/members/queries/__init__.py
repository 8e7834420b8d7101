"""Reading members."""

from loyalty.members.queries.codes import normalized_code
from loyalty.members.queries.members import (
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
from loyalty.members.queries.times import is_today, local_text, local_text_today

__all__ = [
    "CARD_ROWS",
    "EMAIL_LINK_LIFETIME",
    "UNDO_WINDOW",
    "is_today",
    "local_text",
    "local_text_today",
    "member",
    "member_by_email",
    "member_count",
    "member_or_erased",
    "members_by_tier",
    "normalized_code",
    "unconfirmed_email",
]
