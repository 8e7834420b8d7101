from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from restaurant.menu.admin.categories import window_in_words
from restaurant.menu.admin.fields import TIME_INPUTS, ClosingTimeField, WeekdaysField
from restaurant.menu.models import PriceRule
from restaurant.menu.services import menu
from web.admin import money_column


@admin.register(PriceRule)
class PriceRuleAdmin(admin.ModelAdmin):
    list_display = ["__str__", "when", "percent", "fixed"]
    list_select_related = ["category", "item"]
    formfield_overrides = TIME_INPUTS
    fixed = money_column("price", gettext_lazy("price"))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "weekdays":
            return WeekdaysField(label=gettext_lazy("Days"), help_text=gettext_lazy("None chosen: every day."))
        if db_field.name == "closes":
            kwargs["form_class"] = ClosingTimeField
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: PriceRule, form: Any, change: bool) -> None:
        with menu.changing():
            super().save_model(request, obj, form, change)

    @admin.display(description=gettext_lazy("when"))
    def when(self, rule: PriceRule) -> str:
        return window_in_words(rule.window)
