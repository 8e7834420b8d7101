"""The loyalty programme, as far as the restaurant knows one. `config` connects it.

See "Points from the table" in docs/behaviour.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from django.http import HttpRequest

from web import venue


@dataclass(frozen=True, slots=True)
class Card:
    """A member's card. `reference` is what an order keeps of it, and means nothing here; nor does `tier`."""

    reference: str
    first_name: str
    tier: str
    path: str  # of its page
    points: int


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose card it is, as staff see members: the whole name, and the path of their page."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Codes:
    """What a card has been redeemed for and was not used yet.

    `ends_soon`: the reward whose code does, and is the first to; `ends`: when, in words. Both empty: none does.
    """

    count: int
    ends_soon: str
    ends: str


@dataclass(frozen=True, slots=True)
class Given:
    """`points` that came onto `cards`, without those that were taken back; and `rewards` that were handed out, which
    had cost `spent` points.
    """

    points: int
    cards: int
    rewards: int
    spent: int


class Programme(Protocol):
    def card_of_phone(self, request: HttpRequest) -> Card | None:
        """The card that the phone is signed in to."""

    def card(self, reference: str) -> Card | None:
        """None if there is no such card any more."""

    def holder(self, reference: str, user: Any) -> Holder | None:
        """None if there is no such card any more, or the user may not see members."""

    def codes_to_use(self, card: Card) -> Codes: ...

    def points_for(self, totals: Iterable[Decimal], card: Card | None) -> int:
        """What orders of these totals earn on this card, or on a new one."""

    def bonus_of(self, card: Card) -> str:
        """What its tier multiplies points by, in words; empty where that is nothing."""

    def award(self, reference: str, order_id: str, total: Decimal) -> int | None:
        """Award the points for an order, once however often it is called, and return them.

        None if there is nobody to award them to, now and later. Any error: not now.
        """

    def given(self, since: datetime, until: datetime) -> Given:
        """`until` is not in it."""

    def take_back(self, reference: str, order_id: str) -> None:
        """Take back what was awarded for an order, once however often it is called. Any error: not now."""


_connected: Programme | None = None


def connect(programme: Programme) -> None:
    global _connected  # noqa: PLW0603
    _connected = programme


def current() -> Programme | None:
    """None unless the owner has named the location where tables earn."""
    return _connected if venue.current().location_id else None


def given(since: datetime, until: datetime) -> Given | None:
    """None where guests collect nothing: no table earns, and nobody was given anything."""
    found = _connected.given(since, until) if _connected else None
    return found if found and (found.points or found.rewards or venue.current().location_id) else None
