"""Tables, the menu, sessions, carts and orders."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

SESSION_WINDOW = timedelta(hours=4)
MAX_TABLE_NUMBER = 99_999


class Table(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table_number = models.PositiveIntegerField(
        _("number"), unique=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_NUMBER)]
    )
    section = models.CharField(_("section"), max_length=50, blank=True, default="")
    capacity = models.PositiveSmallIntegerField(_("seats"), null=True, blank=True)
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    # From the QR code service's response when the code was created; it can't be read again later.
    qr_code_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    short_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["table_number"]

    def __str__(self) -> str:
        return _("Table %(number)s") % {"number": self.table_number}


class MenuItem(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    description = models.TextField(_("description"), blank=True, default="")
    price = models.DecimalField(
        _("price"), max_digits=10, decimal_places=2, validators=[MinValueValidator(Decimal("0"))]
    )
    category = models.CharField(_("category"), max_length=100, blank=True, default="")
    image_url = models.URLField(_("picture"), max_length=500, blank=True, default="")
    available = models.BooleanField(_("available"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("menu item")
        verbose_name_plural = _("menu items")
        ordering = ["category", "name"]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="menu_price_is_not_negative")]

    def __str__(self) -> str:
        return self.name


class MenuVersion(models.Model):
    """One row, whose number grows with every change of the menu. Cached menus have it in their keys."""

    number = models.PositiveBigIntegerField(default=1)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.number)


class TableSessionQuerySet(models.QuerySet["TableSession"]):
    """An open session has not ended and began within SESSION_WINDOW."""

    def open(self, now: datetime | None = None) -> Self:
        return self.filter(ended_at=None, started_at__gt=(now or timezone.now()) - SESSION_WINDOW)

    def open_at(self, table: Any) -> Self:
        """Open sessions of a table (or of an `OuterRef`), the latest first."""
        return self.open().filter(table=table).order_by("-started_at")

    def left_open(self) -> Self:
        """Sessions that nobody closed, too old to be continued."""
        return self.filter(ended_at=None, started_at__lte=timezone.now() - SESSION_WINDOW)

    def with_open_orders(self) -> Self:
        """Annotate `open_orders`: how many orders are not served yet."""
        return self.annotate(open_orders=models.Count("orders", filter=Q(orders__status__in=Order.OPEN)))


class TableSession(models.Model):
    """One party at a table, from the first scan until staff close it or SESSION_WINDOW has passed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    total_scans = models.PositiveIntegerField(_("scans"), default=1)
    total_orders = models.PositiveIntegerField(_("orders"), default=0)
    total_revenue = models.DecimalField(_("revenue"), max_digits=12, decimal_places=2, default=Decimal("0"))

    objects = TableSessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("table session")
        verbose_name_plural = _("table sessions")
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
        """As in `TableSessionQuerySet.open`."""
        return self.ended_at is None and self.started_at > timezone.now() - SESSION_WINDOW

    @property
    def minutes(self) -> int:
        """How long the session lasted, or has lasted until now: whole minutes, a half rounded up."""
        return int(((self.ended_at or timezone.now()) - self.started_at).total_seconds() / 60 + 0.5)


class Order(models.Model):
    class Status(models.TextChoices):
        PENDING = "pending", _("received")
        PREPARING = "preparing", _("being prepared")
        READY = "ready", _("ready")
        SERVED = "served", _("served")
        COMPLETED = "completed", _("completed")

    OPEN = (Status.PENDING, Status.PREPARING, Status.READY)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="orders")
    # The index of `order_once_per_key` begins with this column.
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="orders", db_index=False)
    status = models.CharField(_("status"), max_length=50, choices=Status, default=Status.PENDING)
    total = models.DecimalField(_("total"), max_digits=10, decimal_places=2)
    created_at = models.DateTimeField(_("placed"), default=timezone.now)
    completed_at = models.DateTimeField(_("completed"), null=True, blank=True)
    # The phone that placed it: `queries.phone_key` of its id. None for a program without one.
    phone_key = models.CharField(max_length=32, null=True, editable=False)
    # See `web.idempotency`.
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        constraints = [
            models.UniqueConstraint(fields=["session", "idempotency_key"], name="order_once_per_key"),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "preparing", "ready", "served", "completed"]),
                name="order_status_is_known",
            ),
        ]
        indexes = [
            # The kitchen's open orders, oldest first.
            models.Index(
                fields=["created_at"], condition=Q(status__in=["pending", "preparing", "ready"]), name="order_open"
            ),
            # The reports' windows of days: today's dashboard, peak hours, menu performance.
            models.Index(fields=["created_at"], name="order_by_time"),
        ]
        permissions = [
            ("work_kitchen", "Can see the kitchen display and move orders on"),
            ("view_reports", "Can read the restaurant reports"),
        ]

    def __str__(self) -> str:
        return f"{self.id}"


class OrderItem(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="items")
    menu_item = models.ForeignKey(MenuItem, on_delete=models.PROTECT, related_name="order_items")
    # Order of the entries, and the item's name at the time: renaming an item must not change a ticket.
    position = models.PositiveSmallIntegerField(default=0, editable=False)
    name = models.CharField(_("name"), max_length=255, blank=True, default="", editable=False)
    quantity = models.PositiveIntegerField(_("quantity"), default=1)
    special_instructions = models.TextField(_("special instructions"), blank=True, default="")
    price = models.DecimalField(_("unit price"), max_digits=10, decimal_places=2)

    class Meta:
        verbose_name = _("order item")
        verbose_name_plural = _("order items")
        ordering = ["position"]
        constraints = [models.CheckConstraint(condition=Q(quantity__gte=1), name="order_quantity_is_positive")]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.name or self.menu_item_id}"

    @property
    def display_name(self) -> str:
        """Rows from before `name` existed have none."""
        return self.name or self.menu_item.name

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


class CartLine(models.Model):
    """An item that one phone at a table has chosen and not ordered yet."""

    session = models.ForeignKey(TableSession, on_delete=models.CASCADE, related_name="cart_lines")
    guest = models.CharField(max_length=64)  # the phone's sessionId cookie
    menu_item = models.ForeignKey(MenuItem, on_delete=models.CASCADE)
    quantity = models.PositiveSmallIntegerField(default=1)
    special_instructions = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "guest", "menu_item"], name="cart_line_once_per_item"),
            models.CheckConstraint(condition=Q(quantity__gte=1, quantity__lte=99), name="cart_quantity_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.menu_item_id}"

    @property
    def total(self) -> Decimal:
        return self.menu_item.price * self.quantity
