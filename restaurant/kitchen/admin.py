"""Stations, printers and dockets."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.menu.models import Station, validate_station_slug
from restaurant.menu.services import menu
from restaurant.ordering.models import Printer, PrintJob
from restaurant.protected_admin import ProtectedAdmin
from web.admin import ReadOnlyAdmin, change_link


class StationForm(forms.ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug:
            return slug
        slug = slugify(self.cleaned_data.get("name", ""))[:50]
        if not slug:
            raise ValidationError(_("Please give an address of small letters, such as “grill”."))
        validate_station_slug(slug)
        return slug


@admin.register(Station)
class StationAdmin(ProtectedAdmin):
    form = StationForm
    fields = ["name", "slug"]
    list_display = ["name", "display", "made_there", "printer_names"]
    refusal = gettext_lazy(
        "“%(name)s” has a printer, which would print every order without it. "
        "Give the printer another station first, or delete it."
    )

    def rows_with_history(self) -> QuerySet[Station]:
        return Station.objects.filter(printers__isnull=False).distinct()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Station]:
        return super().get_queryset(request).prefetch_related("categories", "printers")

    def get_prepopulated_fields(self, request: HttpRequest, obj: Station | None = None) -> dict[str, Any]:
        return {} if obj else {"slug": ["name"]}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "slug":
            field.help_text = _("The last part of its display's address, /kitchen/… Empty: made from the name.")
        return field

    def save_model(self, request: HttpRequest, obj: Station, form: Any, change: bool) -> None:
        with menu.changing():
            super().save_model(request, obj, form, change)

    @admin.display(description=gettext_lazy("display"))
    def display(self, station: Station) -> str:
        address = f"{reverse('kitchen')}/{station.slug}"
        return format_html('<a href="{}">{}</a>', address, address)

    @admin.display(description=gettext_lazy("makes"), empty_value="–")
    def made_there(self, station: Station) -> str | None:
        return ", ".join(category.name for category in station.categories.all()) or None

    @admin.display(description=gettext_lazy("printers"), empty_value="–")
    def printer_names(self, station: Station) -> str | None:
        return ", ".join(printer.name for printer in station.printers.all()) or None


class PrinterForm(forms.ModelForm):
    def clean_host(self) -> str:
        host: str = self.cleaned_data["host"].strip()
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.:_-]*", host):
            raise ValidationError(_("Please give a name or an address alone, such as 192.168.1.50."))
        return host


@admin.register(Printer)
class PrinterAdmin(ProtectedAdmin):
    form = PrinterForm
    fields = ["name", "kind", "host", "port", "columns", "station", "opens_drawer", "active"]
    list_display = ["name", "address", "prints", "active", "dockets"]
    list_select_related = ["station"]
    refusal = gettext_lazy(
        "“%(name)s” has printed, and its dockets are kept for some days, so it can't be deleted yet. "
        "To stop it, make it inactive."
    )

    def rows_with_history(self) -> QuerySet[Printer]:
        return Printer.objects.filter(pk__in=PrintJob.objects.values("printer"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Printer]:
        waiting = PrintJob.objects.filter(printer=OuterRef("pk"), state=PrintJob.State.WAITING).order_by()
        counted = waiting.values("printer").annotate(number=Count("pk"), since=Min("created_at"))
        latest = waiting.exclude(error="").order_by("-created_at").values("error")[:1]
        return super().get_queryset(request).annotate(
            waiting=Subquery(counted.values("number")),
            waiting_since=Subquery(counted.values("since")),
            waiting_error=Subquery(latest),
        )  # fmt: skip

    @admin.display(description=gettext_lazy("address"))
    def address(self, printer: Printer) -> str:
        return f"{printer.host}:{printer.port}"

    @admin.display(description=gettext_lazy("prints"), ordering="station")
    def prints(self, printer: Printer) -> str:
        if printer.kind == Printer.Kind.RECEIPT:
            return _("bills and receipts")
        return str(printer.station) if printer.station else _("every order")

    @admin.display(description=gettext_lazy("dockets"), ordering="waiting")
    def dockets(self, printer: Any) -> str:
        page = f"{reverse('admin:restaurant_printjob_changelist')}?printer__id__exact={printer.pk}"
        if not printer.waiting:
            return format_html('<a href="{}">{}</a>', page, _("all printed"))
        words = ngettext("%(number)d waits since %(time)s", "%(number)d wait since %(time)s", printer.waiting)
        since = date_format(timezone.localtime(printer.waiting_since), "TIME_FORMAT")
        return format_html(
            '<a href="{}&amp;state__exact=waiting">{}</a>{}{}',
            page,
            words % {"number": printer.waiting, "time": since},
            ": " if printer.waiting_error else "",
            printer.waiting_error or "",
        )


@admin.register(PrintJob)
class PrintJobAdmin(ReadOnlyAdmin):
    list_display = ["created_at", "printer", "of_order", "kind", "state", "attempts", "printed_at", "error"]
    list_filter = ["state", "printer", "kind", "created_at"]
    list_select_related = ["printer", "order__table"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
    fields = ["printer", "of_order", "kind", "state", "attempts", "created_at", "printed_at", "error"]
    readonly_fields = ["of_order"]

    @admin.display(description=gettext_lazy("order"))
    def of_order(self, job: PrintJob) -> str | None:
        return change_link(job.order, job.order.table) if job.order else None
