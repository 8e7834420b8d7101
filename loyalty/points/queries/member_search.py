"""Members found by a text that was typed."""

import re

from django.db.models import F

from loyalty.members.models import Member
from loyalty.points.queries.search import Found

SEARCH_ROWS = 20
_LATELY = 10_000  # guests whose names are read, where a text is in more names than are shown
_LAST_VISIT_FIRST = (F("last_activity_at").desc(nulls_last=True), "name", "id")


def search_members(text: str, *, most: int = SEARCH_ROWS) -> list[Member]:
    """By a part of name, email or phone: at most so many, most recently active first."""
    if not text or "\0" in text:
        return []
    found = Found(Member.objects.filter(erased_at=None), [text]).to_sort()
    return list(found.order_by(*_LAST_VISIT_FIRST)[:most])


def members_named(text: str) -> list[Member]:
    """Of the guests who came last, those of whose names a word begins with the text, most recently active first."""
    lately = Member.objects.filter(erased_at=None).order_by(*_LAST_VISIT_FIRST).values("pk")[:_LATELY]
    named = Member.objects.filter(pk__in=lately, name__iregex=rf"(^|\W){re.escape(text)}")
    return list(named.order_by(*_LAST_VISIT_FIRST)[:SEARCH_ROWS])
