"""A member whose card shows everything that a card can show. `serve --demo` prints its address."""

from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings

from config.demo import DemoCard, hours, people, points, regulars, rewards
from config.demo.history import History
from loyalty.members.queries import member_by_email
from loyalty.members.services import members
from loyalty.models import Redemption

# Names that no generated member has.
NAME = "Maeve Delaney"
_PHONE = "+353 20 917 0142"

# Weekly, and once more lately. None in the last hour, so that the card can check in.
_VISITS = (*range(399, 0, -7), 2)  # days ago
_SPENDS = (72, 128)
_MISHAP = 21  # days ago
_SLIP = 14  # the cashier types the bill without its point, and takes it back
_NOTE = "Likes the table by the window. Birthday on 4 May: the kitchen sends a tiramisu."
_SLIP_NOTE = "the decimal point was missing"
_SECOND_THOUGHTS = 7  # a reward is redeemed and cancelled, and another one redeemed
_UNDONE = 2  # that other one is confirmed and undone: the oven was cold
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


def write(history: History) -> None:
    location = history.locations[0]
    by_name = {reward.name: reward for reward in history.rewards}
    first = _at(history, _VISITS[0])
    member = points.enrol(history, name=NAME, phone=_PHONE, at=first - timedelta(minutes=9))
    member.offers_agreed_at, member.note = first, _NOTE
    for days_ago in _VISITS:
        at = first if days_ago == _VISITS[0] else _at(history, days_ago)
        total = Decimal(str(round(history.rng.uniform(*_SPENDS), 1)))
        if days_ago == _SLIP:
            slip_at = at - timedelta(minutes=3)
            slip = points.purchase(history, member, total=total * 10, location=location, at=slip_at)
            points.take_back(history, slip, note=_SLIP_NOTE, at=slip_at + timedelta(minutes=1))
        points.purchase(history, member, total=total, location=location, at=at)
        if days_ago == _MISHAP:
            points.give(history, member, 50, reason=regulars.APOLOGY, at=at + timedelta(minutes=1))
        if days_ago == _SECOND_THOUGHTS:
            regretted = rewards.redeem(history, member, by_name["10% Off Your Bill"], at=at + timedelta(seconds=30))
            rewards.cancel(history, regretted, at=at + timedelta(seconds=90))
        if days_ago == _UNDONE:
            unused = next(row for row in reversed(history.redemptions) if row.status == Redemption.Status.ACTIVE)
            rewards.confirm(history, unused, location, at=at + timedelta(seconds=30))
            rewards.undo(history, unused, at=at + timedelta(seconds=75))
        if days_ago in _REDEEMED:
            name, days = _REDEEMED[days_ago]
            redemption = rewards.redeem(history, member, by_name[name], at=at + timedelta(minutes=2))
            if days is not None:
                rewards.confirm(history, redemption, location, at=at + timedelta(days=days, minutes=-4))


def _at(history: History, days_ago: int) -> datetime:
    return regulars.at_the_till(history, hours.open_day(history.today - timedelta(days=days_ago)))


def card() -> DemoCard | None:
    """Return the card as `config.demo.card`."""
    member = member_by_email(people.email_of(NAME))
    if member is None:
        return None
    address = f"{settings.APP_BASE_URL}/member/{member.pk}"
    return DemoCard(member.name, address, members.sign_in_address(member=member))
