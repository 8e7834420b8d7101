"""The opening hours of the kitchen and of categories, in times of the venue's clock."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from web.formats import listed

EVERY_DAY = frozenset(WEEKDAYS)  # 0 is Monday
_MIDNIGHT = (time.min, time(23, 59))


def days_in_words(days: Collection[int], names: Mapping[int, object], dash: str = "–") -> str:
    """Return the names of the days, but of three or more in a row only the first and the last."""
    runs: list[list[str]] = [[]]
    for day in sorted(EVERY_DAY):
        if day in days:
            runs[-1].append(str(names[day]))
        else:
            runs.append([])
    return listed(f"{run[0]}{dash}{run[-1]}" if len(run) > 2 else listed(run) for run in runs if run)


def weekdays_field() -> "ArrayField[Any, Any]":
    """Return a field for a list of 0 (Monday) to 6; empty for every day."""
    return ArrayField(
        models.PositiveSmallIntegerField(choices=WEEKDAYS), verbose_name=_("days"), blank=True, default=list
    )


@dataclass(frozen=True, slots=True)
class Window:
    """A span of some weekdays, which may pass midnight: it belongs to the day on which it opens.

    Without `opens` it begins at midnight, without `closes` it lasts until the next midnight. 00:00 means the same, and
    as an end 23:59, which people write for want of 24:00. A window that closes when it opens lasts 24 hours.
    """

    opens: time | None = None
    closes: time | None = None
    weekdays: frozenset[int] = EVERY_DAY

    def __post_init__(self) -> None:
        if self.opens == time.min:
            object.__setattr__(self, "opens", None)
        if self.closes is not None and self.closes != self.opens and self.closes.replace(second=0) in _MIDNIGHT:
            object.__setattr__(self, "closes", None)

    @property
    def is_always(self) -> bool:
        return self.opens is None and self.closes is None and self.weekdays == EVERY_DAY

    @property
    def passes_midnight(self) -> bool:
        return self.closes is not None and self.closes <= (self.opens or time.min)

    def contains(self, local: datetime) -> bool:
        """Return whether it is open at `local`, a moment in the venue's zone."""
        return self.opened_on(local) is not None

    def opened_on(self, local: datetime) -> date | None:
        """Return the day on which it opened, where it is open at `local`."""
        now, opens = local.time().replace(tzinfo=None), self.opens or time.min
        today, yesterday = local.date(), local.date() - timedelta(days=1)
        if today.weekday() in self.weekdays and now >= opens and (self.closes is None or self.passes_midnight):
            return today
        if today.weekday() in self.weekdays and self.closes is not None and opens <= now < self.closes:
            return today
        is_last_night = self.passes_midnight and yesterday.weekday() in self.weekdays
        return yesterday if is_last_night and now < (self.closes or time.min) else None

    def next_opening(self, local: datetime, but_not_on: Collection[date] = ()) -> datetime:
        """Return the first moment after `local` at which it opens, in the same zone."""
        days = (local.date() + timedelta(days=number) for number in range(8 + 7 * len(but_not_on)))
        openings = (datetime.combine(day, self.opens or time.min, local.tzinfo) for day in days)
        fitting = (opening for opening in openings if opening.weekday() in self.weekdays and opening > local)
        return next(opening for opening in fitting if opening.date() not in but_not_on)


class OpeningHours(models.Model):
    """A span of a weekday in which guests can order. While there is no row they always can."""

    weekday = models.PositiveSmallIntegerField(_("day"), choices=WEEKDAYS)
    opens = models.TimeField(_("opens"))
    closes = models.TimeField(_("closes"), help_text=_("Earlier than the opening: on the next day."))

    class Meta:
        verbose_name = _("opening hours")
        verbose_name_plural = _("opening hours")
        ordering = ["weekday", "opens"]
        constraints = [models.UniqueConstraint(fields=["weekday", "opens"], name="opening_hours_once")]

    def __str__(self) -> str:
        return f"{self.get_weekday_display()} {self.opens:%H:%M}–{self.closes:%H:%M}"

    @property
    def window(self) -> Window:
        return Window(self.opens, self.closes, frozenset({self.weekday}))


class ClosedDay(models.Model):
    """A day on which guests can't order, whatever the opening hours: a night that began the day before goes on."""

    date = models.DateField(_("day"), unique=True)
    reason = models.CharField(_("reason"), max_length=100, blank=True, help_text=_("Guests read it."))

    class Meta:
        verbose_name = _("closed day")
        verbose_name_plural = _("closed days")
        ordering = ["date"]

    def __str__(self) -> str:
        return " ".join(filter(None, (f"{self.date}", self.reason)))
