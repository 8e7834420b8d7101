"""A member whose card shows everything that a card can show. `serve --demo` prints its address."""

import random
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from django.conf import settings

from config.demo import DemoCard, chance, crowd, ledger, redeeming, regulars
from loyalty.members import queries as members_queries
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
_WISHES: dict[int, tuple[str, int | None]] = {
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


def write(book: ledger.Ledger, zone: tzinfo) -> None:
    rng = chance.stream("showcase")
    today = book.now.astimezone(zone).date()
    location = next(iter(book.locations))
    rewards = {reward.name: reward for reward in book.rewards}
    first = _at(rng, book, _VISITS[0], today, zone)
    member = ledger.enrol(book, name=NAME, phone=_PHONE, at=first - timedelta(minutes=9))
    member.offers_agreed_at, member.note = first, _NOTE
    for days_ago in _VISITS:
        at = first if days_ago == _VISITS[0] else _at(rng, book, days_ago, today, zone)
        total = Decimal(str(round(rng.uniform(*_SPENDS), 1)))
        if days_ago == _SLIP:
            slip_at = at - timedelta(minutes=3)
            slip = ledger.purchase(rng, book, member, total=total * 10, location=location, at=slip_at)
            ledger.take_back(book, slip, note=_SLIP_NOTE, at=slip_at + timedelta(minutes=1))
        ledger.purchase(rng, book, member, total=total, location=location, at=at)
        if days_ago == _MISHAP:
            ledger.give(book, member, 50, reason=regulars.APOLOGY, at=at + timedelta(minutes=1))
        if days_ago == _SECOND_THOUGHTS:
            second_thoughts = ledger.redeem(book, member, rewards["10% Off Your Bill"], at=at + timedelta(seconds=30))
            ledger.cancel(book, second_thoughts, at=at + timedelta(seconds=90))
        if days_ago == _UNDONE:
            unused = next(row for row in reversed(book.redemptions) if row.status == Redemption.Status.ACTIVE)
            redeeming.confirm(rng, book, unused, location=location, at=at + timedelta(seconds=30))
            redeeming.undo(book, unused, at=at + timedelta(seconds=75))
        if days_ago in _WISHES:
            wish, days = _WISHES[days_ago]
            redemption = ledger.redeem(book, member, rewards[wish], at=at + timedelta(minutes=2))
            if days is not None:
                used_at = at + timedelta(days=days, minutes=-4)
                redeeming.confirm(rng, book, redemption, location=location, at=used_at)


def _at(rng: random.Random, book: ledger.Ledger, days_ago: int, today: date, zone: tzinfo) -> datetime:
    return regulars.at_the_till(rng, regulars.open_day(today - timedelta(days=days_ago)), book.now, zone)


def card() -> DemoCard | None:
    """Return the card as `config.demo.card`."""
    member = members_queries.member_by_email(crowd.email_of(NAME))
    if member is None:
        return None
    address = f"{settings.APP_BASE_URL}/member/{member.pk}"
    return DemoCard(member.name, address, members.sign_in_address(member=member))
