"""When the kitchen takes orders, and when a category is for sale: times of the venue's clock."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _


class Weekday(models.IntegerChoices):
    MONDAY = 0, _("Monday")
    TUESDAY = 1, _("Tuesday")
    WEDNESDAY = 2, _("Wednesday")
    THURSDAY = 3, _("Thursday")
    FRIDAY = 4, _("Friday")
    SATURDAY = 5, _("Saturday")
    SUNDAY = 6, _("Sunday")


EVERY_DAY = frozenset(Weekday.values)


def weekdays_field() -> "ArrayField[Any, Any]":
    """A list of 0 (Monday) to 6; empty for every day."""
    return ArrayField(
        models.PositiveSmallIntegerField(choices=Weekday), verbose_name=_("days"), blank=True, default=list
    )


@dataclass(frozen=True, slots=True)
class Window:
    """A span of some weekdays, which may pass midnight: it belongs to the day on which it opens.

    Without `opens` it begins at midnight, without `closes` it lasts until the next midnight. One that closes at the
    time at which it opens lasts a whole day.
    """

    opens: time | None = None
    closes: time | None = None
    weekdays: frozenset[int] = EVERY_DAY

    @classmethod
    def of(cls, opens: time | None, closes: time | None, weekdays: Collection[int]) -> "Window":
        return cls(opens, closes, frozenset(weekdays) or EVERY_DAY)

    @property
    def is_always(self) -> bool:
        return self.opens is None and self.closes is None and self.weekdays == EVERY_DAY

    @property
    def passes_midnight(self) -> bool:
        return self.closes is not None and self.closes <= (self.opens or time.min)

    def contains(self, local: datetime) -> bool:
        """`local`: a moment in the venue's zone."""
        now, opens = local.time().replace(tzinfo=None), self.opens or time.min
        today, yesterday = local.weekday(), (local.weekday() - 1) % 7
        if today in self.weekdays and now >= opens and (self.closes is None or self.passes_midnight):
            return True
        if today in self.weekdays and self.closes is not None and opens <= now < self.closes:
            return True
        return self.passes_midnight and yesterday in self.weekdays and now < (self.closes or time.min)

    def next_opening(self, local: datetime) -> datetime:
        """The first moment after `local` at which it opens, in the same zone."""
        opens = self.opens or time.min
        for days in range(8):
            day = local.date() + timedelta(days=days)
            begins = datetime.combine(day, opens, local.tzinfo)
            if day.weekday() in self.weekdays and begins > local:
                return begins
        raise AssertionError("A window opens at least once in eight days.")


class OpeningHours(models.Model):
    """A span of a weekday in which guests can order. Without any row they always can."""

    weekday = models.PositiveSmallIntegerField(_("day"), choices=Weekday)
    opens = models.TimeField(_("opens"))
    closes = models.TimeField(_("closes"), help_text=_("Earlier than the opening: on the next day."))

    class Meta:
        verbose_name = _("opening hours")
        verbose_name_plural = _("opening hours")
        ordering = ["weekday", "opens"]
        constraints = [models.UniqueConstraint(fields=["weekday", "opens"], name="opening_hours_once")]

    def __str__(self) -> str:
        return f"{self.get_weekday_display()} {self.opens:%H:%M}–{self.closes:%H:%M}"

    def clean(self) -> None:
        if self.opens is not None and self.opens == self.closes:
            raise ValidationError({"closes": _("Please give a time other than the opening.")})

    @property
    def window(self) -> Window:
        return Window(self.opens, self.closes, frozenset({self.weekday}))
