"""Printers, and what they have to print: dockets in the kitchen, bills and the papers of cash drawers elsewhere."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models import Station
from restaurant.ordering.models.orders import Order
from restaurant.ordering.models.sessions import TableMove


class Printer(models.Model):
    """A printer on the network that understands ESC/POS."""

    class Kind(models.TextChoices):
        KITCHEN = "kitchen", _("kitchen: dockets")
        RECEIPT = "receipt", _("till: bills and receipts")

    class Columns(models.IntegerChoices):
        WIDE = 48, _("48 (80 mm paper)")
        NARROW = 42, _("42 (80 mm paper, larger letters)")

    name = models.CharField(_("name"), max_length=50, unique=True)
    host = models.CharField(_("host"), max_length=255, help_text=_("Its name or address in your network."))
    port = models.PositiveIntegerField(
        _("port"), default=9100, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    columns = models.PositiveSmallIntegerField(_("characters in a line"), choices=Columns, default=Columns.WIDE)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind, default=Kind.KITCHEN, db_default=Kind.KITCHEN)
    station = models.ForeignKey(
        Station,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="printers",
        verbose_name=_("station"),
        help_text=_("Of a kitchen's printer. Empty: it prints every order."),
    )
    opens_drawer = models.BooleanField(
        _("opens a cash drawer"),
        default=False,
        db_default=False,
        help_text=_("A receipt printer with a drawer's cable in it: for each payment in cash."),
    )
    active = models.BooleanField(_("active"), default=True)

    class Meta:
        verbose_name = _("printer")
        verbose_name_plural = _("printers")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class PrintJob(models.Model):
    """A docket for one printer, made in the transaction that tells the kitchen."""

    COPY = _("COPY")  # on what may be on paper already

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PRINTED = "printed", _("printed")
        DROPPED = "dropped", _("given up")  # its printer was switched off for good

    class Kind(models.TextChoices):
        ORDER = "order", _("order")
        CANCELLED = "cancelled", _("cancelled")
        MOVED = "moved", _("moved")
        COURSE = "course", _("course fired")
        # Of receipt printers: they have no order, but `lines`, and a pulse has neither.
        BILL = "bill", _("bill")
        RECEIPT = "receipt", _("receipt")
        X = "x", _("X of a drawer")
        Z = "z", _("Z of a drawer")
        PULSE = "pulse", _("opened a drawer")

    order = models.ForeignKey(Order, on_delete=models.CASCADE, null=True, related_name="print_jobs")
    printer = models.ForeignKey(Printer, on_delete=models.CASCADE, related_name="jobs", verbose_name=_("printer"))
    kind = models.CharField(_("kind"), max_length=20, choices=Kind, default=Kind.ORDER, db_default=Kind.ORDER)
    # Of a slip that says what was cancelled: [{"position": 0, "quantity": 1}, ...].
    cancelled_items = models.JSONField(default=list, db_default=[])
    # Of a slip that says which table the party has now. Its order is one of the party's.
    move = models.ForeignKey(TableMove, on_delete=models.CASCADE, null=True, db_index=False, related_name="+")
    # What a receipt printer prints, as `printing.layout.Line`, of which bill or drawer, and whether it did so before.
    lines = models.JSONField(default=list, db_default=[])
    subject = models.CharField(max_length=100, blank=True, default="", db_default="")
    is_copy = models.BooleanField(default=False, db_default=False)
    state = models.CharField(_("state"), max_length=20, choices=State, default=State.WAITING, db_default=State.WAITING)
    # How often its bytes were sent, at least in part. From the second time on the docket says COPY.
    attempts = models.PositiveIntegerField(_("attempts"), default=0, db_default=0)
    error = models.CharField(_("error"), max_length=200, blank=True, default="", db_default="")
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    printed_at = models.DateTimeField(_("printed"), null=True, blank=True)

    class Meta:
        verbose_name = _("docket")
        verbose_name_plural = _("dockets")
        default_permissions = ("view",)
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["move", "printer"], condition=Q(move__isnull=False), name="print_job_once_per_move"
            )
        ]
        indexes = [
            models.Index(fields=["printer", "created_at"], condition=Q(state="waiting"), name="print_job_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.order_id or self.get_kind_display()} {self.created_at:%H:%M:%S}"
