"""Reading members."""

from loyalty.members.queries.codes import image_url, normalized_code
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
from loyalty.members.queries.times import is_today, last_day, local_text, local_text_today, until_text

__all__ = [
    "CARD_ROWS",
    "EMAIL_LINK_LIFETIME",
    "UNDO_WINDOW",
    "image_url",
    "is_today",
    "last_day",
    "local_text",
    "local_text_today",
    "member",
    "member_by_email",
    "member_count",
    "member_or_erased",
    "members_by_tier",
    "normalized_code",
    "unconfirmed_email",
    "until_text",
]
