"""All rows of the demonstration, made before anything is stored."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from config.demo import (
    at_the_table,
    bills,
    ledger,
    menu,
    menu_extras,
    place,
    present,
    redeeming,
    regulars,
    showcase,
    visits,
    winning_back,
)
from loyalty import rules
from loyalty.models import Location, Reward
from restaurant.models import MenuItem, RoomFeature, Table


@dataclass(frozen=True, slots=True)
class Plan:
    opened: datetime
    menu_items: list[MenuItem]
    menu_extras: menu_extras.Extras
    diary: visits.Diary
    book: ledger.Ledger
    features: list[RoomFeature]


def draw(now: datetime, zone: tzinfo, programme: rules.Programme = rules.DEFAULTS) -> Plan:
    """Return the demonstration restaurant at `now`, in the time zone `zone`, with the points of this programme.

    The same `now` gives the same history; identifiers and redemption codes are new each time.
    """
    opened = now - timedelta(days=regulars.HISTORY_DAYS + 2)
    items = menu.menu_items(opened)
    every = [item for category in items.values() for item in category]
    extras = menu_extras.make(every)
    diary = visits.Diary(now=now, tables=_tables(opened), menu=items, rules=menu.rules())
    present.write_open_orders(diary)
    present.write_left_open(diary)
    visits.write_history(diary, zone)
    present.write_earlier_today(diary, zone)
    visits.note_waiters(diary)
    menu_extras.note_choices(extras, diary.items)
    bills.cancel_some(diary)
    bills.pay(diary)
    book = ledger.Ledger(now=now, locations=_locations(), rewards=_rewards(opened), programme=programme)
    regulars.write(book, zone)
    showcase.write(book, zone)
    redeeming.use_some_twice(book)
    redeeming.expire_overdue(book)
    winning_back.write(book, zone)
    at_the_table.collect_some(diary, book, next(iter(book.locations)))
    return Plan(opened, every, extras, diary, book, _features())


def _tables(opened: datetime) -> list[Table]:
    tables = [
        Table(section=section, capacity=seats, plan_column=column, plan_row=row, plan_shape=shape, created_at=opened)
        for section, seats_of_tables in place.SECTIONS.items()
        for seats, (column, row, shape) in zip(seats_of_tables, place.PLACES[section], strict=True)
    ]
    for number, table in enumerate(tables, start=1):
        table.table_number = number
    return tables


def _features() -> list[RoomFeature]:
    return [
        RoomFeature(section=section, kind=kind, column=column, row=row, width=width, height=height, text=text)
        for section, features in place.FEATURES.items()
        for kind, column, row, width, height, text in features
    ]


def _locations() -> dict[Location, int]:
    return {Location(name=name, address=address): appeal for name, address, appeal in place.LOCATIONS}


def _rewards(opened: datetime) -> dict[Reward, int]:
    return {
        Reward(
            name=name,
            description=text,
            points_required=points,
            reward_type=kind,
            reward_value=value,
            created_at=opened,
        ): appeal
        for name, text, points, kind, value, appeal in place.REWARDS
    }
