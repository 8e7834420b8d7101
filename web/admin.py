"""Base classes and widgets of the apps' admin pages."""

from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from web import pictures
from web.money_field import DecimalInput
from web.templatetags.moments import recent
from web.templatetags.reports import shown


class SeeOther(HttpResponseRedirect):
    status_code = 303


class MomentField(forms.DateTimeField):
    """A date and time in the venue's time zone, to the minute."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(**{**options, "widget": widget})

    def has_changed(self, initial: Any, data: Any) -> bool:
        def minute(value: Any) -> Any:
            try:
                moment = self.to_python(value)
            except ValidationError:
                return value
            return moment.replace(second=0, microsecond=0) if isinstance(moment, datetime) else moment

        return bool(minute(initial) != minute(data))


class _WithUnit(forms.Widget):
    """Shows a unit beside the field. Screen readers hear the label alone."""

    unit: Any

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        field = super().render(name, value, attrs, renderer)
        unit = '<span class="money-field">{}<span class="money-sign" aria-hidden="true">{}</span></span>'
        return format_html(unit, field, self.unit)


class UnitInput(_WithUnit, forms.NumberInput):
    def __init__(self, unit: Any, attrs: Any = None) -> None:
        super().__init__({"class": "menu-price", "min": "0", **(attrs or {})})
        self.unit = unit


class PercentInput(_WithUnit, DecimalInput):
    unit = "%"

    def format_value(self, value: Any) -> str | None:
        """Write 13.50 as 13.5."""
        return super().format_value(Decimal(f"{value.normalize():f}") if isinstance(value, Decimal) else value)


def file_input(accept: str, *, largest: int, too_large: Any, unknown: Any = "") -> forms.FileInput:
    """Return a file field whose size in bytes, and with `unknown` its type, admin_files.js checks before sending."""
    sentences = {"data-too-large": too_large} | ({"data-unknown": unknown} if unknown else {})
    return forms.FileInput(attrs={"accept": accept, "data-largest": str(largest), **sentences})


def picture_input() -> forms.FileInput:
    return file_input(
        pictures.ACCEPTED, largest=pictures.MAX_BYTES, too_large=pictures.TOO_LARGE, unknown=pictures.UNKNOWN
    )


class BinInput(forms.CheckboxInput):
    """A checkbox to remove something, which the form shows as a bin."""

    is_bin = True


def change_url(row: Model) -> str:
    """Return the address of the row's admin page."""
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])


def change_link(row: Model, label: object = "") -> str:
    """Return a link to the row's admin page, titled with `label` or the row's name."""
    return format_html('<a class="long-name" href="{}">{}</a>', change_url(row), label or row)


Column = Callable[[ModelAdmin, Any], str | None]


def _column(field: str, label: Any, text_of: Callable[[Any], str]) -> Column:
    @admin.display(description=label, ordering=field)
    def column(_page: ModelAdmin, row: Any) -> str | None:
        value = getattr(row, field)
        return None if value is None else text_of(value)

    return column


def number_column(field: str, label: Any) -> Column:
    """Return a column that writes the number as reports do, such as 11,226."""
    return _column(field, label, partial(shown, kind="number"))


def moment_column(field: str, label: Any) -> Column:
    """Return a column that writes the time briefly, such as Today, 14:49."""
    return _column(field, label, recent)


class ReadOnly:
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):
    list_per_page = 50
    list_max_show_all = 500


class HistoryAdmin(admin.ModelAdmin):
    """Refuses to delete rows that other rows refer to."""

    @abstractmethod
    def has_history(self, row: Any) -> bool:
        """Return whether other rows refer to this one."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not self.has_history(obj))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save changed fields only, so that what others changed meanwhile is not overwritten."""
        if change:
            obj.save(update_fields=self.changed_fields(form))
        else:
            super().save_model(request, obj, form, change)

    def changed_fields(self, form: Any) -> list[str]:
        return list(form.changed_data)


def with_values(message: Any, form: Any, shapes: dict[str, str]) -> Any:
    """Add old and new whole numbers to Django's message, by `shapes` such as "points from %(was)s to %(now)s"."""
    for name in form.changed_data:
        was, now = form.initial.get(name), form.cleaned_data.get(name)
        if name in shapes and was is not None and now is not None:
            values = {"was": shown(was, "number"), "now": shown(now, "number")}
            message[0]["changed"]["fields"][form.changed_data.index(name)] = shapes[name] % values
    return message


class SwitchedAdmin(admin.ModelAdmin):
    """A list whose column `availability` is a button for users who may change the row. Needs `switch.css`."""

    switched: dict[bool, Any] = {}  # the messages once `%(name)s` is available or not
    gone: Any = ""  # the message for a row that was deleted meanwhile

    @abstractmethod
    def availability(self, row: Any) -> str:
        """Return the HTML of the column, with a `switch_button()`."""

    @abstractmethod
    def set_available(self, request: HttpRequest, row: Any, available: bool) -> None:
        """Change the row unless it is so already, and log the change."""

    def get_list_display(self, request: HttpRequest) -> Any:
        may = self.has_change_permission(request)
        columns = map(str, super().get_list_display(request))
        return [name if may or name != "availability" else "available" for name in columns]

    def switch_button(self, row: Any, available: bool, *, label: str, hint: str) -> str:
        """Return a button of the list's form, which works without JavaScript."""
        return format_html(
            '<button type="submit" class="menu-switch{state}" id="available-{pk}" name="available" value="{value}"'
            ' formaction="{address}" title="{hint}"><span class="visually-hidden">{name}: </span>{label}</button>',
            state="" if available else " is-sold-out",
            pk=row.pk,
            value="no" if available else "yes",
            address=reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_availability", args=[quote(row.pk)]),
            hint=hint,
            name=row.name,
            label=label,
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.availability_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_availability"
        return [path("<path:object_id>/availability/", view, name=name), *super().get_urls()]

    def availability_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Set the posted state, so that a double click does not switch twice."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        available = {"yes": True, "no": False}.get(request.POST.get("available", ""))
        if available is None:
            return HttpResponseRedirect(back)
        back = f"{back}?{request.POST.get('list_query', '')}"
        row = self.get_object(request, unquote(object_id))
        if row is None:
            messages.warning(request, self.gone)
            return HttpResponseRedirect(back)
        self.set_available(request, row, available)
        row.available = available
        if request.accepts("text/html"):
            messages.success(request, str(self.switched[available]) % {"name": row.name})
            return SeeOther(f"{back}#available-{row.pk}")
        return JsonResponse({"available": available, "button": self.availability(row)})


class OneRowAdmin(admin.ModelAdmin):
    """The admin of a model with one row, which opens in place of the list."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not self.model._default_manager.exists()

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        row = self.model._default_manager.first()
        if row is not None and self.has_view_or_change_permission(request):
            return HttpResponseRedirect(change_url(row))
        if self.has_add_permission(request):
            return HttpResponseRedirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_add"))
        return super().changelist_view(request, extra_context)


class LinkedFilter(admin.SimpleListFilter):
    """A filter that links of other pages set. It shows its row's name and can be removed."""

    find: Callable[[str], Any]  # the row of the parameter's value, or None
    field = ""

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        value = self.value()
        if value is None:
            return []
        row = type(self).find(value)
        return [(value, str(row) if row else _("unknown"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset if value is None else queryset.filter(**{self.field: type(self).find(value)})
