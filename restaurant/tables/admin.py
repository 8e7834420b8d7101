from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.filters import AllValuesFieldListFilter
from django.contrib.admin.options import ModelAdmin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from qrservice import gateway
from restaurant.billing.queries import unpaid
from restaurant.ordering.models import Order, TableSession
from restaurant.protected_admin import ProtectedAdmin
from restaurant.tables.models import MAX_TABLE_NUMBER, Table
from restaurant.tables.services import tables
from web.reporting import bounds_of, local_zone
from web.templatetags.moments import short_day
from web.templatetags.money import format_money

MOST_CARDS = 500  # by number, which limits the length of the URL


class SectionFilter(AllValuesFieldListFilter):
    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield choice if choice["display"] else {**choice, "display": _("no section")}


class CodeFilter(admin.SimpleListFilter):
    title = gettext_lazy("card")
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("has a QR code")), ("no", _("no QR code"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        if self.value() == "no":
            return queryset.filter(qr_analytics_id="")
        return queryset.exclude(qr_analytics_id="") if self.value() == "yes" else queryset


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
    list_filter = [OpenSessionFilter, CodeFilter, ("section", SectionFilter)]
    list_per_page = 100
    search_fields = ["table_number", "section"]
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
        return ["table_number"] if obj else []

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Give tables `unpaid`: their open session if it owes something, or the latest that left so since yesterday."""
        changelist = super().get_changelist_instance(request)
        if request.user.has_perm("restaurant.view_payment"):
            since, _midnight = bounds_of(timezone.localdate() - timedelta(days=1), local_zone())
            of_page = TableSession.objects.filter(table__in=list(changelist.result_list), started_at__gte=since)
            sessions = list(unpaid(of_page).select_related("table").order_by("started_at"))
            due = {session.pk: session for session in sessions}
            latest = {session.table_id: session for session in sessions}
            for table in changelist.result_list:
                table.unpaid = due.get(table.open_session_id) if table.open_session_id else latest.get(table.pk)
        return changelist

    # --- columns ----------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("open session"), ordering="open_since")
    def open_session(self, table: Any) -> str | None:
        """Return since when it is open, or that the last party has left without paying; and the amount due."""
        session = getattr(table, "unpaid", None)
        if table.open_since is not None:
            page = reverse("admin:restaurant_tablesession_change", args=[table.open_session_id])
            link = format_html('<a class="table-since" href="{}">{}</a>', page, _since(table.open_since))
        elif session:
            link = format_html('<a class="order-warning" href="{}">{}</a>', session.bill_url, _left(session))
        else:
            return None
        if session is None:
            return link
        due = _("%(amount)s due") % {"amount": format_money(session.due)}
        return format_html('{} <a class="paid-due" href="{}">{}</a>', link, session.bill_url, due)

    @admin.display(description=gettext_lazy("card"))
    def card(self, table: Table) -> str | None:
        if not table.qr_code_url:
            return format_html('<span class="order-warning">{}</span>', _("No QR code"))
        label = _("Print the card of table %(number)d") % {"number": table.table_number}
        page = _cards([table.table_number])
        sign = format_html(
            '<svg class="admin-icon" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#printer"/></svg>',
            static("img/admin.svg"),
        )
        return format_html('<a class="row-print" href="{}" aria-label="{}" title="{}">{}</a>', page, label, label, sign)

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

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Table | None = kwargs.get("obj")
        if obj is not None:
            context |= self._code_of(obj) | {"has_history": self.has_history(obj)}
        return super().render_change_form(request, context, *args, **kwargs)

    def _code_of(self, table: Table) -> dict[str, Any]:
        code: dict[str, Any] = {"menu": settings.APP_BASE_URL + reverse("menu", args=[table.table_number])}
        if table.qr_code_url:
            code["image"] = gateway.image_url(table.qr_code_url, size=512)
            code["print_image"] = gateway.image_url(table.qr_code_url, size=2048)
            code["cards"] = _cards([table.table_number])
        return code

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


def _left(session: TableSession) -> str:
    """Return such as `Left 21:40`, or when the guests came if nobody has closed the session."""
    at = timezone.localtime(session.ended_at or session.started_at)
    time = date_format(at, "TIME_FORMAT")
    if at.date() != timezone.localdate():
        time = f"{short_day(at)}, {time}"
    return (_("Left %(time)s") if session.ended_at else _("Came %(time)s, left")) % {"time": time}


def _since(began: datetime) -> str:
    """Return such as `since 20:21 · 1 h 5 min`."""
    since = date_format(timezone.localtime(began), "TIME_FORMAT")
    hours, minutes = divmod(max(int((timezone.now() - began).total_seconds() // 60), 0), 60)
    lasting = _("%(hours)d h %(minutes)d min") if hours else _("%(minutes)d min")
    return _("since %(time)s · %(lasting)s") % {
        "time": since,
        "lasting": lasting % {"hours": hours, "minutes": minutes},
    }
