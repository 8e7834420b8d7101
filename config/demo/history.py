"""The past of the demonstration restaurant, as rows that are not stored yet."""

import random
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model

from config.demo import people
from loyalty.models import Location, Programme, Reward
from qrservice.models import Scan
from restaurant.models import MenuItem

Choice = TypeVar("Choice")
Row = TypeVar("Row", bound=Model)

DAYS = 425  # since the first member joined


class History:
    """Rows by their model, such as `history[Order]`, and the scans of QR codes.

    Nothing in it is later than `now`. A member's transactions are in chronological order.
    """

    def __init__(self, now: datetime, zone: tzinfo, programme: Programme | None = None) -> None:
        self.now, self.zone, self.programme = now, zone, programme or Programme()
        self.today = now.astimezone(zone).date()
        self.opened = now - timedelta(days=DAYS + 2)
        self.rng = random.Random("Fig & Fennel")  # nothing secret: passwords and codes come from `secrets`
        # How often a dish of a category, a location or a reward is chosen against the others.
        self.menu: dict[str, dict[MenuItem, int]] = defaultdict(dict)
        self.location_weights: dict[Location, int] = {}
        self.reward_weights: dict[Reward, int] = {}
        # Of the table, location, member or redemption with this id: the scans of its code, and the code's id.
        self.scans: dict[UUID, list[Scan]] = defaultdict(list)
        self.codes: dict[UUID, str] = {}
        # Stored in the order in which the models come first.
        self.rows: dict[type[Model], list[Any]] = defaultdict(list)

    def __getitem__(self, model: type[Row]) -> list[Row]:
        return self.rows[model]

    def at(self, day: date, hour: float) -> datetime:
        """Return that local hour as UTC, so that durations can be added to it."""
        return (datetime.combine(day, time(), self.zone) + timedelta(hours=hour)).astimezone(UTC)

    def minutes(self, least: float, most: float) -> timedelta:
        return timedelta(minutes=self.rng.uniform(least, most))

    def happens(self, chance: float) -> bool:
        return self.rng.random() < chance

    def pick(self, weights: Mapping[Choice, float]) -> Choice:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def scan_by_guest(self, owner_id: UUID, at: datetime) -> None:
        city, country = self.pick(people.CITIES)
        device = self.pick(people.DEVICES)
        self.scans[owner_id].append(Scan(scanned_at=at, device_type=device, city=city, country=country))

    def scan_at_till(self, owner_id: UUID, at: datetime) -> None:
        device = self.pick(people.TILL_DEVICES)
        self.scans[owner_id].append(Scan(scanned_at=at, device_type=device, city="Dublin", country="Ireland"))
