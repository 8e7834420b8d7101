"""Cash drawers: opening, counting and closing them, and which one cash lies in."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from restaurant.billing.models import Adjustment, CashDrawer, DrawerDay, DrawerMovement, Payment
from restaurant.billing.queries import drawers as queries
from restaurant.errors import DrawerClosed, DrawerUnknown, NoOpenDrawer
from restaurant.ordering.models import Printer
from restaurant.ordering.services import dockets
from restaurant.rules import OrderingRules
from web import journal
from web.idempotency import Key, columns_of, earlier_of


def open_day(*, drawer_id: int, float: Decimal, user_name: str) -> DrawerDay:
    """Open a drawer with so much cash in it; one that is open stays as it is. Raises DrawerUnknown."""
    with transaction.atomic():
        drawer = CashDrawer.objects.select_for_update(no_key=True).filter(pk=drawer_id, active=True).first()
        if drawer is None:
            raise DrawerUnknown
        day = drawer.days.filter(closed_at=None).first()
        if day is None:
            day = DrawerDay.objects.create(drawer=drawer, float=float, opened_by_name=user_name)
            journal.write("drawer_opened", day.pk, by=user_name, **day.recorded_at_opening)
    return day


def move(
    *, drawer_id: int, kind: str, amount: Decimal = Decimal(0), reason: str, user: Any, key: Key | None = None
) -> DrawerMovement:
    """Note cash that was put into an open drawer or taken out, or that it was opened by hand, which opens it.

    A repeat with the same key returns the first one. Raises DrawerUnknown, DrawerClosed, KeyReused.
    """
    with transaction.atomic():
        day = _lock(drawer_id)
        earlier = earlier_of(DrawerMovement.objects.filter(day__drawer=drawer_id), key)
        if earlier is not None:
            return earlier
        if day is None:
            raise DrawerClosed
        movement = DrawerMovement.objects.create(
            day=day,
            kind=kind,
            amount=amount,
            reason=reason,
            by=user,
            by_name=user.get_username(),
            **columns_of(key),
        )
        journal.write("drawer_movement", movement.pk, by=movement.by_name, **movement.recorded)
        if kind == DrawerMovement.Kind.KICK:
            pop(day)
    return movement


def close_day(*, drawer_id: int, counted: Decimal, coins: Mapping[str, int] | None = None, user_name: str) -> DrawerDay:
    """Close a drawer in which so much was counted, and return its Z. One that is closed has its last Z.

    Raises DrawerUnknown, DrawerClosed if it was never open.
    """
    with transaction.atomic():
        # Whoever changes orders, bills or payments locks the row of a session first. So nothing of that is under way
        # now: what has a time is committed and in this Z, what comes later has a later time and is in the next one.
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE restaurant_tablesession IN EXCLUSIVE MODE")
        day = _lock(drawer_id)
        if day is None:
            latest = DrawerDay.objects.filter(drawer=drawer_id).order_by("-number").first()
            if latest is None:
                raise DrawerClosed
            return latest
        now, since = timezone.now(), queries.last_z_at()
        if since is None:
            since = day.opened_at
            Adjustment.objects.filter(created_at__lte=since, voided_at=None).update(counted_by_rate=F("by_rate"))
        adjustments = list(queries.uncounted())
        held = queries.cash(day)
        day.closed_at, day.closed_by_name = now, user_name
        day.number = (DrawerDay.objects.aggregate(latest=Max("number"))["latest"] or 0) + 1
        day.counted, day.counted_coins, day.expected = counted, dict(coins or {}), held["expected"]
        day.figures = {**queries.figures(since, now, adjustments), "cash": held}
        day.save()
        for adjustment in adjustments:
            adjustment.counted_by_rate = {} if adjustment.voided_at else adjustment.by_rate
        Adjustment.objects.bulk_update(adjustments, ["counted_by_rate"])
        journal.write("drawer_closed", day.pk, by=user_name, **day.recorded)
    day.refresh_from_db()
    return day


def for_cash(user_name: str, drawer_id: int | None = None) -> DrawerDay | None:
    """Return the locked day of the drawer that cash goes into or comes from now; None where no drawer is open.

    Without an id it is the drawer that the user has opened, else the only one that is open. Raises DrawerUnknown,
    NoOpenDrawer.
    """
    # Locked until the transaction ends, so that a closing counts this cash or comes before it.
    open_days = DrawerDay.objects.filter(closed_at=None).select_for_update(no_key=True).order_by("opened_at")
    if drawer_id is not None:
        day = open_days.filter(drawer=drawer_id).first()
        if day is None:
            raise DrawerUnknown
        return day
    days = list(open_days)
    own = [day for day in days if day.opened_by_name == user_name]
    day = own[0] if own else days[0] if len(days) == 1 else None
    if day is None and OrderingRules.current().needs_open_drawer:
        raise NoOpenDrawer
    return day


def for_void(payment: Payment, user_name: str) -> DrawerDay | None:
    """Return the day of the drawer that a voided payment's cash comes out of: where it lies, if that is still open."""
    lies_in = DrawerDay.objects.filter(payments=payment, closed_at=None).select_for_update(no_key=True, of=["self"])
    return lies_in.first() or for_cash(user_name)


def pop(day: DrawerDay | None) -> None:
    """Open the drawer, where a printer does that. To be called in a transaction."""
    printer = printer_of(day, opens_drawer=True)
    if printer is not None:
        dockets.send_pulse(printer)


def printer_of(day: DrawerDay | None, printer_id: int | None = None, **like: bool) -> Printer | None:
    """Return the receipt printer with this id; without one the drawer's, else the only one there is."""
    printers = receipt_printers().filter(**like)
    if printer_id is None and day and day.drawer.printer_id:
        printer_id = day.drawer.printer_id
    found = printers[:2] if printer_id is None else printers.filter(pk=printer_id)
    return found[0] if len(found) == 1 else None


def receipt_printers() -> QuerySet[Printer]:
    return Printer.objects.filter(kind=Printer.Kind.RECEIPT, active=True)


def _lock(drawer_id: int) -> DrawerDay | None:
    """Lock the drawer's open day and return it; None if it is closed. Raises DrawerUnknown."""
    if not CashDrawer.objects.filter(pk=drawer_id).exists():
        raise DrawerUnknown
    return DrawerDay.objects.select_for_update(no_key=True).filter(drawer=drawer_id, closed_at=None).first()
