"""Everything that moves points, done at random by several threads to a few members. Then the rows are added up."""

import random
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from config.models import Venue
from loyalty import gateway
from loyalty.cards.services import merging
from loyalty.errors import CancelledMeanwhile, MemberErased, NotCancellable, NotEnoughPoints, NotUndoable
from loyalty.models import Confirmation, Location, Member, PointTransaction, Programme, Redemption, Reward
from loyalty.points.queries.expiry import expiry_limit
from loyalty.points.services import expiry, points, reversals
from loyalty.rewards.services import confirmations, redemptions
from tests.loyalty.making import make_location, make_member, make_reward
from web.idempotency import Key

THREADS = 8
# Threads meet: half of all is done to a few members, to the latest purchases and codes.
FEW, LATEST = 2, 6
TOTALS = [Decimal(total) for total in ("0.50", "9.99", "25", "80", "412.30", "1250")]
AMOUNTS = [1, 40, 300, 2_000]


@dataclass
class Run:
    """Rows that the operations choose from, and how often each was done or refused."""

    members: list[Member]
    rewards: list[Reward]
    location: Location
    purchases: deque[str] = field(default_factory=lambda: deque(maxlen=LATEST))  # ids of transactions
    codes: deque[str] = field(default_factory=lambda: deque(maxlen=LATEST))
    done: Counter[str] = field(default_factory=Counter)  # by name of the operation
    refused: Counter[str] = field(default_factory=Counter)

    def member(self, rng: random.Random) -> Member:
        return rng.choice(self.members[:FEW] if rng.random() < 0.5 else self.members)


# --- the operations -------------------------------------------------------------------------------


def earn(run: Run, rng: random.Random) -> None:
    number = rng.randrange(60)  # a key that is met again, by a repeat of the same purchase
    key = Key(f"earn {number}", f"{number}") if rng.random() < 0.2 else None
    total = TOTALS[number % len(TOTALS)] if key else rng.choice(TOTALS)
    member = run.members[number % len(run.members)] if key else run.member(rng)
    award = points.award(member_id=str(member.pk), location_id=str(run.location.pk), order_total=total, key=key)
    run.purchases.append(str(award.transaction_id))


def redeem(run: Run, rng: random.Random) -> None:
    redeemed = redemptions.redeem(member_id=str(run.member(rng).pk), reward_id=str(rng.choice(run.rewards).pk))
    run.codes.append(redeemed.code)


def confirm(run: Run, rng: random.Random) -> None:
    confirmations.confirm(code=rng.choice(run.codes), tap=rng.choice([None, "one form"]))


def undo(run: Run, rng: random.Random) -> None:
    confirmations.undo(code=rng.choice(run.codes), recorded_by="anna")


def cancel(run: Run, rng: random.Random) -> None:
    redemptions.cancel(code=rng.choice(run.codes))


def reverse(run: Run, rng: random.Random) -> None:
    transaction_id = rng.choice(run.purchases)
    reversals.take_back_purchase(transaction_id=transaction_id, note="", recorded_by="anna", is_manager=True)


def give(run: Run, rng: random.Random) -> None:
    points.adjust(member=run.member(rng), points=rng.choice(AMOUNTS), reason="a gift", staff_id="anna")


def take(run: Run, rng: random.Random) -> None:
    points.adjust(member=run.member(rng), points=-rng.choice(AMOUNTS), reason="a slip", staff_id="anna")


def expire(run: Run, rng: random.Random) -> None:
    """Expire what was earned half a second ago, as if the months of the programme had passed since."""
    later = timezone.now() + timedelta(days=100)
    passed = later - expiry_limit(later)
    expiry.expire(now=timezone.now() - timedelta(seconds=rng.uniform(0.2, 1)) + passed)


def collect(run: Run, rng: random.Random) -> None:
    """Collect points for an order at a table, once, whatever is repeated."""
    number = rng.randrange(200)
    gateway.award(str(run.members[number % len(run.members)].pk), f"order {number}", TOTALS[number % len(TOTALS)])


def cancel_order(run: Run, rng: random.Random) -> None:
    number = rng.randrange(200)
    gateway.take_back(str(run.members[number % len(run.members)].pk), f"order {number}")


def merge(run: Run, rng: random.Random) -> None:
    """Make one card of two of the later members."""
    one, other = rng.sample([member.pk for member in run.members[FEW:]], 2)
    merging.merge({one, other}, taken=dict.fromkeys(merging.DETAILS, one), by="anna")


# How often each is done, and the refusals that the others may cause. Whatever else moves points gets a line here.
OPERATIONS: dict[Callable[[Run, random.Random], None], tuple[int, tuple[type[Exception], ...]]] = {
    earn: (6, ()),
    redeem: (6, (NotEnoughPoints,)),
    confirm: (2, (CancelledMeanwhile,)),
    undo: (2, (NotUndoable,)),
    cancel: (3, (NotCancellable,)),
    reverse: (3, ()),
    give: (1, ()),
    take: (2, (NotEnoughPoints,)),
    expire: (1, ()),
    collect: (3, ()),
    cancel_order: (1, ()),
    merge: (1, (MemberErased,)),
}


# --- a run --------------------------------------------------------------------------------------


def run(operations: int, *, members: int = 20) -> Run:
    """Do them, some THREADS at a time. Raises what is not among an operation's refusals."""
    Programme.objects.create(expires_after_months=1)
    state = Run(
        members=[make_member(f"Guest {number}", lifetime=950) for number in range(members)],
        rewards=[make_reward("Coffee", 100), make_reward("Dinner", 700)],
        location=make_location(),
    )
    Venue.objects.create(location=state.location)
    earn(state, random.Random(1))
    redeem(state, random.Random(1))
    with ThreadPoolExecutor(THREADS) as pool:
        threads = [pool.submit(_act, state, random.Random(seed), operations // THREADS) for seed in range(THREADS)]
        for thread in threads:
            thread.result()
    return state


def _act(state: Run, rng: random.Random, times: int) -> None:
    weights = [often for often, _refusals in OPERATIONS.values()]
    try:
        for operation in rng.choices(list(OPERATIONS), weights, k=times):
            try:
                operation(state, rng)
                state.done[operation.__name__] += 1
            except OPERATIONS[operation][1]:
                state.refused[operation.__name__] += 1
    finally:
        connection.close()


# --- what holds afterwards --------------------------------------------------------------------------


def check() -> None:
    """Balance, lifetime points, tier and redemptions of every member are as the rows say."""
    rows: dict[object, list[PointTransaction]] = {}
    for row in PointTransaction.objects.all():
        rows.setdefault(row.customer_id, []).append(row)
    taken_back = Counter(PointTransaction.objects.exclude(reverses=None).values_list("reverses", flat=True))
    assert max(taken_back.values()) == 1
    for member in Member.objects.all():
        own = rows.get(member.pk, [])
        assert member.points_balance == sum(row.points for row in own) >= 0
        assert member.lifetime_points == sum(row.points for row in own if row.type == "earn" and not taken_back[row.pk])
        assert member.tier == Programme().tier_of(member.lifetime_points)
        awards = [row for row in own if row.type == "earn" and not taken_back[row.pk]]
        assert member.awards == len(awards)
        assert member.spend == sum(row.order_total or 0 for row in awards)
        spent = [-row.points for row in own if row.type == "redeem" and not taken_back[row.pk]]
        not_cancelled = Redemption.objects.filter(customer=member).exclude(status="cancelled")
        assert sorted(spent) == sorted(not_cancelled.values_list("points_spent", flat=True))
    standing = set(Confirmation.objects.filter(undone_at=None).values_list("redemption", flat=True))
    assert standing == set(Redemption.objects.filter(status="used").values_list("pk", flat=True))
    call_command("check_ledger", verbosity=0)
