"""The windows that a report's page offers, and how it says which one is shown. All are links and a form."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from urllib.parse import urlencode

from babel.dates import format_interval, format_skeleton
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext

from web.formats import locale
from web.templatetags.reports import shown
from web.windows import DAY, PREVIOUS, YEAR_BEFORE, Period, Window

PARAMETERS = ("days", "from", "to", "compare")
LATEST = (7, 28, 90, 365)  # days


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    query: str
    is_chosen: bool


def query_of(period: Period) -> str:
    """The parameters that lead to this period."""
    return _query(_chosen(period.window), period.compare)


def _query(chosen: dict[str, str], compare: str) -> str:
    return urlencode(chosen | ({"compare": compare} if compare == YEAR_BEFORE else {}))


def _chosen(window: Window) -> dict[str, str]:
    if window.is_calendar:
        return {"from": str(window.first), "to": str(window.last)}
    return {"days": str(window.days)}


def kept(parameters: Mapping[str, str]) -> str:
    """Those of the period, as they were given: other reports are linked with them."""
    return urlencode(kept_values(parameters))


def kept_values(parameters: Mapping[str, str]) -> dict[str, str]:
    return {name: parameters[name] for name in PARAMETERS if name in parameters}


def with_parameter(parameters: QueryDict, name: str, value: str) -> str:
    """The query of the same list with another choice, from its first page on. Without a value it is left out."""
    other = parameters.copy()
    for each in (name, "page"):
        other.pop(each, None)
    if value:
        other[name] = value
    return other.urlencode()


def context(period: Period, parameters: Mapping[str, str], *, has_last_year: bool) -> dict[str, Any]:
    """What the template shows."""
    presets = _presets(period)
    name = next((each.label for each in presets if each.is_chosen), _("Custom"))
    return {
        "period": period,
        "kept": kept(parameters),
        "period_name": name,
        "period_days": days_text(period.window),
        "period_before": _before_text(period),
        "is_to_the_minute": _is_to_the_minute(period),
        "period_moments": None if period.window.is_calendar else [_moments(period.window), _moments(period.before)],
        "period_presets": presets,
        "period_comparisons": _comparisons(period, has_last_year),
        "since": period.window.since,
        "until": period.window.until,
    }


def _is_to_the_minute(period: Period) -> bool:
    """Whether both end at the same time of day; where a month has no such day, the one before is whole."""
    ends = (each.astimezone(period.zone) for each in (period.now, period.before.until))
    return period.is_running and len({(each.hour, each.minute) for each in ends}) == 1


def _before_text(period: Period) -> str:
    """Those of so many times 24 hours, which are named by their end, follow each other."""
    follows = not period.window.is_calendar and not period.window.is_short and period.compare != YEAR_BEFORE
    if not follows:
        return days_text(period.before)
    words = npgettext("compared with", "the %(days)s day before", "the %(days)s days before", period.window.days)
    return words % {"days": shown(period.window.days, "number")}


def _presets(period: Period) -> list[Choice]:
    window, today = period.window, period.today
    month, yesterday = today.replace(day=1), today - DAY
    last_month = (month - DAY).replace(day=1)
    ranges = [
        (_("Today"), today, today),
        (_("Yesterday"), yesterday, yesterday),
        *((latest(days), today - (days - 1) * DAY, today) for days in LATEST),
        (_("This month"), month, today),
        (_("Last month"), last_month, month - DAY),
    ]
    chosen = _place(window, [(first, last) for _label, first, last in ranges])
    found = [
        Choice(label, _query({"from": str(first), "to": str(last)}, period.compare), place == chosen)
        for place, (label, first, last) in enumerate(ranges)
    ]
    if not window.is_calendar:
        found.insert(4, Choice(latest(window.days), query_of(period), True))
    return found


def _place(window: Window, ranges: list[tuple[date, date]]) -> int | None:
    """Of the chosen one. On some days two are the same: a month so far is then compared as a month."""
    if not window.is_calendar:
        return None
    places = [place for place, each in enumerate(ranges) if each == (window.first, window.last)]
    return (places[-1] if window.is_month else places[0]) if places else None


def _comparisons(period: Period, has_last_year: bool) -> list[Choice]:
    is_last_year = period.compare == YEAR_BEFORE
    chosen = _chosen(period.window)
    previous = _("A week before") if period.window.is_short else _("Previous period")
    choices = [Choice(previous, _query(chosen, PREVIOUS), not is_last_year)]
    if has_last_year or is_last_year:
        choices.append(Choice(_("Same period last year"), _query(chosen, YEAR_BEFORE), is_last_year))
    return choices


def latest(days: int) -> str:
    return ngettext("Last 24 hours", "Last %(days)s days", days) % {"days": shown(days, "number")}


def _moments(window: Window) -> str:
    """Those between which so many times 24 hours lie."""
    return f"{shown(window.since, 'time')} – {shown(window.until, 'time')}"


def days_text(window: Window) -> str:
    """Its days. So many times 24 hours are named by their end: they begin and end within a day."""
    if not window.is_calendar:
        days = ngettext("24 hours until %(time)s", "%(days)s days until %(time)s", window.days)
        return days % {"days": shown(window.days, "number"), "time": shown(window.until, "time")}
    if window.is_one_day:
        return day_text(window.first)
    return format_interval(window.first, window.last, "yMMMd", locale=locale())


def label_before(period: Period) -> str:
    """The name of what a figure is compared with."""
    window = period.window
    if period.compare == YEAR_BEFORE:
        return _("Same period last year")
    if window.is_month:
        return _("Last month to date") if period.is_running else _("The month before")
    if window.is_short:
        return _("A week ago by this time") if period.is_running else _("A week before")
    words = ngettext("Previous %(days)s day", "Previous %(days)s days", window.days)
    return words % {"days": shown(window.days, "number")}


def day_text(day: date) -> str:
    return format_skeleton("yMMMEd", datetime.combine(day, time.min), locale=locale())


def week_before_text(day: date, *, is_running: bool) -> str:
    """What a day is compared with; of one that is not over, until when."""
    before = day_text(day - DAY * 7)
    return _("%(day)s by the same time") % {"day": before} if is_running else before


def legend_before(period: Period) -> str:
    """Beside a plot: the name of the period before, whose dates the page's head has. Of a day a plot has all hours; of
    days, the last is compared until the same time."""
    if not period.window.is_one_day:
        before = label_before(period)
        if not _is_to_the_minute(period) or period.window.is_short:
            return before
        time = shown(period.now, "clock")
        return _("%(period)s, the last day until %(time)s") % {"period": before, "time": time}
    if period.is_beside_last_week:
        return _("A week ago, all day")
    days = days_text(period.before)
    return _("%(day)s, all day") % {"day": days} if period.is_running else days


def phrase_before(period: Period) -> str:
    """The same, to stand in a sentence after "up 12% on"."""
    window = period.window
    if period.compare == YEAR_BEFORE:
        return _("the same period last year")
    if window.is_month:
        return _("last month by this time") if period.is_running else _("the month before")
    if window.is_one_day:
        return _("a week ago by this time") if period.is_running else _("the same day a week before")
    if window.is_short:
        return _("a week ago by this time") if period.is_running else _("the same days a week before")
    words = ngettext("the %(days)s day before", "the %(days)s days before", window.days)
    return words % {"days": shown(window.days, "number")}
