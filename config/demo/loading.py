"""Loading the demonstration restaurant into an empty database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from typing import TypeVar

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from tqdm import tqdm

from config.demo import (
    branding,
    codes,
    example_member,
    menu,
    premises,
    regulars,
    rewards,
    staff,
    today,
    visits,
)
from config.demo.history import History
from config.demo.staff import Account
from config.models import Setup
from loyalty.models import Location, Member, PointTransaction, Programme, Reward
from loyalty.points.queries.programme import current_programme
from loyalty.rewards.services import redemptions
from qrservice.models import Scan
from restaurant import events
from restaurant.menu.services.menu import renew_version
from restaurant.models import (
    BillCounter,
    Category,
    MenuItem,
    Order,
    OrderChange,
    OrderingRules,
    OrderItem,
    Payment,
    Station,
    Table,
    TableSession,
)
from restaurant.reports.services import sales
from web import journal
from web.journal import JournalEntry
from web.money import worth
from web.templatetags.money import format_money
from web.templatetags.reports import shown

Step = TypeVar("Step")

# Any number, as long as nothing else of this project takes it.
_LOCK = 7_346_251


def is_empty() -> bool:
    """Return whether there is no data of a restaurant yet. Users may exist: they are left as they are."""
    return not any(
        model.objects.exists() for model in (Table, MenuItem, Category, Station, Order, Location, Member, Reward)
    )


def load() -> list[Account] | None:
    """Load it, and return the users that can sign in, with their passwords.

    Returns None, and changes nothing, if the database is not empty. An interrupted load leaves nothing behind. Must not
    be called inside a transaction. Raises qrservice.gateway.QRServiceError.
    """
    if not is_empty():
        return None
    history = write_history(timezone.now(), timezone.get_default_timezone(), _programme())
    accounts = staff.hire()
    is_stored = False
    try:
        for _ in _progress(codes.make(history), total=len(codes.owners(history))):
            pass
        is_stored = _store(history, accounts)
    finally:
        if not is_stored:
            codes.delete(history)
    if not is_stored:
        return None
    sales.sum_up(now=timezone.now())  # as `tidy` does every night
    return [account for account in accounts if account.password]


def _programme() -> Programme:
    """Return what the owner has set, else the defaults: by a hundred yen, where a euro would be."""
    programme = current_programme()
    if programme._state.adding:
        programme.points_per_unit /= worth(Decimal(1))
        programme.confirm_above = worth(programme.confirm_above)
    return programme


def write_history(now: datetime, zone: tzinfo, programme: Programme | None = None) -> History:
    """Return the demonstration restaurant at `now`, in the time zone `zone`, with the points of this programme.

    The same `now` gives the same history; identifiers and redemption codes are new each time.
    """
    history = History(now, zone, programme)
    premises.write(history)
    menu.write(history)
    today.write_open_tables(history)
    visits.write(history)
    today.write_earlier_today(history)
    regulars.write(history)
    others = list(history[Member])
    example_member.write(history)
    rewards.use_a_few_twice(history)
    regulars.write_win_back_emails(history)
    regulars.collect_at_tables(history, others)
    return history


def _progress(steps: Iterable[Step], *, total: int) -> Iterable[Step]:
    # `disable=None`: not shown unless standard error is a terminal.
    return tqdm(steps, "Demonstration restaurant", total, leave=False, disable=None, unit=" steps")


def _store(history: History, accounts: list[Account]) -> bool:
    """Store everything but the codes, or nothing: False if somebody else has loaded something in the meantime."""
    with transaction.atomic():
        _lock_out_other_loads()
        if not is_empty():
            return False
        _number_bills(history)
        history[Scan].extend(codes.scans(history))
        for model, rows in _progress(history.rows.items(), total=len(history.rows)):
            model._default_manager.bulk_create(rows, batch_size=2000)
        _store_staff(history, accounts)
        JournalEntry.objects.bulk_create(sorted(_entries(history), key=lambda entry: entry.at), batch_size=2000)
        redemptions.expire_overdue(now=history.now)  # as every night
        renew_version()
        branding.store(history[Location][0])
        OrderingRules.objects.get_or_create(pk=1, defaults={"default_vat_rate": menu.DEFAULT_VAT_RATE})
        # It is open already, with the cards on its tables since the first day.
        Setup.objects.get_or_create(pk=1, defaults={"hint_hidden": True, "cards_printed_at": history.opened})
        for order in history[Order]:
            if order.status in Order.OPEN:
                events.new_order(order.pk)
    return True


def _store_staff(history: History, accounts: list[Account]) -> None:
    """Store the users, as those who changed orders and took payments, and what two of them changed in the admin."""
    staff.store(accounts)
    for account in accounts:
        user = account.user
        OrderChange.objects.filter(user_name=user.username).update(user=user)
        Payment.objects.filter(taken_by_name=user.username).update(taken_by=user)
    by_group = {account.group: account.user for account in accounts}
    rules = {name: getattr(history.programme, name) for name in ("points_per_unit", "confirm_above")}
    programme, _is_new = Programme.objects.get_or_create(pk=1, defaults=rules)
    _log_changes(history, manager=by_group["Managers"], owner=by_group[staff.OWNER], programme=programme)


def _entries(history: History) -> Iterator[JournalEntry]:
    """Yield what the services would have written into the journal."""
    items = defaultdict(list)
    for item in history[OrderItem]:
        items[item.order_id].append(item)
    for order in history[Order]:
        content = order.recorded(items[order.pk])
        yield journal.entry("order", order.pk, by=order.placed_by, at=order.created_at, **content)
    for change in history[OrderChange]:
        kind = f"order_{change.kind}"
        yield journal.entry(kind, change.order_id, by=change.user_name, at=change.at, **change.recorded)
    for paid in history[Payment]:
        yield journal.entry("payment", paid.pk, by=paid.taken_by_name, at=paid.created_at, **paid.recorded)
    for row in history[PointTransaction]:
        yield row.entry


def _number_bills(history: History) -> None:
    """Number the bills in the order in which tables were closed."""
    counted = {order.session_id for order in history[Order] if order.is_counted}
    closed = [session for session in history[TableSession] if session.ended_at is not None and session.pk in counted]
    for number, session in enumerate(sorted(closed, key=lambda session: (session.ended_at, session.pk)), 1):
        session.bill_number, session.billed_at = number, session.ended_at
    BillCounter.objects.update_or_create(pk=1, defaults={"last": len(closed)})


def _lock_out_other_loads() -> None:
    """Let other loads wait until the end of the transaction: both would find an empty database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


# --- the admin's history -----------------------------------------------------------------------------------


def _log_changes(history: History, *, manager: User, owner: User, programme: Programme) -> None:
    """Log changes of rows that look changed."""
    reward, dish = history[Reward][0], history[MenuItem][0]
    sold_out = [item for item in history[MenuItem] if not item.available]
    was, now = (shown(points, "number") for points in (programme.silver_from - 200, programme.silver_from))
    price_was, price_now = format_money(dish.price - worth(Decimal("0.50"))), format_money(dish.price)
    # How many hours ago, by whom, of what: the latest last.
    changes: list[tuple[int, User, Model, str]] = [
        (99, owner, programme, f"Changed points for silver from {was} to {now}."),
        (30, owner, reward, f"Changed points from {reward.points_required + 50} to {reward.points_required}."),
        (27, manager, dish, f"Changed price from {price_was} to {price_now}."),
        *((8, manager, item, "Sold out.") for item in sold_out),
        (5, manager, history[Member][0], "Changed phone."),
    ]
    LogEntry.objects.bulk_create(
        LogEntry(
            user=user,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=str(row),
            action_flag=CHANGE,
            change_message=message,
            action_time=history.now - timedelta(hours=hours),
        )
        for hours, user, row, message in changes
    )
