"""Base classes and widgets of the apps' admin pages."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from babel.lists import format_list
from django import forms
from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from web import pictures
from web.formats import locale
from web.templatetags.money import format_money
from web.templatetags.reports import shown


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


class RowForm(forms.ModelForm):
    """The editable fields of a list's row, labelled for screen readers by their column and their row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in [] if self.instance._state.adding else self.fields.values():
            field.widget.attrs["aria-label"] = f"{capfirst(field.label)}: {self.instance}"


def own_page(
    model_admin: ModelAdmin, request: HttpRequest, template: str, *, form: forms.BaseForm | None = None, **context: Any
) -> TemplateResponse:
    """Return a page that is not one of Django's, from a template that extends `admin/_page.html`."""
    request.current_app = model_admin.admin_site.name
    media = model_admin.media + form.media if form else model_admin.media
    context |= {"opts": model_admin.opts, "media": media, "form": form}
    return TemplateResponse(request, template, model_admin.admin_site.each_context(request) | context)


def file_input(accept: str, *, largest: int, too_large: Any, unknown: Any = "") -> forms.FileInput:
    """Return a file field whose size in bytes, and with `unknown` its type, admin_files.js checks before sending."""
    sentences = {"data-too-large": too_large} | ({"data-unknown": unknown} if unknown else {})
    return forms.FileInput(attrs={"accept": accept, "data-largest": str(largest), **sentences})


def picture_input() -> forms.FileInput:
    return file_input(
        pictures.ACCEPTED, largest=pictures.MAX_BYTES, too_large=pictures.TOO_LARGE, unknown=pictures.UNKNOWN
    )


def change_url(row: Model) -> str:
    """Return the address of the row's admin page."""
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])


def change_link(row: Model, label: object = "") -> str:
    """Return a link to the row's admin page, titled with `label` or the row's name."""
    return format_html('<a href="{}">{}</a>', change_url(row), label or row)


def column(label: Any, read: Callable[[Any], Any], ordering: str | None = None) -> Callable[[ModelAdmin, Any], Any]:
    """Return a column that shows what is read of a row."""

    @admin.display(description=label, ordering=ordering)
    def shown(_page: ModelAdmin, row: Any) -> Any:
        return read(row)

    return shown


def money_column(field: str, label: Any) -> Callable[[ModelAdmin, Any], str | None]:
    """Return a column that writes an amount with its currency."""

    def read(row: Any) -> str | None:
        amount = getattr(row, field)
        return None if amount is None else format_money(amount)

    return column(label, read, field)


def number_column(field: str, label: Any) -> Callable[[ModelAdmin, Any], str]:
    """Return a column that writes a number with its separators."""
    return column(label, lambda row: shown(getattr(row, field), "number"), field)


class ReadOnly:
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):
    """A list that grows without end: it counts what is found, and not all rows beside it."""

    list_per_page = 50
    list_max_show_all = 500
    show_full_result_count = False


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

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        labels = (str(form.fields[name].label) for name in form.changed_data)
        request.saved = format_list(list(labels), locale=locale())  # type: ignore[attr-defined]
        return super().construct_change_message(request, form, formsets, add)

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """Say which settings were saved, where Django says that the row was."""
        if saved := getattr(request, "saved", ""):
            message = _("Saved: %(settings)s.") % {"settings": saved}
        super().message_user(request, message, *args, **kwargs)


def code_panel(image: str, print_image: str, *, name: str, links: Iterable[tuple[object, str]]) -> str:
    """Return a QR code for a read-only field, with links by their labels."""
    links = [*links, (_("Print image (2,048 pixels)"), print_image)]
    return format_html(
        '<div class="code-panel"><a class="qr-panel" href="{}"><img src="{}" width="192" height="192" alt="{}"></a>'
        "<ul>{}</ul></div>",
        image,
        image,
        _("QR code of %(name)s") % {"name": name},
        format_html_join("", '<li><a href="{1}">{0}</a></li>', links),
    )
