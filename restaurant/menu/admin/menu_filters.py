"""Filters of the menu's list."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import OTHER, WITHOUT_PICTURE, Category, MenuItem, sold_out_at
from restaurant.menu.services.menu_order import ORDER_OF_CATEGORIES


def category_names() -> list[str]:
    """Return the names in the menu's order."""
    return list(Category.objects.order_by(*ORDER_OF_CATEGORIES).values_list("name", flat=True))


class CategoryFilter(admin.SimpleListFilter):
    """Lists the categories in the menu's order; items without one are in `OTHER`."""

    title = gettext_lazy("category")
    parameter_name = "category"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        used = {name or OTHER for name in MenuItem.objects.order_by().values_list("category", flat=True).distinct()}
        listed = category_names()
        names = [*(name for name in listed if name in used), *sorted(used.difference(listed))]
        return [("" if name == OTHER else name, name) for name in names]

    def choices(self, changelist: Any) -> Iterator[Any]:
        yield {
            "selected": self.value() is None,
            "query_string": changelist.get_query_string(remove=[self.parameter_name]),
            "display": _("All"),
        }
        for value, name in self.lookup_choices:
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": _("Other") if name == OTHER else name,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        return queryset.filter(category__in=["", OTHER] if self.value() in {"", OTHER} else [self.value()])


class AvailableFilter(admin.SimpleListFilter):
    """Filters by what guests see: an item without portions is sold out, one whose time is over is available again."""

    title = gettext_lazy("available")
    parameter_name = "available__exact"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("1", _("Yes")), ("0", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        is_sold_out = sold_out_at(timezone.now())
        if self.value() == "0":
            return queryset.filter(is_sold_out)
        return queryset.exclude(is_sold_out) if self.value() == "1" else queryset


class PictureFilter(admin.SimpleListFilter):
    title = gettext_lazy("picture")
    parameter_name = "picture"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("With a picture")), ("no", _("Without one"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "no":
            return queryset.filter(WITHOUT_PICTURE)
        return queryset.exclude(WITHOUT_PICTURE) if self.value() == "yes" else queryset
