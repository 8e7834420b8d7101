"""What happened in the demonstration restaurant until now, as rows that are not stored yet."""

import random
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeVar
from uuid import UUID

from django.db.models import Model

from config.demo import people
from loyalty.models import (
    Confirmation,
    Location,
    Member,
    Notification,
    PointTransaction,
    Programme,
    Redemption,
    Reward,
    WinBackEmail,
)
from qrservice.models import Scan
from restaurant.models import (
    Category,
    ItemOptionGroup,
    MenuItem,
    Option,
    OptionGroup,
    Order,
    OrderChange,
    OrderItem,
    Payment,
    Picture,
    PictureVersion,
    RoomFeature,
    Station,
    Table,
    TableCall,
    TableSession,
)

Choice = TypeVar("Choice")

DAYS = 425  # since the first member joined


class History:
    """Nothing in it is later than `now`. A member's transactions are in chronological order."""

    def __init__(self, now: datetime, zone: tzinfo, programme: Programme | None = None) -> None:
        self.now, self.zone, self.programme = now, zone, programme or Programme()
        self.today = now.astimezone(zone).date()
        self.opened = now - timedelta(days=DAYS + 2)
        self.rng = random.Random("Fig & Fennel")  # nothing secret: passwords and codes come from `secrets`
        # How often a dish of a category, a location or a reward is chosen against the others.
        self.menu: dict[str, dict[MenuItem, int]] = {}
        self.location_weights: dict[Location, int] = {}
        self.reward_weights: dict[Reward, int] = {}
        # Scans of the code of the table, location, member or redemption with this id.
        self.scans: dict[UUID, list[Scan]] = defaultdict(list)
        # The lists are stored in this order: rows refer to rows above them.
        self.tables: list[Table] = []
        self.features: list[RoomFeature] = []
        self.stations: list[Station] = []
        self.categories: list[Category] = []
        self.pictures: list[Picture] = []
        self.picture_versions: list[PictureVersion] = []
        self.menu_items: list[MenuItem] = []
        self.option_groups: list[OptionGroup] = []
        self.options: list[Option] = []
        self.item_option_groups: list[ItemOptionGroup] = []
        self.pairs: list[Model] = []
        self.sessions: list[TableSession] = []
        self.orders: list[Order] = []
        self.items: list[OrderItem] = []
        self.changes: list[OrderChange] = []
        self.payments: list[Payment] = []
        self.calls: list[TableCall] = []
        self.locations: list[Location] = []
        self.rewards: list[Reward] = []
        self.members: list[Member] = []
        self.transactions: list[PointTransaction] = []
        self.notifications: list[Notification] = []
        self.redemptions: list[Redemption] = []
        self.confirmations: list[Confirmation] = []
        self.win_back_emails: list[WinBackEmail] = []

    def rows(self) -> list[list[Model]]:
        """Return all rows but scans, in the order of their references."""
        return [value for value in vars(self).values() if isinstance(value, list)]

    def at(self, day: date, hour: float) -> datetime:
        """Return that local hour as UTC, so that durations can be added to it."""
        return (datetime.combine(day, time(), self.zone) + timedelta(hours=hour)).astimezone(UTC)

    def minutes(self, least: float, most: float) -> timedelta:
        return timedelta(minutes=self.rng.uniform(least, most))

    def pick(self, weights: Mapping[Choice, float]) -> Choice:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def scan_by_guest(self, owner_id: UUID, at: datetime) -> None:
        city, country = self.pick(people.CITIES)
        device = self.pick(people.DEVICES)
        self.scans[owner_id].append(Scan(scanned_at=at, device_type=device, city=city, country=country))

    def scan_at_till(self, owner_id: UUID, at: datetime) -> None:
        device = self.pick(people.TILL_DEVICES)
        self.scans[owner_id].append(Scan(scanned_at=at, device_type=device, city="Dublin", country="Ireland"))
