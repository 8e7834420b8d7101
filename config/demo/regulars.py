"""Members' visits and spending, such that every tier and every report has members."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from config.demo import hours, people, points, rewards
from config.demo.history import DAYS, History
from config.demo.staff import MANAGER
from loyalty.models import Member, PointTransaction, WinBackEmail
from loyalty.reports.re_engagement import LEAST_POINTS, SINCE, UNTIL
from restaurant.models import Order
from web.money import worth

_AGREES_CHANCE = 0.7  # to get offers by email

_ENOUGH_POINTS = 500  # to be reminded of them
# How many days ago, with which offer, and to how many members.
_WIN_BACK_EMAILS = ((21, WinBackEmail.Offer.REMINDER, 24), (12, WinBackEmail.Offer.DISCOUNT, 13))

_TABLES_EARN_SINCE = timedelta(days=10)
_COLLECTED = 0.3  # of the orders

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
    Habit(8, (80, 105), (75, 140), (395, DAYS), (30, 3, 1, 0, 0)),  # platinum
    Habit(25, (58, 72), (62, 105), (330, DAYS), (20, 4, 2, 2, 0)),  # weekly: gold
    Habit(84, (17, 36), (42, 85), (200, DAYS), (10, 4, 2, 3, 2)),  # fortnightly: silver
    Habit(140, (2, 13), (22, 70), (20, DAYS), (5, 3, 2, 4, 4)),  # occasionally
    Habit(42, (0, 1), (18, 50), (0, 300), (3, 2, 1, 1, 2)),  # welcome bonus only
)


def write(history: History) -> None:
    names = iter(people.names(history.rng, sum(habit.members for habit in HABITS)))
    for habit in HABITS:
        windows = dict(zip(_WINDOWS, habit.last_seen, strict=True))
        for number in range(habit.members):
            last_seen = _THIS_WEEK if number == 0 else history.pick(windows)
            _write_member(history, habit, next(names), last_ago=history.rng.randint(*last_seen))


def _write_member(history: History, habit: Habit, name: str, *, last_ago: int) -> None:
    """Write a member's history, from joining at the till to the last visit."""
    visits = history.rng.randint(*habit.visits)
    moments = [at_the_till(history, day) for day in _days(history, habit, visits, last_ago)]
    joined = moments[0] - history.minutes(2, 15)
    member = points.enrol(history, name=name, phone=people.phone(history.rng), at=joined)
    if history.happens(_AGREES_CHANCE):
        member.offers_agreed_at = joined
    for moment in moments[:visits]:
        total = worth(Decimal(str(round(history.rng.uniform(*habit.spends), 1))))
        points.purchase(history, member, total=total, location=history.pick(history.location_weights), at=moment)
        rewards.maybe_redeem(history, member, at=moment + timedelta(minutes=2))


def _days(history: History, habit: Habit, visits: int, last_ago: int) -> list[date]:
    """Return the days of the visits, earliest first: at least one, and at most one visit a day."""
    joined_ago = min(DAYS, max(last_ago + 2 * visits, history.rng.randint(*habit.joined_days_ago)))
    last = hours.open_day(history.today - timedelta(days=last_ago))
    before = [last - timedelta(days=ago) for ago in range(1, joined_ago - last_ago + 1)]
    eligible = [day for day in before if hours.is_open(day)]
    return sorted([last, *history.rng.sample(eligible, max(0, min(visits - 1, len(eligible))))])


def at_the_till(history: History, day: date) -> datetime:
    """Return a time after lunch or dinner; if that is still to come today, within the last hour."""
    hour = history.rng.triangular(*((13, 14.75, 13.75) if history.happens(0.3) else (19.25, 22.75, 21)))
    just_now = history.now - history.minutes(5, 55)
    return min(history.at(day, hour), just_now)


def write_win_back_emails(history: History) -> None:
    """Write to members who stopped coming: to those who came back since, then to those with the most points."""
    last_seen = _last_seen(history, history.now)
    for days_ago, offer, count in _WIN_BACK_EMAILS:
        at = history.at(history.today - timedelta(days=days_ago), 10.5)
        away = [member for member, last in _last_seen(history, at).items() if at - SINCE <= last <= at - UNTIL]
        recipients = [member for member in away if _suits(member, offer)]
        recipients.sort(key=lambda member: (last_seen[member] <= at, -member.lifetime_points, member.email))
        history[WinBackEmail].extend(
            WinBackEmail(customer=member, offer=offer, written_at=at, recorded_by=MANAGER)
            for member in recipients[:count]
        )


def _suits(member: Member, offer: WinBackEmail.Offer) -> bool:
    is_reminded = member.points_balance >= _ENOUGH_POINTS
    is_meant = is_reminded == (offer == WinBackEmail.Offer.REMINDER)
    return is_meant and member.offers_agreed_at is not None and member.lifetime_points >= LEAST_POINTS


def _last_seen(history: History, at: datetime) -> dict[Member, datetime]:
    """Return when members had earned points last by then."""
    earned = [row for row in history[PointTransaction] if row.type == PointTransaction.Type.EARN]
    return {row.customer: row.created_at for row in earned if row.created_at < at}


def collect_at_tables(history: History, members: list[Member]) -> None:
    """Award points for some orders of the last days, and prepare one whose table is still open.

    Must be called last: the members have done nothing since.
    """
    by_guests = [order for order in history[Order] if order.completed_at and not order.placed_by]
    ended = [(order.session.ended_at, order) for order in by_guests if order.session.ended_at]
    for ended_at, order in sorted(ended, key=lambda pair: (pair[0], pair[1].created_at)):
        if ended_at > history.now - _TABLES_EARN_SINCE and history.happens(_COLLECTED):
            seated = _not_seen_today(members, order.session.started_at)
            if seated:
                points.collect(history, history.rng.choice(seated), order, at=ended_at)
    waiting = next(order for order in history[Order] if order.status in Order.OPEN)
    waiting.collector = str(history.rng.choice(_not_seen_today(members, history.now) or members).pk)


def _not_seen_today(members: list[Member], now: datetime) -> list[Member]:
    """Return regular members who have not come on the day before `now`."""
    first, last = now - timedelta(days=28), now - timedelta(hours=12)
    return [member for member in members if member.last_activity_at and first < member.last_activity_at < last]
