"""Admin lists that stay quick with millions of rows.

Counting rows, skipping them to show the last page, and reading every date to offer years take the longer the more there
are. So pages are of the first MAX_COUNTED rows, and years are offered from the first row's to the last one's. What is
further down is found by a date, a filter, a search or another order; the export has everything.
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
    """What Django's admin searches for: each word, and what stands between quotation marks."""
    found = smart_split(search_term)
    return [unescape_string_literal(each) if each[0] in "\"'" and each[0] == each[-1] else each for each in found]


class BoundedPaginator(Paginator):
    """Pages of the first MAX_COUNTED rows, so that counting takes a bounded time."""

    most = MAX_COUNTED
    counted: Any = None  # the same rows as another queryset, which is quicker to count

    def _count(self) -> int:
        """The number of rows; one more than `most` stands for any larger number."""
        rows: Any = self.object_list if self.counted is None else self.counted
        number: int = rows.order_by().values("pk")[: self.most + 1].count()
        return number

    @cached_property
    def found(self) -> int:
        return self._count()

    @property
    def is_cut(self) -> bool:
        return self.found > self.most

    @cached_property
    def count(self) -> int:
        return min(self.found, self.most)


class LongList(ChangeList):
    """With a date hierarchy that is computed from the first and the last row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Django's tag looks up the view of each row's address in order to add them.
        self._of_rows, self.preserved_filters = self.preserved_filters, ""

    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Any]:
        """A tab is no filter that one clears."""
        found: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        filters = [spec for spec in self.filter_specs if not getattr(spec, "is_tabs", False)]
        if len(filters) < len(self.filter_specs):
            names = [str(name) for spec in filters for name in spec.expected_parameters()]
            self.has_active_filters = any(name in self.params or name in self.filter_params for name in names)
            self.clear_all_filters_qs = self.get_query_string(remove=names)
        return found

    def url_for_result(self, result: Model) -> str:
        """With the filters of the list, to which saving leads back."""
        url = super().url_for_result(result)
        return f"{url}?{self._of_rows}" if self._of_rows else url

    @cached_property
    def periods(self) -> dict[str, Any]:
        """The context of the template `admin/date_filter.html`: `back` and `choices` lead to periods of the calendar.
        `near` are Django's own, such as the last seven days, where the list has a filter by the same date."""
        if not self.date_hierarchy:
            return {"show": False}
        year, month, day = self._chosen
        back, choices = self._offered(year, month, day)
        near = [each for spec in self.filter_specs if self.is_by_date(spec) for each in spec.choices(self)]
        title = label_for_field(self.date_hierarchy, self.model)
        chosen = next((each["display"] for each in near[1:] if each["selected"]), "") or _name(year, month, day)
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
        """The next longer period, and the next shorter ones."""
        if year and month and day:
            return self._month(date(year, month, 1)), []
        if self.ends is None:
            return None, []
        begin, end = self.ends
        if year and month:
            days = [date(year, month, each) for each in range(1, monthrange(year, month)[1] + 1)]
            return self._year(year), [self._day(each) for each in days if begin <= each <= end]
        if year:
            months = [date(year, each, 1) for each in range(1, 13)]
            back = {"link": self._link({}), "title": _("All dates")}
            return back, [self._month(each) for each in months if begin.replace(day=1) <= each <= end]
        return None, [self._year(each) for each in range(begin.year, end.year + 1)]

    @cached_property
    def ends(self) -> tuple[date, date] | None:
        """The local days of the first and of the last row of the whole table."""
        name = str(self.date_hierarchy)
        found = self.root_queryset.aggregate(first=Min(name), last=Max(name))
        return (timezone.localdate(found["first"]), timezone.localdate(found["last"])) if found["first"] else None

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
    """Of a day, a month or a year; "" of all dates."""
    if day:
        return capfirst(date_format(date(year, month, day), "MONTH_DAY_FORMAT"))
    return capfirst(date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")) if month else str(year or "")


class LongListAdmin(admin.ModelAdmin):
    """The time for each page of the list is bounded, whatever the number of rows."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator_class: type[BoundedPaginator] = BoundedPaginator

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LongList

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Paginator:
        # Django calls this for the list, and for the log entries of a history page.
        paginator = self.paginator_class if queryset.model is self.model else Paginator
        return paginator(queryset, *args, **kwargs)
