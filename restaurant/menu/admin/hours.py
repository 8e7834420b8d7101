from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from restaurant.menu.admin.fields import TIME_INPUTS, ClosingTimeField, WeekdaysField
from restaurant.menu.models import ClosedDay, OpeningHours
from restaurant.menu.services import menu
from web.admin import RowForm


class OpeningHoursForm(forms.ModelForm):
    """Adds the same hours to several days at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance._state.adding:
            self.fields["weekday"] = WeekdaysField(
                label=_("Days"), required=True, help_text=_("The same hours on each of them.")
            )

    def clean_weekday(self) -> int:
        chosen = self.cleaned_data["weekday"]
        self.days: list[int] = chosen if isinstance(chosen, list) else [chosen]
        return self.days[0]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        opens = cleaned.get("opens")
        if self.instance._state.adding and opens is not None and getattr(self, "days", None):
            taken = OpeningHours.objects.filter(weekday__in=self.days, opens=opens).values_list("weekday", flat=True)
            if taken:
                sentence = _("There are hours from %(time)s on these days already: %(days)s.")
                names = ", ".join(str(WEEKDAYS[day]) for day in sorted(taken))
                raise ValidationError({"weekday": sentence % {"time": f"{opens:%H:%M}", "days": names}})
        return cleaned


@admin.register(OpeningHours)
class OpeningHoursAdmin(admin.ModelAdmin):
    form = OpeningHoursForm
    fields = ["weekday", "opens", "closes"]
    list_display = ["weekday", "opens", "closes", "night"]
    list_editable = ["opens", "closes"]
    list_display_links = ["weekday"]
    formfield_overrides = TIME_INPUTS

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "closes":
            kwargs["form_class"] = ClosingTimeField
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=RowForm, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        note = _("Guests can order in these hours alone, staff always. Times of %(zone)s.") % {
            "zone": settings.TIME_ZONE
        }
        return [(None, {"fields": self.get_fields(request, obj), "description": note})]

    def save_model(self, request: HttpRequest, obj: OpeningHours, form: Any, change: bool) -> None:
        with menu.changing():
            super().save_model(request, obj, form, change)
            for day in [] if change else form.days[1:]:
                OpeningHours.objects.create(weekday=day, opens=obj.opens, closes=obj.closes)

    @admin.display(description="")
    def night(self, hours: OpeningHours) -> str:
        window = hours.window
        if window.opens == window.closes:
            return _("24 hours")
        if window.closes is None:
            return _("until midnight")
        return _("until the next day") if window.passes_midnight else ""


@admin.register(ClosedDay)
class ClosedDayAdmin(admin.ModelAdmin):
    list_display = ["date", "reason"]
    date_hierarchy = "date"
