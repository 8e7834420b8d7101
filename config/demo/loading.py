"""Loading the demonstration restaurant into an empty database."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from tqdm import tqdm

from config.demo import DemoStaff, branding, changes, codes
from config.demo.plan import Plan, draw
from config.demo.staff import hire, store
from config.demo.visits import Diary
from config.models import Setup, Venue
from loyalty.models import Location, Member, Programme, Reward
from loyalty.points import queries as points_queries
from qrservice.models import Code
from restaurant import events
from restaurant.menu.services import menu
from restaurant.models import BillCounter, Category, MenuItem, Order, OrderingRules, Station, Table
from restaurant.reports.services import sales

_BATCH = 2000
# Any number, as long as nothing else of this project takes it.
_LOCK = 7_346_251


def is_empty() -> bool:
    """Return whether there is no data of a restaurant yet. Users may exist: they are left as they are."""
    return not any(
        model.objects.exists() for model in (Table, MenuItem, Category, Station, Order, Location, Member, Reward)
    )


def load(*, progress: bool) -> DemoStaff | None:
    """Load as `config.demo.load`."""
    if not is_empty():
        return None
    plan = draw(timezone.now(), timezone.get_default_timezone(), points_queries.programme())
    staff, users = hire()
    made: list[codes.Made] = []
    is_stored = False
    try:
        with _progress_bar(plan, shown=progress) as bar:
            for code in codes.make(plan):
                made.append(code)
                bar.update()
            is_stored = _store(plan, made, staff, users, bar)
    finally:
        if not is_stored:
            codes.delete(made)
    if is_stored:
        sales.sum_up(now=timezone.now())  # as `tidy` does every night
    return staff if is_stored else None


def _progress_bar(plan: Plan, *, shown: bool) -> "tqdm[Any]":
    rows = sum(map(len, _rows(plan))) + len(plan.diary.sightings) + len(plan.book.sightings)
    # `disable=None`: not shown unless standard error is a terminal.
    return tqdm(
        total=len(codes.owners(plan)) + rows,
        desc="Demonstration restaurant",
        unit=" rows",
        leave=False,
        disable=None if shown else True,
    )


def _rows(plan: Plan) -> list[Sequence[Model]]:
    """Return all rows but codes and scans, in the order of their references."""
    diary, book, extras = plan.diary, plan.book, plan.menu_extras
    return [
        diary.tables,
        plan.features,
        extras.stations,
        extras.categories,
        extras.pictures,
        extras.versions,
        plan.menu_items,
        extras.groups,
        extras.options,
        extras.item_groups,
        extras.pairs,
        diary.sessions,
        diary.orders,
        diary.items,
        diary.changes,
        diary.payments,
        diary.calls,
        list(book.locations),
        list(book.rewards),
        book.members,
        book.transactions,
        book.notifications,
        book.redemptions,
        book.confirmations,
        book.letters,
    ]


def _store(plan: Plan, made: list[codes.Made], staff: DemoStaff, users: list[User], bar: "tqdm[Any]") -> bool:
    """Store everything but the codes, or nothing: False if somebody else has loaded something in the meantime."""
    with transaction.atomic():
        _take_turns()
        if not is_empty():
            return False
        store(staff, users)
        _name_users(plan, users)
        _number_bills(plan.diary)
        for rows in _rows(plan):
            _insert(rows, bar)
        owned = codes.stored(made)
        Code.objects.bulk_update(owned.values(), ["created_at"], batch_size=_BATCH)
        changes.write(plan, users, Programme.objects.get_or_create(pk=1)[0])
        menu.renew_version()
        branding.dress()
        OrderingRules.objects.get_or_create(pk=1, defaults={"default_vat_rate": plan.diary.rules.default_vat_rate})
        Venue.objects.update_or_create(pk=1, defaults={"location": next(iter(plan.book.locations))})
        # It is open already, with the cards on its tables since the first day.
        Setup.objects.get_or_create(pk=1, defaults={"hint_hidden": True, "cards_printed_at": plan.opened})
        _insert(codes.scans([*plan.diary.sightings, *plan.book.sightings], owned), bar)
        for order in plan.diary.orders:
            if order.status in Order.OPEN:
                events.new_order(order.pk)
    return True


def _number_bills(diary: Diary) -> None:
    """Number the bills in the order in which tables were closed."""
    counted = {order.session_id for order in diary.orders if order.is_counted}
    closed = [session for session in diary.sessions if session.ended_at is not None and session.pk in counted]
    for number, session in enumerate(sorted(closed, key=lambda session: (session.ended_at, session.pk)), 1):
        session.bill_number = number
    BillCounter.objects.update_or_create(pk=1, defaults={"last": len(closed)})


def _name_users(plan: Plan, users: list[User]) -> None:
    """Set the users who changed orders and took payments."""
    by_name = {user.username: user for user in users}
    for change in plan.diary.changes:
        change.user = by_name.get(change.user_name)
    for payment in plan.diary.payments:
        payment.taken_by = by_name.get(payment.taken_by_name)


def _take_turns() -> None:
    """Lock out other loads until the end of the transaction: both would find an empty database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _insert(rows: Sequence[Model], bar: "tqdm[Any]") -> None:
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        type(batch[0])._default_manager.bulk_create(batch)
        bar.update(len(batch))
