from datetime import time
from typing import Any

from django.contrib import admin
from django.db.models import Count, ProtectedError, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.admin import words
from restaurant.menu.admin.fields import TIME_INPUTS, ClosingTimeField, WeekdaysField
from restaurant.menu.models import EVERY_DAY, OTHER, Category, MenuItem, Window, days_in_words
from restaurant.menu.services import menu
from restaurant.menu.services.menu_order import ORDER_OF_CATEGORIES
from restaurant.protected_admin import ProtectedAdmin
from web.admin import RowForm


@admin.register(Category)
class CategoryAdmin(words.DraftsAdmin, ProtectedAdmin):
    list_display = ["name", "position", "items", "station", "for_sale", "vat_rate"]
    list_editable = ["position"]
    list_filter = [words.DraftsFilter]
    list_per_page = 200
    list_select_related = ["station"]
    search_fields = ["name__typed"]
    fieldsets = [
        (None, {"fields": ["name", "position", "station", "late_after", "course", "vat_rate"]}),
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
    refusal = gettext_lazy(
        "“%(name)s” has items, so it can't be deleted. Give them another category first, or delete them."
    )

    class Media:
        css = {"all": ["css/admin/menu.css"]}

    def rows_with_history(self) -> QuerySet[Category]:
        return Category.objects.filter(name__in=_numbers_of_items())

    def get_ordering(self, request: HttpRequest) -> Any:
        return ORDER_OF_CATEGORIES

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=RowForm, **kwargs)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        numbers = _numbers_of_items()
        for category in changelist.result_list:
            category.number_of_items = numbers.get(category.name, 0)
        return changelist

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "weekdays":
            field = WeekdaysField(label=_("Days"), help_text=_("None chosen: every day."))
            field.show_hidden_initial = True
            return field
        if db_field.name == "closes":
            kwargs["form_class"] = ClosingTimeField
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
        query = urlencode({"category": "" if category.name == OTHER else category.name})
        label = _("%(number)d items of %(name)s") % {"number": category.number_of_items, "name": category}
        menu_page = reverse("admin:restaurant_menuitem_changelist")
        return format_html('<a href="{}?{}" aria-label="{}">{}</a>', menu_page, query, label, category.number_of_items)

    @admin.display(description=gettext_lazy("for sale"))
    def for_sale(self, category: Category) -> str | None:
        return None if category.window.is_always else window_in_words(category.window)


def window_in_words(window: Window) -> str:
    """Return the days, then the times if there are any."""
    days = _("every day") if window.weekdays == EVERY_DAY else days_in_words(window.weekdays, WEEKDAYS_ABBR)
    if window.opens is None and window.closes is None:
        return days
    closes = "24:00" if window.closes is None else f"{window.closes:%H:%M}"
    return f"{days} {window.opens or time.min:%H:%M}–{closes}"


def _numbers_of_items() -> dict[str, int]:
    """Return the numbers by category; items without one count as of `OTHER`."""
    numbers: dict[str, int] = {}
    for name, number in MenuItem.objects.order_by().values_list("category").annotate(Count("pk")):
        numbers[name or OTHER] = numbers.get(name or OTHER, 0) + number
    return numbers


def _refuse_used(categories: list[Category]) -> None:
    """Raises ProtectedError if one has items: the menu's version is locked, so that none can be added meanwhile."""
    used = _numbers_of_items()
    if any(category.name in used for category in categories):
        raise ProtectedError("A category has items.", set(categories))
