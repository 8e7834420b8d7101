"""Admin lists that stay quick with millions of rows.

Counting rows, skipping them to show the last page, and reading every date to offer years take longer the more rows
there are. So only the first MAX_COUNTED rows have pages, and years range from the first row's to the last one's.
Further rows are found by a date, a filter, a search or another order; the export has everything.
"""

from calendar import monthrange
from datetime import date
from itertools import takewhile
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Max, Min, Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.text import capfirst, smart_split, unescape_string_literal
from django.utils.translation import gettext as _

MAX_COUNTED = 10_000  # rows of a list that has pages
UNITS = ("year", "month", "day")

Period = tuple[int, ...]  # a year; a year and a month; or a year, a month and a day


def words(search_term: str) -> list[str]:
    """Split a search as Django's admin does: into words and quoted phrases."""
    parts = smart_split(search_term)
    return [unescape_string_literal(part) if part[0] in "\"'" and part[0] == part[-1] else part for part in parts]


class BoundedPaginator(Paginator):
    """Counts and pages only the first MAX_COUNTED rows."""

    most = MAX_COUNTED
    counted: Any = None  # the same rows as another queryset, which is quicker to count

    @cached_property
    def found_count(self) -> int:
        """The number of rows; one more than `most` stands for any larger number."""
        rows: Any = self.object_list if self.counted is None else self.counted
        number: int = rows.order_by().values("pk")[: self.most + 1].count()
        return number

    @property
    def is_cut(self) -> bool:
        return self.found_count > self.most

    @cached_property
    def count(self) -> int:
        return min(self.found_count, self.most)


class LongList(ChangeList):
    """A list whose date hierarchy is computed from the first and the last row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Django's tag looks up the view of each row's address in order to add them.
        self._of_rows, self.preserved_filters = self.preserved_filters, ""

    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Any]:
        """Leave tabs out of "clear all filters"."""
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        filters = [spec for spec in self.filter_specs if not getattr(spec, "is_tabs", False)]
        if len(filters) < len(self.filter_specs):
            names = [str(name) for spec in filters for name in spec.expected_parameters()]
            self.has_active_filters = any(name in self.params or name in self.filter_params for name in names)
            self.clear_all_filters_qs = self.get_query_string(remove=names)
        return rows

    def url_for_result(self, result: Model) -> str:
        """Add the list's filters, so that saving leads back to them."""
        url = super().url_for_result(result)
        return f"{url}?{self._of_rows}" if self._of_rows else url

    @cached_property
    def periods(self) -> dict[str, Any]:
        """The context of `admin/date_filter.html`: `back` and `choices` lead to periods of the calendar, and `near` are
        Django's own, such as the last seven days, where the list has a filter by the same date.
        """
        if not self.date_hierarchy:
            return {"show": False}
        period = self._chosen
        choices = self._shorter(period)
        near = [choice for spec in self.filter_specs if self.is_by_date(spec) for choice in spec.choices(self)]
        chosen = next((choice["display"] for choice in near[1:] if choice["selected"]), "") or _name(period)
        return {
            "show": bool(chosen or choices or near),
            "title": label_for_field(self.date_hierarchy, self.model),
            "chosen": chosen,
            "near": near,
            "back": self._choice(period[:-1]) if period else None,
            "choices": choices,
        }

    def is_by_date(self, spec: Any) -> bool:
        return getattr(spec, "field_path", None) == self.date_hierarchy

    @cached_property
    def dates_stand_alone(self) -> bool:
        return not any(self.is_by_date(spec) for spec in self.filter_specs)

    @property
    def _chosen(self) -> Period:
        numbers = (int(self.params.get(f"{self.date_hierarchy}__{unit}") or 0) for unit in UNITS)
        return tuple(takewhile(bool, numbers))

    def _shorter(self, period: Period) -> list[dict[str, str]]:
        """Return the years, months or days of a period between the first and the last row."""
        if len(period) == len(UNITS) or self.ends is None:
            return []
        begin, end = (day.timetuple()[: len(period) + 1] for day in self.ends)
        if not period:
            numbers = range(begin[0], end[0] + 1)
        else:
            numbers = range(1, (12 if len(period) == 1 else monthrange(*period)[1]) + 1)
        return [self._choice((*period, number)) for number in numbers if begin <= (*period, number) <= end]

    @cached_property
    def ends(self) -> tuple[date, date] | None:
        """The local days of the first and the last row of the whole table."""
        name = str(self.date_hierarchy)
        ends = self.root_queryset.aggregate(first=Min(name), last=Max(name))
        return (timezone.localdate(ends["first"]), timezone.localdate(ends["last"])) if ends["first"] else None

    def _choice(self, period: Period) -> dict[str, str]:
        parameters = {f"{self.date_hierarchy}__{unit}": number for unit, number in zip(UNITS, period, strict=False)}
        link = self.get_query_string(parameters, [f"{self.date_hierarchy}__"])
        return {"link": link, "title": _name(period) or _("All dates")}


def _name(period: Period) -> str:
    """Return the name of a day, a month or a year; "" for all dates."""
    if len(period) < 2:
        return "".join(map(str, period))
    year, month, day = (*period, 1)[:3]
    pattern = "MONTH_DAY_FORMAT" if len(period) == 3 else "YEAR_MONTH_FORMAT"
    return capfirst(date_format(date(year, month, day), pattern))


class LongListAdmin(admin.ModelAdmin):
    """Bounds the time for each page of the list, whatever the number of rows."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LongList

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Paginator:
        # Django calls this for the list, and for the log entries of a history page.
        paginator = BoundedPaginator if queryset.model is self.model else Paginator
        return paginator(queryset, *args, **kwargs)
