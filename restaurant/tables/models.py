"""Tables."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_TABLE_NUMBER = 99_999
PLAN_COLUMNS, PLAN_ROWS = 12, 12

Place = tuple[int, int]  # column and row on the plan of a section, from 1 on


class Table(models.Model):
    class Shape(models.TextChoices):
        """A table's outline on the plan of its section, seen from above."""

        SQUARE = "square", _("Square")
        ROUND = "round", _("Round")
        LONG = "long", _("Long")
        UPRIGHT = "upright", _("Upright")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table_number = models.PositiveIntegerField(
        _("number"), unique=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_NUMBER)]
    )
    section = models.CharField(_("section"), max_length=50, blank=True, default="")
    capacity = models.PositiveSmallIntegerField(_("seats"), null=True, blank=True)
    # Where it stands on the plan of its section, from 1 on; null without a place.
    plan_column = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    plan_row = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    # Empty: as its seats suggest.
    plan_shape = models.CharField(max_length=10, choices=Shape, blank=True, default="", db_default="", editable=False)
    # The party with whose table it was pushed together: its code leads there. Nobody sits here by themselves.
    joined = models.ForeignKey(
        "restaurant.TableSession", on_delete=models.SET_NULL, null=True, editable=False, related_name="joined_tables"
    )
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    # From the QR code service's response when the code was created; it can't be read again later.
    qr_code_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    short_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["table_number"]
        constraints = [
            # With a condition no foreign key could refer to it: orders at a table don't wait while it is moved.
            models.UniqueConstraint(
                fields=["section", "plan_column", "plan_row"],
                condition=models.Q(plan_column__isnull=False),
                name="one_table_in_a_place",
            ),
            models.CheckConstraint(
                condition=models.Q(plan_column=None, plan_row=None)
                | models.Q(plan_column__isnull=False, plan_row__isnull=False)
                & models.Q(plan_column__range=(1, PLAN_COLUMNS), plan_row__range=(1, PLAN_ROWS)),
                name="place_on_the_plan",
            ),
        ]

    def __str__(self) -> str:
        return _("Table %(number)s") % {"number": self.table_number}

    @property
    def place(self) -> Place | None:
        if self.plan_column is None or self.plan_row is None:
            return None
        return self.plan_column, self.plan_row

    @property
    def shape(self) -> str:
        """The shape that was chosen; without a choice, round for two seats and long for six or more."""
        seats = self.capacity or 4
        suggested = self.Shape.ROUND if seats <= 2 else self.Shape.LONG if seats >= 6 else self.Shape.SQUARE
        return self.plan_shape or suggested


class RoomFeature(models.Model):
    """A part of the room that the plan of a section shows besides its tables.

    Columns and rows are counted from 1 on, like those of tables. Features may lie under tables and under each other.
    A door, a wall or a window is a line: one without height runs above its row, one without width left of its column.
    Along the far edges of the plan it has the last row or column plus one.
    """

    class Kind(models.TextChoices):
        BAR = "bar", _("Bar")
        DOOR = "door", _("Door")
        WALL = "wall", _("Wall")
        WINDOW = "window", _("Window")
        PLANT = "plant", _("Plant")
        LABEL = "label", _("Label")

    LINES = (Kind.DOOR, Kind.WALL, Kind.WINDOW)
    TEXT_LENGTH = 20

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    section = models.CharField(max_length=50, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    column = models.PositiveSmallIntegerField()
    row = models.PositiveSmallIntegerField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=TEXT_LENGTH, blank=True, default="")

    class Meta:
        ordering = ["section", "row", "column", "pk"]
        default_permissions = ()  # who may change tables may change these
        constraints = [
            models.CheckConstraint(
                condition=models.Q(column__gte=1, column__lte=PLAN_COLUMNS + 1 - models.F("width"))
                & models.Q(row__gte=1, row__lte=PLAN_ROWS + 1 - models.F("height")),
                name="feature_on_the_plan",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=("door", "wall", "window"))
                & (models.Q(width=0, height__gte=1) | models.Q(width__gte=1, height=0))
                | ~models.Q(kind__in=("door", "wall", "window")) & models.Q(width__gte=1, height__gte=1),
                name="lines_and_areas",
            ),
        ]

    def __str__(self) -> str:
        kind = str(self.get_kind_display())
        return f"{kind} “{self.text}”" if self.text and self.text != kind else kind

    @property
    def is_line(self) -> bool:
        return self.kind in self.LINES

    @property
    def is_tall(self) -> bool:
        return self.height > self.width
