"""The header of staff's pages: where somebody may go, and what needs attention. `config` says what there is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import Error

# Of what needs attention: calls for the waiter and the bill, orders to approve, late tickets, dockets not printed,
# orders to carry, bills left open, mails that could not be sent.
KINDS = ["waiter", "bill", "held", "late", "dockets", "ready", "left_open", "mail"]


@dataclass(frozen=True, slots=True)
class Place:
    """Its title is the one word for it: in the header, in titles and headings, in the admin.

    `is_main`: in the header. The start page has all of them.
    """

    name: str
    title: str
    about: str
    url: str
    is_main: bool = True


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for somebody: `count` of it, in one sentence, and where to deal with it.

    `tables`: where orders of tables wait, the first of them; `section`: where a single table stands; `since`: for how
    long, or the first of several.
    """

    kind: str
    count: int
    text: str
    url: str
    is_urgent: bool = True
    tables: str = ""
    section: str = ""
    since: datetime | None = None


_places: Callable[[Any], list[Place]] | None = None
_needs: Callable[[Any], list[Need] | None] | None = None


def register(places: Callable[[Any], list[Place]], needs: Callable[[Any], list[Need] | None]) -> None:
    """Both take a user. `needs` takes a query, for managers two, and returns None for whom nothing can need."""
    global _places, _needs
    _places, _needs = places, needs


def places(user: Any) -> list[Place]:
    return _places(user) if _places else []


@dataclass(frozen=True, slots=True)
class Attention:
    """`is_known` is False where it could not be counted."""

    needs: list[Need]
    is_known: bool = True

    @property
    def count(self) -> int:
        """Mails count once: whatever their number, it is one mail server."""
        return sum(1 if need.kind == "mail" else need.count for need in self.needs)


def attention(user: Any) -> Attention | None:
    """What needs this user, the most urgent first. None for whom nothing can need.

    A page without the count is better than no page: a database error makes it unknown.
    """
    try:
        found = _needs(user) if _needs else None
    except Error:
        return Attention([], is_known=False)
    return None if found is None else Attention(found)
