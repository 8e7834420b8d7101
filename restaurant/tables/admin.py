from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.options import ModelAdmin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from qrservice import gateway
from restaurant.ordering.models import Order, TableSession
from restaurant.protected_admin import ProtectedAdmin
from restaurant.tables.models import MAX_TABLE_NUMBER, Table
from restaurant.tables.services import tables
from web.admin import code_panel

MOST_CARDS = 500  # by number, which limits the length of the URL


class OpenSessionFilter(admin.SimpleListFilter):
    title = gettext_lazy("open session")
    parameter_name = "open"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("yes")), ("no", _("no"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(open_since__isnull=self.value() == "no") if self.value() in {"yes", "no"} else queryset


@admin.register(Table)
class TableAdmin(ProtectedAdmin):
    """A new table gets its code once it is saved."""

    change_list_template = "admin/restaurant/table/change_list.html"
    list_display = ["table_number", "section", "capacity", "open_session", "card"]
    list_filter = [OpenSessionFilter, "section"]
    list_per_page = 100
    search_fields = ["table_number", "section__typed"]
    search_help_text = gettext_lazy("Number or section")
    fields = ["table_number", "section", "capacity"]
    actions = ["print_cards"]
    refusal = gettext_lazy(
        "%(name)s has had guests and stays in the records, so it can't be deleted. "
        "If the table is gone, disable its code under “QR codes”."
    )

    def rows_with_history(self) -> QuerySet[Table]:
        used = Q(pk__in=TableSession.objects.values("table")) | Q(pk__in=Order.objects.values("table"))
        return Table.objects.filter(used)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        latest = TableSession.objects.open_at(OuterRef("pk"))
        annotated = super().get_queryset(request).annotate(open_since=Subquery(latest.values("started_at")[:1]))
        return annotated.annotate(open_session_id=Subquery(latest.values("pk")[:1]))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Table], search_term: str
    ) -> tuple[QuerySet[Table], bool]:
        """Find by a number the table of that number, not every number that contains it."""
        term = search_term.strip()
        if term.isascii() and term.isdigit():
            number = min(int(term[:6]), MAX_TABLE_NUMBER + 1)
            return queryset.filter(Q(section__icontains=term) | Q(table_number=number)), False
        return super().get_search_results(request, queryset, search_term)

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> list[str]:
        # A printed code leads to this number.
        return ["table_number", "code"] if obj else ["code"]

    def get_fields(self, request: HttpRequest, obj: Table | None = None) -> Any:
        return [*(self.fields or []), "code"] if obj else self.fields

    # --- columns ----------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("open session"), ordering="open_since")
    def open_session(self, table: Any) -> str | None:
        if table.open_since is None:
            return None
        page = reverse("admin:restaurant_tablesession_change", args=[table.open_session_id])
        since = _("since %(time)s") % {"time": date_format(timezone.localtime(table.open_since), "TIME_FORMAT")}
        return format_html('<a href="{}">{}</a>', page, since)

    @admin.display(description=pgettext_lazy("of a table", "card"))
    def card(self, table: Table) -> str:
        if not table.qr_code_url:
            return _("No QR code")
        label = _("Print the card of table %(number)d") % {"number": table.table_number}
        return format_html('<a href="{}" aria-label="{}">{}</a>', _cards([table.table_number]), label, _("Print"))

    @admin.action(permissions=["add"], description=gettext_lazy("Print cards"))
    def print_cards(self, request: HttpRequest, chosen: QuerySet[Table]) -> HttpResponse | None:
        numbers = sorted(chosen.values_list("table_number", flat=True))
        if len(numbers) == Table.objects.count():
            return HttpResponseRedirect(reverse("table_cards"))
        if len(numbers) > MOST_CARDS:
            sentence = _("At most %(most)d cards can be chosen at a time, or those of all tables.")
            messages.warning(request, sentence % {"most": MOST_CARDS})
            return None
        return HttpResponseRedirect(_cards(numbers))

    # --- one table --------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("QR code"))
    def code(self, table: Table) -> str:
        """Return the code, where it leads, and links to print it."""
        if not table.qr_code_url:
            return _("This table has no code yet. Save it again to create one.")
        menu = settings.APP_BASE_URL + reverse("menu", args=[table.table_number])
        links = [(menu, menu), (table.short_url, table.short_url), (_("Printable card"), _cards([table.table_number]))]
        image, print_image = (gateway.image_url(table.qr_code_url, size=size) for size in (512, 2048))
        return code_panel(image, print_image, name=str(table), links=links)

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        response = super().changeform_view(request, object_id, *args, **kwargs)
        # After the transaction of the admin: the code service must not be called in one.
        saved = getattr(request, "saved_table", None)
        if saved is not None:
            self._give_code(request, saved)
        return response

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: bool) -> None:
        """Save only what was changed of a table: others may be placing it. In another section it has no place."""
        if change:
            changed = [name for name, before in form.initial.items() if getattr(obj, name) != before]
            if "section" in changed:
                obj.plan_column = obj.plan_row = None
                changed += ["plan_column", "plan_row"]
            obj.save(update_fields=changed)
        else:
            super().save_model(request, obj, form, change)
        request.saved_table = obj  # type: ignore[attr-defined]

    def _give_code(self, request: HttpRequest, table: Table) -> None:
        try:
            tables.give_code(table=table)
        except gateway.QRServiceError:
            sentence = _("The table is saved, but has no code yet: the QR code service can't be reached. Save again.")
            messages.warning(request, sentence)


def _cards(numbers: list[int]) -> str:
    return f"{reverse('table_cards')}?numbers={','.join(map(str, numbers))}"
