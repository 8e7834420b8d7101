"""Loading the demonstration restaurant into an empty database."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from tqdm import tqdm

from config.demo import (
    DemoStaff,
    branding,
    changes,
    codes,
    example_member,
    menu,
    menu_extras,
    premises,
    regulars,
    rewards,
    today,
    visits,
)
from config.demo.history import History
from config.demo.staff import hire, store
from config.models import Setup, Venue
from loyalty.models import Location, Member, Programme, Reward
from loyalty.points.queries.programme import current_programme
from restaurant import events
from restaurant.menu.services.menu import renew_version
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
    history = write_history(timezone.now(), timezone.get_default_timezone(), current_programme())
    staff, users = hire()
    is_stored = False
    try:
        with _progress_bar(history, shown=progress) as bar:
            for _ in codes.make(history):
                bar.update()
            is_stored = _store(history, staff, users, bar)
    finally:
        if not is_stored:
            codes.delete(history)
    if is_stored:
        sales.sum_up(now=timezone.now())  # as `tidy` does every night
    return staff if is_stored else None


def write_history(now: datetime, zone: tzinfo, programme: Programme | None = None) -> History:
    """Return the demonstration restaurant at `now`, in the time zone `zone`, with the points of this programme.

    The same `now` gives the same history; identifiers and redemption codes are new each time.
    """
    history = History(now, zone, programme)
    premises.write(history)
    menu.write(history)
    menu_extras.write(history)
    today.write_open_tables(history)
    visits.write(history)
    today.write_earlier_today(history)
    menu_extras.complete_items(history)
    regulars.write(history)
    others = list(history.members)
    example_member.write(history)
    rewards.use_a_few_twice(history)
    rewards.expire_overdue(history)
    regulars.write_win_back_emails(history)
    regulars.collect_at_tables(history, others)
    return history


def _progress_bar(history: History, *, shown: bool) -> "tqdm[Any]":
    rows = sum(map(len, history.rows())) + sum(map(len, history.scans.values()))
    # `disable=None`: not shown unless standard error is a terminal.
    return tqdm(
        total=len(codes.owners(history)) + rows,
        desc="Demonstration restaurant",
        unit=" rows",
        leave=False,
        disable=None if shown else True,
    )


def _store(history: History, staff: DemoStaff, users: list[User], bar: "tqdm[Any]") -> bool:
    """Store everything but the codes, or nothing: False if somebody else has loaded something in the meantime."""
    with transaction.atomic():
        _take_turns()
        if not is_empty():
            return False
        store(staff, users)
        _name_users(history, users)
        _number_bills(history)
        for rows in history.rows():
            _insert(rows, bar)
        changes.write(history, users, Programme.objects.get_or_create(pk=1)[0])
        renew_version()
        branding.dress()
        OrderingRules.objects.get_or_create(pk=1, defaults={"default_vat_rate": menu.DEFAULT_VAT_RATE})
        Venue.objects.update_or_create(pk=1, defaults={"location": history.locations[0]})
        # It is open already, with the cards on its tables since the first day.
        Setup.objects.get_or_create(pk=1, defaults={"hint_hidden": True, "cards_printed_at": history.opened})
        _insert(codes.scans(history), bar)
        for order in history.orders:
            if order.status in Order.OPEN:
                events.new_order(order.pk)
    return True


def _number_bills(history: History) -> None:
    """Number the bills in the order in which tables were closed."""
    counted = {order.session_id for order in history.orders if order.is_counted}
    closed = [session for session in history.sessions if session.ended_at is not None and session.pk in counted]
    for number, session in enumerate(sorted(closed, key=lambda session: (session.ended_at, session.pk)), 1):
        session.bill_number = number
    BillCounter.objects.update_or_create(pk=1, defaults={"last": len(closed)})


def _name_users(history: History, users: list[User]) -> None:
    """Set the users who changed orders and took payments."""
    by_name = {user.username: user for user in users}
    for change in history.changes:
        change.user = by_name.get(change.user_name)
    for payment in history.payments:
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
