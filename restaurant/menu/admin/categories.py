from datetime import time
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Count, ProtectedError, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.menu.admin.fields import TIME_INPUTS, ClosingTimeField, WeekdaysField
from restaurant.menu.admin.sorting import SortedAdmin
from restaurant.menu.models import EVERY_DAY, OTHER, Category, MenuItem, Window, days_in_words, sold_out_at
from restaurant.menu.services import menu
from restaurant.menu.services.menu_order import ORDER_OF_CATEGORIES
from web.admin import PercentInput
from web.templatetags.reports import shown

AT_A_GLANCE = 20  # categories that need no search


@admin.register(Category)
class CategoryAdmin(SortedAdmin):
    list_display = ["name", "items", "sold_out", "made_at", "for_sale", "vat"]
    list_per_page = 200
    list_select_related = ["station"]
    search_fields = ["name"]
    search_help_text = gettext_lazy("Name")
    fieldsets = [
        (None, {"fields": ["name", "station", "vat_rate"]}),
        (
            gettext_lazy("When it is for sale"),
            {
                "fields": ["weekdays", "opens", "closes"],
                "description": gettext_lazy(
                    "Outside these times guests see the category with its hours, and can't order from it."
                ),
            },
        ),
    ]
    formfield_overrides = TIME_INPUTS
    actions = ["list_by_name"]
    refusal = gettext_lazy(
        "“%(name)s” has items, so it can't be deleted. Give them another category first, or delete them."
    )

    def rows_with_history(self) -> QuerySet[Category]:
        return Category.objects.filter(name__in=_numbers_of_items())

    def get_ordering(self, request: HttpRequest) -> Any:
        return ORDER_OF_CATEGORIES

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns without those that are empty: times, VAT, and what is sold out."""
        categories = list(Category.objects.all())
        filled = {
            "sold_out": bool(_numbers_of_items(sold_out_at(timezone.now()))),
            "for_sale": not all(category.window.is_always for category in categories),
            "vat": any(category.vat_rate is not None for category in categories),
        }
        return [column for column in super().get_list_display(request) if filled.get(column, True)]

    def get_search_fields(self, request: HttpRequest) -> Any:
        """Return none where all categories are seen at a glance."""
        is_short = SEARCH_VAR not in request.GET and Category.objects.count() <= AT_A_GLANCE
        return [] if is_short else super().get_search_fields(request)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        numbers, sold_out = _numbers_of_items(), _numbers_of_items(sold_out_at(timezone.now()))
        for category in changelist.result_list:
            category.number_of_items = numbers.get(category.name, 0)
            category.number_sold_out = sold_out.get(category.name, 0)
        return changelist

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "weekdays":
            field = WeekdaysField(label=_("Days"), help_text=_("None chosen: every day."))
            field.show_hidden_initial = True
            return field
        if db_field.name == "closes":
            kwargs["form_class"] = ClosingTimeField
        if db_field.name == "vat_rate":
            kwargs["widget"] = PercentInput()
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    # --- writing ----------------------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: Category, form: Any, change: bool) -> None:
        with menu.changing():
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Category) -> None:
        with menu.changing():
            _refuse_used([obj])
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Category]) -> None:
        with menu.changing():
            _refuse_used(list(queryset))
            super().delete_queryset(request, queryset)

    # --- columns ----------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("items"))
    def items(self, category: Any) -> str:
        number = category.number_of_items
        noun = ngettext("item", "items", number)
        label = _("%(number)d items of %(name)s") % {"number": number, "name": category}
        link = '<a href="{}" aria-label="{}">{}<span class="items-word"> {}</span></a>'
        return format_html(link, _menu_of(category), label, number, noun)

    @admin.display(description=gettext_lazy("sold out"), empty_value="–")
    def sold_out(self, category: Any) -> str | None:
        number = category.number_sold_out
        if not number:
            return None
        label = _("%(number)d sold out of %(name)s") % {"number": number, "name": category}
        return format_html('<a href="{}" aria-label="{}">{}</a>', _menu_of(category, available__exact=0), label, number)

    @admin.display(description=gettext_lazy("station"), empty_value="–")
    def made_at(self, category: Category) -> str | None:
        return str(category.station) if category.station else None

    @admin.display(description=gettext_lazy("for sale"), empty_value="")
    def for_sale(self, category: Category) -> str | None:
        return None if category.window.is_always else _window_in_words(category.window)

    @admin.display(description=gettext_lazy("VAT"), empty_value="–")
    def vat(self, category: Category) -> str | None:
        return None if category.vat_rate is None else shown(category.vat_rate.normalize(), "percent")


def _window_in_words(window: Window) -> str:
    """Return the days, then the times if there are any."""
    days = _("every day") if window.weekdays == EVERY_DAY else days_in_words(window.weekdays, WEEKDAYS_ABBR)
    if window.opens is None and window.closes is None:
        return days
    closes = "24:00" if window.closes is None else f"{window.closes:%H:%M}"
    return f"{days} {window.opens or time.min:%H:%M}–{closes}"


def _menu_of(category: Category, **more: Any) -> str:
    query = urlencode({"category": "" if category.name == OTHER else category.name, **more})
    return f"{reverse('admin:restaurant_menuitem_changelist')}?{query}"


def _numbers_of_items(condition: Q | None = None) -> dict[str, int]:
    """Return the numbers by category; items without one count as of `OTHER`."""
    numbers: dict[str, int] = {}
    items = MenuItem.objects.filter(condition or Q()).order_by()
    for name, number in items.values_list("category").annotate(Count("pk")):
        numbers[name or OTHER] = numbers.get(name or OTHER, 0) + number
    return numbers


def _refuse_used(categories: list[Category]) -> None:
    """Raises ProtectedError if one has items: the menu's version is locked, so that none can be added meanwhile."""
    used = _numbers_of_items()
    if any(category.name in used for category in categories):
        raise ProtectedError("A category has items.", set(categories))
