"""The present: three tables with open orders, a bill left open, and visits earlier today whatever the hour."""

import random
from datetime import UTC, datetime, time, timedelta, tzinfo

from config.demo import appetite, chance, visits
from restaurant.models import Order, TableCall

# Table -> the order's status, and how many minutes ago it was placed. Table 1 stays free to try.
_IN_THE_KITCHEN = {
    3: (Order.Status.READY, 8.5),
    7: (Order.Status.PREPARING, 4.0),
    12: (Order.Status.PENDING, 1.2),
}
# A table whose guests have told of an allergy.
_ALLERGY = (12, ["nuts"])
# A table whose order the waiter has taken.
_TAKEN_BY_WAITER = 12
# A table whose waiter keeps the last course for later, and how many minutes ago it was taken.
_FOR_LATER = (7, 3.5)
# A table whose guests call, and how many minutes ago they did.
_CALLS = (7, 1.5)
# A table that nobody has closed, and how many hours ago its guests came.
_LEFT_OPEN = (10, 5.2)
_FEWEST_VISITS = 6
_LOOK_BACK = timedelta(hours=5)


def write_open_orders(diary: visits.Diary) -> None:
    """Must be called before the history is written, which then leaves these tables free."""
    rng = chance.stream("now")
    by_number = {table.table_number: table for table in diary.tables}
    for number, (status, minutes_ago) in _IN_THE_KITCHEN.items():
        table = by_number[number]
        placed = diary.now - timedelta(minutes=minutes_ago)
        start = placed - timedelta(minutes=rng.uniform(9.5, 15))
        party = visits.Party(table, table.capacity or 2, start, diary.now, evening=True)
        session = visits.open_session(rng, diary, party)
        session.covers = party.guests
        order = visits.place(diary, session, _noteworthy_meal(rng, diary, party), placed)
        order.status = status
        order.ready_at = diary.now - timedelta(minutes=minutes_ago / 3) if status == Order.Status.READY else None
        if number == _ALLERGY[0]:
            order.allergies = _ALLERGY[1]
        if number == _TAKEN_BY_WAITER:
            order.placed_by = visits.FLOOR
        if number == _FOR_LATER[0]:
            sweets = appetite.last_course(chance.stream("for later"), diary.menu, guests=2, evening=True)
            visits.keep(diary, session, sweets, diary.now - timedelta(minutes=_FOR_LATER[1]))
        if number == _CALLS[0]:
            called = diary.now - timedelta(minutes=_CALLS[1])
            diary.calls.append(TableCall(session=session, kind=TableCall.Kind.WAITER, created_at=called))


def write_left_open(diary: visits.Diary) -> None:
    """A session without an end whose bill nobody has paid. Must be called before the history is written."""
    rng = chance.stream("left open")
    number, hours_ago = _LEFT_OPEN
    table = next(table for table in diary.tables if table.table_number == number)
    start = diary.now - timedelta(hours=hours_ago)
    party = visits.Party(table, 3, start, diary.now, evening=True)
    session = visits.open_session(rng, diary, party)
    placed = start + timedelta(minutes=8)
    meal = appetite.meal(rng, diary.menu, guests=party.guests, evening=party.evening)
    visits.complete(visits.place(diary, session, meal, placed), placed + timedelta(minutes=21))


def _noteworthy_meal(rng: random.Random, diary: visits.Diary, party: visits.Party) -> list[appetite.Line]:
    """A ticket with several items and a note, for the kitchen display to show."""
    while True:
        lines = appetite.meal(rng, diary.menu, guests=party.guests, evening=party.evening)
        if len(lines) > 2 and any(line.special_instructions for line in lines):
            return lines


def write_earlier_today(diary: visits.Diary, zone: tzinfo) -> None:
    """Visits for today's figures, which would be empty before lunch and on Mondays."""
    rng = chance.stream("earlier today")
    midnight = datetime.combine(diary.now.astimezone(zone).date(), time(), zone).astimezone(UTC)
    been_here = sum(session.started_at >= midnight and session.ended_at is not None for session in diary.sessions)
    for _ in range(_FEWEST_VISITS - been_here):
        duration = timedelta(minutes=rng.uniform(30, 50))
        earliest = max(midnight, diary.now - _LOOK_BACK)
        latest = diary.now - duration - timedelta(minutes=1)
        if earliest < latest:
            start = earliest + (latest - earliest) * rng.random()
            visits.seat_and_serve(rng, diary, start, start + duration, evening=False)
