"""A member whose card shows everything that a card can show. `serve --demo` prints its address."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings

from config.demo import hours, people, points, regulars, rewards
from config.demo.history import History
from loyalty.members.queries import member_by_email
from loyalty.members.services import members
from loyalty.models import Location, Member, Redemption, Reward
from web.money import worth

NAME = "Maeve Delaney"  # a name that no generated member has
_NOTE = "Likes the table by the window. Birthday on 4 May: the kitchen sends a tiramisu."

# Weekly, and once more lately. None in the last hour, so that the card can check in.
_VISITS = (*range(399, 0, -7), 2)  # days ago
_SPENDS = (72, 128)
# Special visits, in days ago.
_APOLOGISED_TO = 21  # the manager gives points
_MISTYPED = 14  # a purchase is typed without its decimal point, and taken back
_CANCELLED = 7  # a reward is redeemed and cancelled, and another one redeemed
_UNDONE = 2  # the confirmation of that other one is undone: the oven was cold
# Days ago -> the reward, and after how many days it was used. None: unused, or expired.
_REDEEMED: dict[int, tuple[str, int | None]] = {
    322: ("Coffee on Us", 7),
    259: ("10% Off Your Bill", 14),
    196: ("20% Off Your Bill", 7),
    112: ("Focaccia for the Table", None),
    84: ("10% Off Your Bill", 7),
    63: ("Sunday Pasta Class", 14),
    28: ("Two Spoons, One Tiramisu", None),  # expires in two days
    7: ("Focaccia for the Table", None),
    2: ("Coffee on Us", None),
}


@dataclass(frozen=True, slots=True)
class DemoCard:
    """A member's card. `sign_in_address` opens it as that member, once, within the hour."""

    name: str
    address: str
    sign_in_address: str = field(repr=False)


def card() -> DemoCard | None:
    """Return the example's card; None if the demonstration is not loaded or the member is gone."""
    member = member_by_email(people.email_of(NAME))
    if member is None:
        return None
    address = f"{settings.APP_BASE_URL}/member/{member.pk}"
    return DemoCard(member.name, address, members.sign_in_address(member=member))


def write(history: History) -> None:
    visits = [
        (days_ago, regulars.at_the_till(history, hours.open_day(history.today - timedelta(days=days_ago))))
        for days_ago in _VISITS
    ]
    joined = visits[0][1] - timedelta(minutes=9)
    member = points.enrol(history, name=NAME, phone="+353 20 917 0142", at=joined)
    member.offers_agreed_at, member.note = joined, _NOTE
    for days_ago, at in visits:
        _write_visit(history, member, days_ago, at)


def _write_visit(history: History, member: Member, days_ago: int, at: datetime) -> None:
    location = history[Location][0]
    total = worth(Decimal(str(round(history.rng.uniform(*_SPENDS), 1))))
    if days_ago == _MISTYPED:
        slip_at = at - timedelta(minutes=3)
        slip = points.purchase(history, member, total=total * 10, location=location, at=slip_at)
        points.take_back(history, slip, note="the decimal point was missing", at=slip_at + timedelta(minutes=1))
    points.purchase(history, member, total=total, location=location, at=at)
    if days_ago == _APOLOGISED_TO:
        reason = "With our apologies for the wait"
        points.give(history, member, 50, reason=reason, at=at + timedelta(minutes=1))
    if days_ago == _CANCELLED:
        cancelled = _redeem(history, member, "10% Off Your Bill", at + timedelta(seconds=30))
        rewards.cancel(history, cancelled, at=at + timedelta(seconds=90))
    if days_ago == _UNDONE:
        unused = next(row for row in reversed(history[Redemption]) if row.status == Redemption.Status.ACTIVE)
        rewards.confirm(history, unused, location, at=at + timedelta(seconds=30))
        rewards.undo(history, unused, at=at + timedelta(seconds=75))
    if days_ago in _REDEEMED:
        name, days = _REDEEMED[days_ago]
        redemption = _redeem(history, member, name, at + timedelta(minutes=2))
        if days is not None:
            rewards.confirm(history, redemption, location, at=at + timedelta(days=days, minutes=-4))


def _redeem(history: History, member: Member, name: str, at: datetime) -> Redemption:
    reward = next(reward for reward in history[Reward] if reward.name == name)
    return rewards.redeem(history, member, reward, at=at)
