"""The header of staff's pages: its links and what needs attention. `config` registers both."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import Error

# Calls for the waiter, the bill and with a reward, orders to approve, not seen in the kitchen, and late, dockets not
# printed, orders to carry, or a part of them, bills left open, what a fiscal device has not signed, dishes without a
# station, mails not sent.
KINDS = [
    *("waiter", "bill", "reward", "held", "unseen", "late", "dockets"),
    *("ready", "ready_parts", "left_open", "fiscal", "no_station", "mail"),
]


@dataclass(frozen=True, slots=True)
class NavItem:
    """A page of staff, called by `title` everywhere. The header shows those with `is_main`, the start page all."""

    name: str
    title: str
    about: str
    url: str
    is_main: bool = True


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Something that waits for staff, `text` in a sentence, and the page to deal with it.

    `tables` names the first tables whose orders wait, `section` the section of a single one. `since` is the earliest.
    """

    kind: str
    count: int
    text: str
    url: str
    is_urgent: bool = True
    tables: str = ""
    section: str = ""
    since: datetime | None = None


_nav_items: Callable[[Any], list[NavItem]] | None = None
_attention_items: Callable[[Any], list[AttentionItem] | None] | None = None


def register(
    nav_items: Callable[[Any], list[NavItem]], attention_items: Callable[[Any], list[AttentionItem] | None]
) -> None:
    """Both take a user. `attention_items` makes at most two queries, and two for a fiscal device; see `attention`."""
    global _nav_items, _attention_items
    _nav_items, _attention_items = nav_items, attention_items


def nav_items(user: Any) -> list[NavItem]:
    return _nav_items(user) if _nav_items else []


@dataclass(frozen=True, slots=True)
class Attention:
    """`is_known` is False while the database is away."""

    needs: list[AttentionItem]
    is_known: bool = True

    @property
    def count(self) -> int:
        """Return the number of things that wait; all mails, or all dishes, are one: they have one cause."""
        return sum(1 if need.kind in ("no_station", "mail") else need.count for need in self.needs)


def attention(user: Any) -> Attention | None:
    """Return what waits for this user, most urgent first; None for users whose work never shows up here."""
    try:
        items = _attention_items(user) if _attention_items else None
    except Error:  # a page without the count is better than none
        return Attention([], is_known=False)
    return None if items is None else Attention(items)
