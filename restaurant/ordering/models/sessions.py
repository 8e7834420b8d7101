"""Parties at a table: their sessions, calls and moves."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.ordering.models.orders import Order, Waits
from restaurant.tables.models import Table
from web.money import MoneyField

SESSION_WINDOW = timedelta(hours=4)
MAX_COVERS = 99  # guests of one party


class TableSessionQuerySet(models.QuerySet["TableSession"]):
    """An open session has not ended and began within SESSION_WINDOW."""

    def open(self, now: datetime | None = None) -> Self:
        return self.filter(ended_at=None, started_at__gt=(now or timezone.now()) - SESSION_WINDOW)

    def open_at(self, table: Any) -> Self:
        """Open sessions of a table (or of an `OuterRef`), the latest first."""
        return self.open().filter(table=table).order_by("-started_at")

    def expired(self, now: datetime | None = None) -> Self:
        """Sessions that nobody closed, too old to be continued."""
        return self.filter(ended_at=None, started_at__lte=(now or timezone.now()) - SESSION_WINDOW)

    def left_open(self, now: datetime | None = None) -> Self:
        """Sessions with orders that are expired, or followed by another open session of their table."""
        now = now or timezone.now()
        later = TableSession.objects.open(now).filter(table=OuterRef("table"), started_at__gt=OuterRef("started_at"))
        return (self.expired(now) | self.filter(Exists(later), ended_at=None)).with_orders()

    def with_orders(self) -> Self:
        """Sessions with an order that is not cancelled."""
        return self.filter(Exists(Order.objects.filter(session=OuterRef("pk")).exclude(status="cancelled")))

    def with_open_orders(self) -> Self:
        """Annotate the numbers of orders that are not served yet, `open_orders` and by status, and `waiting_since`."""
        status = Order.Status
        return self.annotate(
            open_orders=models.Count("orders", filter=Q(orders__status__in=Order.OPEN)),
            pending_orders=models.Count("orders", filter=Q(orders__status=status.PENDING)),
            preparing_orders=models.Count("orders", filter=Q(orders__status=status.PREPARING)),
            ready_orders=models.Count("orders", filter=Q(orders__status=status.READY)),
            waiting_since=models.Min("orders__created_at", filter=Q(orders__status__in=Order.OPEN)),
        )


class TableSession(models.Model):
    """One party at a table, from the first scan until staff close it or SESSION_WINDOW has passed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    total_scans = models.PositiveIntegerField(_("scans"), default=1)
    total_orders = models.PositiveIntegerField(_("orders"), default=0)
    total_revenue = MoneyField(_("revenue"), default=Decimal("0"))
    # How many guests; null until staff have said.
    covers = models.PositiveSmallIntegerField(_("guests"), null=True, blank=True)
    # Given once, see `services.bills`.
    bill_number = models.PositiveIntegerField(null=True, unique=True, editable=False)
    billed_at = models.DateTimeField(null=True, editable=False)
    # What discounts and charges make of the bill, below zero where they take something off; None where there are none.
    adjusted = MoneyField(null=True, editable=False)
    # The session of another table that this one has joined.
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, editable=False, related_name="+")

    objects = TableSessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("table session")
        verbose_name_plural = _("table sessions")
        constraints = [
            models.CheckConstraint(condition=Q(covers=None) | Q(covers__range=(1, MAX_COVERS)), name="session_covers"),
        ]
        indexes = [
            # The open session of a table, found at every scan.
            models.Index(fields=["table", "-started_at"], condition=Q(ended_at=None), name="session_open_of_table"),
            # The dashboard's sessions of today and of yesterday.
            models.Index(fields=["started_at"], name="session_by_start"),
        ]
        permissions = [("close_session", "Can close a table's session")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.started_at:%Y-%m-%d %H:%M}"

    @property
    def is_open(self) -> bool:
        """True for a session of `TableSessionQuerySet.open`."""
        return self.ended_at is None and self.started_at > timezone.now() - SESSION_WINDOW

    @property
    def is_open_to_party(self) -> bool:
        """True while a phone with this session's cookie goes on with it: while there is a bill, whatever its age."""
        return self.is_open or (self.ended_at is None and self.orders.exclude(status=Order.Status.CANCELLED).exists())

    @property
    def bill_url(self) -> str:
        return f"{reverse('bill', args=[self.table.table_number])}?sessionId={self.pk}"

    @property
    def minutes(self) -> int:
        """The session's length until it ended, or until now: whole minutes, a half rounded up."""
        return int(((self.ended_at or timezone.now()) - self.started_at).total_seconds() / 60 + 0.5)


class BillCounter(models.Model):
    """One row with the number of the latest bill. Whoever gives the next one locks it, so that none is left out."""

    last = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.last)


class TableMove(models.Model):
    """A party that changed tables. Requests that still name the old table are led to the new one."""

    session = models.ForeignKey(TableSession, on_delete=models.CASCADE, related_name="moves")
    from_table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    to_table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    user_name = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.from_table_id} → {self.to_table_id}"


class TableCall(Waits, models.Model):
    """A table that calls for the waiter or the bill, or wants a reward on it, until somebody has come."""

    class Kind(models.TextChoices):
        WAITER = "waiter", _("waiter")
        BILL = "bill", _("bill")
        REWARD = "reward", _("reward")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    # Of a reward: the code of the guest's card, and what it gives.
    code = models.CharField(_("code"), max_length=100, blank=True, default="", db_default="")
    reward = models.CharField(_("reward"), max_length=255, blank=True, default="", db_default="")
    created_at = models.DateTimeField(_("called"), default=timezone.now)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    # Who came; empty where the table was closed or its party moved.
    done_by = models.CharField(_("done by"), max_length=150, blank=True, default="")
    # Who goes there, and since when.
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )
    taken_by_name = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)
    taken_at = models.DateTimeField(null=True, editable=False)
    # Of a guest who pays a part of the bill: how, and how much that was then.
    part = models.ForeignKey("BillPart", on_delete=models.CASCADE, null=True, editable=False, related_name="calls")
    method = models.CharField(max_length=20, blank=True, default="", db_default="", editable=False)
    amount = MoneyField(null=True, editable=False)

    class Meta:
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["session", "kind", "code"],
                condition=Q(done_at=None, part=None),
                name="call_of_a_kind_open_once",
            ),
            models.UniqueConstraint(fields=["part"], condition=Q(done_at=None), name="call_of_a_part_open_once"),
        ]
        indexes = [models.Index(fields=["created_at"], condition=Q(done_at=None), name="call_open")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.created_at:%H:%M}"

    @property
    def table(self) -> Table:
        return self.session.table
