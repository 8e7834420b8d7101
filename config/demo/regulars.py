"""Members' visits and spending, such that every tier and every report has members."""

import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from config.demo import chance, crowd, hours, ledger, redeeming

HISTORY_DAYS = 425
APOLOGY = "With our apologies for the wait"
_APOLOGY_CHANCE = 0.008
_APOLOGY_POINTS = 50  # a gift: to who has spent as many, so that no balance is above what was earned
_AGREES_CHANCE = 0.7  # to get offers by email
_NOTED_CHANCE = 0.05
_NOTES = (
    "Likes the table by the window.",
    "Comes with a pram: keep room beside the table.",
    "Always starts with a Negroni.",
    "Writes about restaurants.",
    "Works next door: lunch within 40 minutes.",
)

# Days since the last purchase, divided as the segments report does.
_WINDOWS = ((0, 30), (31, 60), (61, 90), (91, 180), (181, 300))
# One member of each habit came less than a week ago, so that every tier has an active member.
_THIS_WEEK = (0, 5)


@dataclass(frozen=True, slots=True)
class Habit:
    """Ranges include both ends; `last_seen` are the weights of the windows."""

    members: int
    visits: tuple[int, int]
    spends: tuple[float, float]
    joined_days_ago: tuple[int, int]
    last_seen: tuple[int, int, int, int, int]


HABITS = (
    Habit(8, (80, 105), (75, 140), (395, HISTORY_DAYS), (30, 3, 1, 0, 0)),  # platinum
    Habit(25, (58, 72), (62, 105), (330, HISTORY_DAYS), (20, 4, 2, 2, 0)),  # weekly: gold
    Habit(84, (17, 36), (42, 85), (200, HISTORY_DAYS), (10, 4, 2, 3, 2)),  # fortnightly: silver
    Habit(140, (2, 13), (22, 70), (20, HISTORY_DAYS), (5, 3, 2, 4, 4)),  # occasionally
    Habit(42, (0, 1), (18, 50), (0, 300), (3, 2, 1, 1, 2)),  # welcome bonus only
)
MEMBERS = sum(habit.members for habit in HABITS)


def write(book: ledger.Ledger, zone: tzinfo) -> None:
    rng = chance.stream("members")
    names = iter(crowd.names(rng, MEMBERS))
    for habit in HABITS:
        for number in range(habit.members):
            last_seen = _THIS_WEEK if number == 0 else chance.pick(rng, _windows(habit))
            _write_member(rng, book, habit, next(names), zone, last_ago=rng.randint(*last_seen))
    _note_what_they_like(book)


def _note_what_they_like(book: ledger.Ledger) -> None:
    rng = chance.stream("what members like")
    for member in book.members:
        if rng.random() < _AGREES_CHANCE:
            member.offers_agreed_at = member.created_at
        if rng.random() < _NOTED_CHANCE:
            member.note = rng.choice(_NOTES)


def _windows(habit: Habit) -> dict[tuple[int, int], int]:
    return dict(zip(_WINDOWS, habit.last_seen, strict=True))


def _write_member(
    rng: random.Random, book: ledger.Ledger, habit: Habit, name: str, zone: tzinfo, *, last_ago: int
) -> None:
    """Write a member's history, from joining at the till to the last visit."""
    visits = rng.randint(*habit.visits)
    days = _days(rng, habit, visits, last_ago, book.now.astimezone(zone).date())
    moments = [at_the_till(rng, day, book.now, zone) for day in days]
    joined = moments[0] - timedelta(minutes=rng.uniform(2, 15))
    member = ledger.enrol(book, name=name, phone=crowd.phone(rng), at=joined)
    for moment in moments[:visits]:
        total = Decimal(str(round(rng.uniform(*habit.spends), 1)))
        ledger.purchase(rng, book, member, total=total, location=chance.pick(rng, book.locations), at=moment)
        if rng.random() < _APOLOGY_CHANCE and member.lifetime_points - member.points_balance >= _APOLOGY_POINTS:
            ledger.give(book, member, _APOLOGY_POINTS, reason=APOLOGY, at=moment + timedelta(minutes=1))
        redeeming.maybe_redeem(rng, book, member, at=moment + timedelta(minutes=2))


def _days(rng: random.Random, habit: Habit, visits: int, last_ago: int, today: date) -> list[date]:
    """Return the days of the visits, earliest first: at least one, and at most one visit a day."""
    joined_ago = min(HISTORY_DAYS, max(last_ago + 2 * visits, rng.randint(*habit.joined_days_ago)))
    last = open_day(today - timedelta(days=last_ago))
    before = [last - timedelta(days=ago) for ago in range(1, joined_ago - last_ago + 1)]
    eligible = [day for day in before if hours.is_open(day)]
    return sorted([last, *rng.sample(eligible, max(0, min(visits - 1, len(eligible))))])


def open_day(day: date) -> date:
    """Return that day, or the one before if the restaurant is closed."""
    return day if hours.is_open(day) else day - timedelta(days=1)


def at_the_till(rng: random.Random, day: date, now: datetime, zone: tzinfo) -> datetime:
    """Return a time after lunch or dinner; if that is still to come today, within the last hour."""
    hour = rng.triangular(13, 14.75, 13.75) if rng.random() < 0.3 else rng.triangular(19.25, 22.75, 21)
    just_now = now - timedelta(minutes=rng.uniform(5, 55))
    return min(hours.at(day, hour, zone), just_now)
