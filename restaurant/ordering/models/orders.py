"""Orders, what is in them, and who changed them."""

import uuid
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models import MenuItem, allergen_names, language_of_menu, local
from restaurant.rules import late_after, vat_rate_field
from restaurant.tables.models import Table
from web import languages
from web.money import MoneyField


class Waits:
    """What waits for one of the staff. Reading the floor sets `owner`, the user name of who has its table, if anybody.

    From `everybodys_at` on it is for all others too; `rings` says whether it does for who is shown the page.
    """

    taken_by_name: Any
    owner = ""
    everybodys_at: datetime | None = None
    rings = True

    @property
    def is_escalated(self) -> bool:
        at = self.everybodys_at
        return at is not None and not self.taken_by_name and at <= timezone.now()

    def is_for(self, user_name: str) -> bool:
        """Return whether this user has the table or went there, or it waits for anybody who comes."""
        is_free = not self.taken_by_name and (not self.owner or self.is_escalated)
        return is_free or user_name in (self.owner, self.taken_by_name)


class OrderQuerySet(models.QuerySet["Order"]):
    def to_be_collected(self) -> Self:
        """Orders whose points have to be settled when the session has ended, cancelled ones too."""
        return self.filter(collected_at=None).exclude(collector="").exclude(status=Order.Status.HELD)

    def to_be_approved(self) -> Self:
        """Orders of guests that wait for a member of staff."""
        return self.filter(status=Order.Status.HELD, kept_at=None)

    def kept(self) -> Self:
        """Orders that staff send to the kitchen later."""
        return self.filter(status=Order.Status.HELD, kept_at__isnull=False)

    def to_be_taken_back(self) -> Self:
        """Orders that were cancelled after a card had got their points."""
        return self.filter(status=Order.Status.CANCELLED, points_collected__isnull=False)


class Order(Waits, models.Model):
    class Status(models.TextChoices):
        PENDING = "pending", _("received")
        PREPARING = "preparing", _("preparing")
        READY = "ready", _("ready")
        SERVED = "served", _("served")
        COMPLETED = "completed", _("completed")
        # Set by approving and cancelling alone, never by the kitchen's buttons.
        HELD = "held", _("waiting for approval")
        CANCELLED = "cancelled", _("cancelled")

    COOKING = (Status.PENDING, Status.PREPARING)
    OPEN = (*COOKING, Status.READY)
    GONE = (Status.SERVED, Status.COMPLETED)
    # What the kitchen may set.
    STEPS = (*OPEN, *GONE)
    # Neither in the session's figures nor on a bill or in a report.
    UNCOUNTED = (Status.HELD, Status.CANCELLED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="orders")
    session = models.ForeignKey("restaurant.TableSession", on_delete=models.PROTECT, related_name="orders")
    status = models.CharField(_("status"), max_length=50, choices=Status, default=Status.PENDING)
    # Of what is not cancelled.
    total = MoneyField(_("total"), max_digits=11)
    # Its share of the bill's discounts and of what is on the house, below zero; None where there never were any.
    taken_off = MoneyField(null=True, editable=False)
    created_at = models.DateTimeField(_("placed"), default=timezone.now)
    # When it left the kitchen's lists. None while it is open.
    served_at = models.DateTimeField(_("served"), null=True, blank=True)
    # When it became ready, the last time.
    ready_at = models.DateTimeField(_("ready"), null=True, blank=True)
    completed_at = models.DateTimeField(_("completed"), null=True, blank=True)
    # What the guest says not to tolerate: some of `Allergen`.
    allergies = models.JSONField(_("allergies"), default=list, db_default=[], blank=True)
    # The user name of who placed it for a guest.
    placed_by = models.CharField(_("placed by"), max_length=150, blank=True, default="", db_default="")
    # Whether it had to wait for approval, and when it got it.
    was_held = models.BooleanField(default=False, db_default=False, editable=False)
    approved_at = models.DateTimeField(_("approved"), null=True, blank=True)
    # When staff took it to be sent later. Once it is sent, `created_at` is when.
    kept_at = models.DateTimeField(_("kept for later"), null=True, blank=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    # Who goes to approve it or to carry what is ready, and since when. The next step is nobody's again.
    taken_by_name = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)
    taken_at = models.DateTimeField(null=True, editable=False)
    # Since when it goes before others on displays.
    prioritised_at = models.DateTimeField(null=True, editable=False)
    # In which its guest read the menu, where that is not the venue's.
    language = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    # When a cook has seen that it is cancelled.
    acknowledged_at = models.DateTimeField(null=True, editable=False)
    # The phone that placed it: `queries.phone_key` of its id. None for a program without one.
    phone_key = models.CharField(max_length=32, null=True, editable=False)
    # Who collects its points: `loyalty.gateway.Card.reference`. Empty: nobody. Once set, it stays.
    collector = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    # Since when that is settled, and the points; None where the programme gave none.
    collected_at = models.DateTimeField(null=True, editable=False)
    points_collected = models.PositiveIntegerField(_("points collected"), null=True, editable=False)
    # See `web.idempotency`. Keys belong to the session that the request named, which may have been moved since.
    placed_in = models.UUIDField(null=True, editable=False)
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    objects = OrderQuerySet.as_manager()

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        constraints = [
            models.UniqueConstraint(fields=["placed_in", "idempotency_key"], name="order_once_per_key"),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "preparing", "ready", "served", "completed", "held", "cancelled"]),
                name="order_status_is_known",
            ),
        ]
        indexes = [
            # The kitchen's open orders, oldest first.
            models.Index(
                fields=["created_at"], condition=Q(status__in=["pending", "preparing", "ready"]), name="order_open"
            ),
            # What waits for approval, and what a cook has not seen to be cancelled.
            models.Index(fields=["created_at"], condition=Q(status="held"), name="order_held"),
            models.Index(
                fields=["cancelled_at"], condition=Q(status="cancelled", acknowledged_at=None), name="order_cancelled"
            ),
            # What the kitchen can recall.
            models.Index(fields=["served_at"], condition=Q(served_at__isnull=False), name="order_served"),
            # The reports' windows of days: today's dashboard, peak hours, menu performance.
            models.Index(fields=["created_at"], name="order_by_time"),
            # The admin's list by total.
            models.Index(fields=["total"], name="order_by_total"),
            # What has yet to be collected when its session is closed.
            models.Index(
                fields=["session"], condition=~Q(collector="") & Q(collected_at=None), name="order_to_be_collected"
            ),
            # What a card has collected: its guest's usual dishes, and all data of a member.
            models.Index(fields=["collector", "-created_at"], condition=~Q(collector=""), name="order_by_collector"),
            # What was cancelled after that.
            models.Index(
                fields=["created_at"],
                condition=Q(status="cancelled", points_collected__isnull=False),
                name="order_to_be_taken_back",
            ),
        ]
        permissions = [
            ("work_kitchen", "Can see the kitchen display and move orders on"),
            ("view_reports", "Can read the restaurant reports"),
        ]

    def __str__(self) -> str:
        return f"{self.id}"

    @property
    def earns_on(self) -> Decimal:
        """The amount that earns points: without what was taken off, and never with service or a tip."""
        return self.total + (self.taken_off or 0)

    @property
    def called(self) -> str:
        """The short name on dockets and in the admin, where the beginning of an id finds an order."""
        return f"#{str(self.pk)[:6].upper()}"

    @property
    def is_kept(self) -> bool:
        """True while staff hold it to send it later: nobody has to approve it."""
        return self.status == self.Status.HELD and self.kept_at is not None

    @property
    def is_outstanding(self) -> bool:
        """True while a dish of it has yet to be brought."""
        return self.status in (self.Status.HELD, *self.OPEN)

    @property
    def is_cooking(self) -> bool:
        return self.status in self.COOKING

    @property
    def is_late(self) -> bool:
        undone = [item for item in self.items.all() if item.remaining and not item.done_at]
        begun = [(item.fired_at or self.created_at) + late_after(item.late_after) for item in undone if not item.waits]
        late_at = min(begun, default=None if undone else self.created_at + late_after())
        return self.is_cooking and late_at is not None and timezone.now() >= late_at

    @property
    def portions(self) -> int:
        """The number of dishes, without those that are cancelled."""
        return sum(item.remaining for item in self.items.all())

    @property
    def to_carry(self) -> "list[OrderItem]":
        """What is left of its items and was not carried."""
        return [item for item in self.items.all() if item.remaining and not item.served_at]

    @property
    def portions_to_carry(self) -> int:
        return sum(item.remaining for item in self.to_carry)

    @property
    def is_of_stations(self) -> bool:
        return any(item.station_id for item in self.items.all())

    @property
    def ordered_portions(self) -> int:
        """The number of dishes that were ordered, including those cancelled since."""
        return sum(item.quantity for item in self.items.all())

    @property
    def portions_done(self) -> int:
        """The number of dishes that are done while the kitchen works on the order."""
        return sum(item.remaining for item in self.items.all() if item.is_done)

    @property
    def entries(self) -> "models.QuerySet[OrderItem]":
        """Its items, in the order in which they were chosen."""
        return self.items.all()

    @property
    def allergy_names(self) -> list[str]:
        return allergen_names(self.allergies)

    @property
    def note_language(self) -> str:
        """The language of the guest's notes, where the kitchen reads another; of what staff have placed none."""
        language = self.language or languages.base(settings.LANGUAGE_CODE)
        return "" if self.placed_by or language == languages.base(languages.of_kitchen()) else language

    @property
    def note_words(self) -> str:
        return languages.spoken(self.note_language) if self.note_language else ""

    @property
    def status_label(self) -> str:
        # get_status_display() translates all of them for each order.
        return str(_("kept for later") if self.is_kept else self.Status(self.status).label)

    @property
    def is_counted(self) -> bool:
        return self.status not in self.UNCOUNTED

    @property
    def dishes(self) -> str:
        """Its dishes, such as `Soup · 2 x Bread`, without what is cancelled unless all of it is."""
        return self._dishes("display_name")

    @property
    def local_dishes(self) -> str:
        """`dishes` in the language of the page."""
        return self._dishes("local_name")

    def _dishes(self, name: str) -> str:
        counts: Counter[str] = Counter()
        for item in self.items.all():
            is_gone = self.status == self.Status.CANCELLED
            counts[getattr(item, name)] += item.quantity if is_gone else item.remaining
        times = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
        return " · ".join(f"{count}{times}{name}" if count > 1 else name for name, count in counts.items() if count)

    def recorded(self, items: Iterable["OrderItem"]) -> dict[str, Any]:
        """What the journal says of it, with its entries as they were ordered."""
        names = ("position", "name", "quantity", "price", "vat_rate")
        entries = [{name: getattr(item, name) for name in names} for item in items]
        return {"session": self.session_id, "held": self.was_held, "items": entries}

    @cached_property
    def cancellation(self) -> "OrderChange | None":
        """The change that cancelled the last of it; None for an order that is not cancelled."""
        if self.status != self.Status.CANCELLED:
            return None
        return self.changes.exclude(kind=OrderChange.Kind.APPROVED).order_by("at", "pk").last()


class OrderItem(models.Model):
    # Of `waits`, for queries.
    WAITS = Q(course__isnull=False, fired_at=None, quantity__gt=F("cancelled_quantity"))

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="items")
    menu_item = models.ForeignKey(MenuItem, on_delete=models.PROTECT, related_name="order_items")
    # Order of the entries, and the item's name at the time: renaming an item must not change a ticket.
    position = models.PositiveSmallIntegerField(default=0, editable=False)
    name = models.CharField(_("name"), max_length=255, blank=True, default="", editable=False)
    quantity = models.PositiveIntegerField(_("quantity"), default=1)
    cancelled_quantity = models.PositiveIntegerField(_("cancelled"), db_default=0, default=0, editable=False)
    special_instructions = models.TextField(_("special instructions"), blank=True, default="")
    # With its options.
    price = MoneyField(_("unit price"), max_digits=11)
    # What follows is that of the moment it was ordered.
    vat_rate = vat_rate_field()
    # A list of ids, names and prices: {"id": "…", "name": "medium", "price": "1.50"}; "words" as the menu has
    # them, and "doneness".
    options = models.JSONField(_("options"), default=list, db_default=[], blank=True)
    # Which of the order's allergies it contains or may contain.
    alert = models.JSONField(_("allergy alert"), default=list, db_default=[], blank=True)
    station = models.ForeignKey(
        "restaurant.Station", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    # Minutes until the kitchen is late with it; None: those of the installation.
    late_after = models.PositiveSmallIntegerField(null=True, editable=False)
    # Its place in the meal; None: at once. It waits until that course is fired.
    course = models.PositiveSmallIntegerField(null=True, editable=False)
    fired_at = models.DateTimeField(null=True, editable=False)
    # The user name of who fired it; empty where it went to the kitchen by itself.
    fired_by = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)
    # When a display of its station had drawn it.
    seen_at = models.DateTimeField(null=True, editable=False)
    done_at = models.DateTimeField(_("done"), null=True, blank=True, editable=False)
    # When it was carried, of an entry that did not wait for the rest of its order.
    served_at = models.DateTimeField(_("served"), null=True, blank=True, editable=False)
    # Whether it was taken from the item's portions, and so is given back when it is cancelled.
    took_portions = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("order item")
        verbose_name_plural = _("order items")
        ordering = ["position"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="order_quantity_is_positive"),
            models.CheckConstraint(
                condition=Q(cancelled_quantity__lte=F("quantity")), name="order_cancelled_at_most_ordered"
            ),
        ]
        # Whether some display says what it has drawn.
        indexes = [models.Index(fields=["seen_at"], condition=Q(seen_at__isnull=False), name="order_item_seen")]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.name or self.menu_item_id}"

    @property
    def display_name(self) -> str:
        """Rows from before `name` existed have none."""
        return self.name or self.menu_item.name

    @property
    def local_name(self) -> str:
        """In the language of the page, unless the dish has another name by now."""
        is_same = language_of_menu() and self.menu_item.name == self.display_name
        return self.menu_item.local_name if is_same else self.display_name

    @property
    def local_options(self) -> list[dict[str, Any]]:
        """`options` with names in the language of the page."""
        return [
            each | {"name": local(each.get("words", {}), "name", each["name"], doneness=each.get("doneness", ""))}
            for each in self.options
        ]

    @property
    def remaining(self) -> int:
        """The quantity that is not cancelled."""
        return self.quantity - self.cancelled_quantity

    @property
    def total(self) -> Decimal:
        return self.price * self.remaining

    @property
    def waits(self) -> bool:
        """True while the kitchen is to make it later: its course was not fired yet."""
        return self.course is not None and self.fired_at is None and self.remaining > 0

    @property
    def after_course(self) -> int:
        """The course after which it is made; 0 if it does not wait, or for one that comes first."""
        return (self.course or 0) - 1 if self.waits else 0

    @property
    def is_done(self) -> bool:
        """True when the kitchen is done with it, but not with the whole order."""
        return self.done_at is not None and self.remaining > 0 and self.order.is_cooking

    @property
    def has_details(self) -> bool:
        """True if there is more to say of it than its name and its quantity."""
        return bool(
            self.options or self.alert or self.special_instructions or self.cancelled_quantity or self.after_course
        )

    @property
    def alert_names(self) -> list[str]:
        return allergen_names(self.alert)


class OrderChange(models.Model):
    """Who approved, refused or cancelled an order or a part of it, when and why. Rows are never changed."""

    class Kind(models.TextChoices):
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")  # cancelled while it was held: it never counted
        CANCELLED = "cancelled", _("cancelled")

    class Reason(models.TextChoices):
        MISTAKE = "mistake", _("ordered by mistake")
        SOLD_OUT = "sold_out", _("sold out")
        KITCHEN_CLOSED = "kitchen_closed", _("kitchen closed")
        GUEST_LEFT = "guest_left", _("guest has left")
        OTHER = "other", _("another reason")

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    at = models.DateTimeField(_("at"), default=timezone.now)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # Kept when the user is deleted; empty for the guest.
    user_name = models.CharField(_("by"), max_length=150, blank=True, default="")
    reason = models.CharField(_("reason"), max_length=20, choices=Reason, blank=True, default="")
    note = models.CharField(_("note"), max_length=200, blank=True, default="")
    amount = MoneyField(_("amount"), max_digits=11)
    # [{"position": 0, "quantity": 1}, ...]: what was cancelled.
    items = models.JSONField(default=list)
    # See `web.idempotency`.
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("order change")
        verbose_name_plural = _("order changes")
        default_permissions = ("view",)
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["order", "idempotency_key"], name="order_change_once_per_key")]
        indexes = [models.Index(fields=["at"], name="order_change_by_time")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d %H:%M}"

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it."""
        return {"change": self.pk, "amount": self.amount, "items": self.items, "reason": self.reason}

    @property
    def is_refusal(self) -> bool:
        """True where a guest's order was not approved. What staff kept for later they cancel: nobody was refused."""
        return self.kind == self.Kind.REFUSED and self.order.kept_at is None
