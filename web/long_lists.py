"""Admin lists that stay quick with millions of rows.

Counting rows, skipping them to show the last page, and reading every date to offer years take longer the more rows
there are. So only the first MAX_COUNTED rows have pages, and years range from the first row's to the last one's.
Further rows are found by a date, a filter, a search or another order; the export has everything.
"""

from calendar import monthrange
from datetime import date
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


def words(search_term: str) -> list[str]:
    """Split a search as Django's admin does: into words and quoted phrases."""
    parts = smart_split(search_term)
    return [unescape_string_literal(part) if part[0] in "\"'" and part[0] == part[-1] else part for part in parts]


class BoundedPaginator(Paginator):
    """Counts and pages only the first MAX_COUNTED rows."""

    most = MAX_COUNTED
    counted: Any = None  # the same rows as another queryset, which is quicker to count

    def _count(self) -> int:
        """Return the number of rows; one more than `most` stands for any larger number."""
        rows: Any = self.object_list if self.counted is None else self.counted
        number: int = rows.order_by().values("pk")[: self.most + 1].count()
        return number

    @cached_property
    def found_count(self) -> int:
        return self._count()

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
        year, month, day = self._chosen
        back, choices = self._offered(year, month, day)
        near = [choice for spec in self.filter_specs if self.is_by_date(spec) for choice in spec.choices(self)]
        title = label_for_field(self.date_hierarchy, self.model)
        chosen = next((choice["display"] for choice in near[1:] if choice["selected"]), "") or _name(year, month, day)
        return {
            "show": bool(chosen or choices or near), "title": title, "chosen": chosen, "near": near, "back": back,
            "choices": choices,
        }  # fmt: skip

    def is_by_date(self, spec: Any) -> bool:
        return getattr(spec, "field_path", None) == self.date_hierarchy

    @cached_property
    def dates_stand_alone(self) -> bool:
        return not any(self.is_by_date(spec) for spec in self.filter_specs)

    def _offered(self, year: int, month: int, day: int) -> tuple[dict[str, str] | None, list[dict[str, str]]]:
        """Return the next longer period, and the next shorter ones."""
        if year and month and day:
            return self._month(date(year, month, 1)), []
        if self.ends is None:
            return None, []
        begin, end = self.ends
        if year and month:
            days = [date(year, month, number) for number in range(1, monthrange(year, month)[1] + 1)]
            return self._year(year), [self._day(day) for day in days if begin <= day <= end]
        if year:
            months = [date(year, number, 1) for number in range(1, 13)]
            back = {"link": self._link({}), "title": _("All dates")}
            return back, [self._month(first) for first in months if begin.replace(day=1) <= first <= end]
        return None, [self._year(number) for number in range(begin.year, end.year + 1)]

    @cached_property
    def ends(self) -> tuple[date, date] | None:
        """The local days of the first and the last row of the whole table."""
        name = str(self.date_hierarchy)
        ends = self.root_queryset.aggregate(first=Min(name), last=Max(name))
        return (timezone.localdate(ends["first"]), timezone.localdate(ends["last"])) if ends["first"] else None

    @property
    def _chosen(self) -> tuple[int, int, int]:
        year, month, day = (int(self.params.get(self._part(name)) or 0) for name in ("year", "month", "day"))
        return year, month, day

    def _part(self, name: str) -> str:
        return f"{self.date_hierarchy}__{name}"

    def _link(self, period: dict[str, int]) -> str:
        return self.get_query_string(dict(period), [f"{self.date_hierarchy}__"])

    def _year(self, year: int) -> dict[str, str]:
        return {"link": self._link({self._part("year"): year}), "title": str(year)}

    def _month(self, first: date) -> dict[str, str]:
        link = self._link({self._part("year"): first.year, self._part("month"): first.month})
        return {"link": link, "title": _name(first.year, first.month)}

    def _day(self, day: date) -> dict[str, str]:
        period = {self._part("year"): day.year, self._part("month"): day.month, self._part("day"): day.day}
        return {"link": self._link(period), "title": _name(day.year, day.month, day.day)}


def _name(year: int, month: int, day: int = 0) -> str:
    """Return the name of a day, a month or a year; "" for all dates."""
    if day:
        return capfirst(date_format(date(year, month, day), "MONTH_DAY_FORMAT"))
    return capfirst(date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")) if month else str(year or "")


class LongListAdmin(admin.ModelAdmin):
    """Bounds the time for each page of the list, whatever the number of rows."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator_class: type[BoundedPaginator] = BoundedPaginator

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LongList

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Paginator:
        # Django calls this for the list, and for the log entries of a history page.
        paginator = self.paginator_class if queryset.model is self.model else Paginator
        return paginator(queryset, *args, **kwargs)
