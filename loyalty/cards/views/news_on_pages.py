"""A member's notifications as the card shows them: what is new, and what was."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from loyalty import rules
from loyalty.messages import models as messages_models

NEW_FOR = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class NewsOnPage:
    title: str
    message: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class News:
    new: list[NewsOnPage]
    earlier: list[NewsOnPage]


def news(notifications: Iterable[messages_models.Notification], *, now: datetime) -> News:
    """Newest first, as they come."""
    shown = [NewsOnPage(_readable(each.title), _readable(each.message), each.created_at) for each in notifications]
    since = now - NEW_FOR
    return News(
        new=[each for each in shown if each.created_at > since],
        earlier=[each for each in shown if each.created_at <= since],
    )


def _readable(text: str) -> str:
    """Tiers as names. They are stored as `gold` in titles and as `GOLD` in messages."""
    for tier in rules.TIER_NAMES:
        word = _(tier)
        text = re.sub(rf"\b{re.escape(word)}\b", capfirst(word), text, flags=re.IGNORECASE)
    return text
