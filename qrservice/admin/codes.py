from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import F, QuerySet
from django.db.models.expressions import OrderBy
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from qrservice import addresses, queries
from qrservice.admin.code_form import CodeForm, belongs_to, purpose_of
from qrservice.admin.code_list import MEMBERS, PLACES, TYPES, CodeList, KindFilter, TypeFilter
from qrservice.models import Code
from qrservice.purposes import Purpose
from qrservice.services import codes
from web.admin import change_url
from web.long_lists import LongListAdmin
from web.reporting import Column, Plot, Table
from web.templatetags.moments import recent
from web.templatetags.reports import shown

DAYS = 30  # in the chart


def _shortened(target: str) -> str:
    text = target.removeprefix(settings.APP_BASE_URL).removeprefix("https://").removeprefix("http://")
    return Truncator(text).chars(48)


def _kind(code: Code) -> str:
    """Return the page that the code opens, or its type."""
    if purpose := purpose_of(code):
        return _("Opens %s") % purpose.opens if purpose.note is None else purpose.note
    kind = str(code.metadata.get("type") or "")
    return str(TYPES.get(kind, Truncator(kind).chars(40)))


def _owner_url(request: HttpRequest, purpose: Purpose | None) -> str:
    """Return the admin page of what the code belongs to; "" for users who may not see it."""
    if purpose is None or purpose.row is None:
        return ""
    meta = purpose.row._meta
    may_see = request.user.has_perm(f"{meta.app_label}.view_{meta.model_name}")
    return change_url(purpose.row) if may_see else ""


def _downloads(code: Code) -> list[tuple[str, str, str]]:
    """Return label, relative address and file name of each image."""
    png = reverse("code_image", args=[code.slug])
    return [
        (_("PNG, 512 pixels"), f"{png}?size=512", f"{code.slug}-512.png"),
        (_("PNG, 2,048 pixels (for print)"), f"{png}?size=2048", f"{code.slug}-2048.png"),
        (_("SVG (for designers)"), reverse("code_svg", args=[code.slug]), f"{code.slug}.svg"),
        (_("PDF"), reverse("code_pdf", args=[code.slug]), f"{code.slug}.pdf"),
    ]


def _chart(code: Code) -> dict[str, Any]:
    """Return the context of `admin/qrservice/code/_chart.html`: scans by day, their sum, and the most on one day."""
    days = queries.scans_by_day(code, days=DAYS)
    numbers = [number for _day, number in days]
    columns = [Column(_("Day"), "date"), Column(_("Scans"), "number")]
    plot = Plot(nothing=_("No scans"), running=DAYS - 1)
    table = Table(_("Scans by day"), columns, [list(day) for day in days], plot=plot)
    return {"table": table, "total": sum(numbers), "highest": max(numbers)}


@admin.register(Code)
class CodeAdmin(LongListAdmin):
    """Saves through `services.codes`, which validates."""

    form = CodeForm
    list_display = ["used_for", "what", "short_address", "scan_count", "last_scan", "state", "card"]
    list_filter = [KindFilter, "status", TypeFilter, "account"]
    list_per_page = 50
    list_max_show_all = 50  # because queries.with_scans counts scans for every row
    search_fields = ["slug", "redirect_url", "analytics_id", "metadata"]
    search_help_text = gettext_lazy("Address or text")
    actions = ["switch_off", "switch_on"]
    readonly_fields = ["analytics_id", "created_at", "updated_at"]

    class Media:
        css = {"all": ["css/admin/codes.css", "css/admin/drops.css"]}

    # --- the list ---------------------------------------------------------------------------------

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CodeList

    def get_list_display(self, request: HttpRequest) -> Any:
        """Leave out the section or page of members' cards, which is the same for all."""
        columns = super().get_list_display(request)
        return [column for column in columns if column != "what"] if KindFilter.chosen(request) == MEMBERS else columns

    def get_ordering(self, request: HttpRequest) -> Any:
        """Sort tables by creation, and the codes of members and rewards newest first."""
        return ["pk"] if KindFilter.chosen(request) == PLACES else ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Code]:
        return queries.with_scans(super().get_queryset(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Code], search_term: str
    ) -> tuple[QuerySet[Code], bool]:
        """Find a code by its whole short address, too."""
        start = addresses.short_url("")
        if search_term.lower().startswith(start.lower()):
            search_term = addresses.normalise_slug(search_term[len(start) :])
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("short address"), ordering="slug")
    def short_address(self, code: Code) -> str:
        # The host is left out, because it is that of this page.
        return format_html('<span class="code-address">{}</span>', urlsplit(addresses.short_url(code.slug)).path)

    @admin.display(description=gettext_lazy("used for"), ordering="redirect_url")
    def used_for(self, code: Code) -> str:
        purpose = purpose_of(code)
        name = purpose.name if purpose else _shortened(code.target)
        return format_html('<span class="code-name" title="{}">{}</span>', code.target, name)

    @admin.display(description=gettext_lazy("section or page"))
    def what(self, code: Code) -> str | None:
        return _kind(code) or None

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, code: Code) -> str:
        purpose = purpose_of(code)
        name, label = code.status, capfirst(code.get_status_display())
        if purpose and purpose.state and code.status == Code.Status.ACTIVE:
            name, label = "over" if purpose.is_over else "active", purpose.state
        return format_html('<span class="code-state code-{}">{}</span>', name, label)

    @admin.display(description=gettext_lazy("card"))
    def card(self, code: Code) -> str:
        purpose = purpose_of(code)
        if purpose is None or not purpose.print_url:
            return ""
        return format_html(
            '<a class="row-print" href="{}" aria-label="{}" title="{}"><svg class="admin-icon" viewBox="0 0 24 24" '
            'aria-hidden="true"><use href="{}#printer"/></svg></a>',
            purpose.print_url, label := _("Print the card of %s") % purpose.name, label, static("img/admin.svg"),
        )  # fmt: skip

    @admin.display(description=gettext_lazy("scans"))
    def scan_count(self, code: Code) -> str:
        number: int = code.scans_counted  # type: ignore[attr-defined]
        most = queries.MAX_COUNTED
        return shown(number, "number") if number <= most else _("over %s") % shown(most, "number")

    @admin.display(description=gettext_lazy("last scan"), ordering=OrderBy(F("last_scan"), nulls_first=True))
    def last_scan(self, code: Code) -> str | None:
        moment = code.last_scan  # type: ignore[attr-defined]
        return recent(moment) if moment else None

    # --- switching --------------------------------------------------------------------------------

    @admin.action(description=gettext_lazy("Switch off"), permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Code]) -> None:
        number = self._switch(request, queryset, Code.Status.DISABLED)
        sentence = ngettext("%d code was switched off.", "%d codes were switched off.", number)
        self.message_user(request, sentence % number, messages.SUCCESS)

    @admin.action(description=gettext_lazy("Switch on"), permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Code]) -> None:
        number = self._switch(request, queryset, Code.Status.ACTIVE)
        sentence = ngettext("%d code was switched on.", "%d codes were switched on.", number)
        self.message_user(request, sentence % number, messages.SUCCESS)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.switch_view)
        return [path("<path:object_id>/switch/", view, name="qrservice_code_switch"), *super().get_urls()]

    def switch_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Set the code to the posted state, so that a double click does not switch twice."""
        code = self.get_object(request, unquote(object_id))
        if code is None:
            raise Http404
        if not self.has_change_permission(request, code):
            raise PermissionDenied
        status = request.POST.get("status", "")
        if status in Code.Status.values and self._switch(request, Code.objects.filter(pk=code.pk), status):
            is_on = status == Code.Status.ACTIVE
            messages.success(request, _("The code is switched on.") if is_on else _("The code is switched off."))
        return HttpResponseRedirect(change_url(code))

    def _switch(self, request: HttpRequest, queryset: QuerySet[Code], status: str) -> int:
        changed = list(queryset.exclude(status=status))
        for code in changed:
            codes.update(code=code, status=status)
            self.log_change(request, code, [{"changed": {"fields": [_("status")]}}])
        return len(changed)

    # --- one code ---------------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: Code | None = None) -> Any:
        if obj is None:
            return ["account", "target", "metadata"]
        return ["target", "sure", "metadata", "account", "analytics_id", "created_at", "updated_at"]

    def get_fieldsets(self, request: HttpRequest, obj: Code | None = None) -> Any:
        """Fold what only developers need, and hide the confirmation from users who may only view."""
        if obj is None:
            return super().get_fieldsets(request, obj)
        programs = ["metadata", "account", "analytics_id", "created_at", "updated_at"]
        name = belongs_to(obj) if self.has_change_permission(request, obj) else ""
        sentence = _("What is printed for %(name)s opens this address. With one wrong letter it opens nothing.")
        warning = format_html('<p class="code-warning">{}</p>', sentence % {"name": name})
        elsewhere = {"fields": ["target", "sure"], "classes": ["collapse"], "description": warning}
        return [
            (_("Change where it leads"), elsewhere) if name else (None, {"fields": ["target"]}),
            (_("For developers"), {"fields": programs, "classes": ["collapse"]}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Code | None = None) -> list[str]:
        # The account can't change, because its keys read the code.
        return [*self.readonly_fields, "account"] if obj else [*self.readonly_fields]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"account": codes.built_in_account().pk, **super().get_changeform_initial_data(request)}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Code | None = kwargs.get("obj")
        if obj is not None:
            purpose = purpose_of(obj)
            if purpose:
                context["subtitle"] = purpose.name
            context |= {
                "purpose": purpose,
                "owner_url": _owner_url(request, purpose),
                "state": self.state(obj),
                "is_on": obj.status == Code.Status.ACTIVE,
                "short_url": addresses.short_url(obj.slug),
                "image": f"{reverse('code_image', args=[obj.slug])}?size=512",
                "downloads": _downloads(obj),
                "scan_count": shown(queries.scan_count(obj), "number"),
                "last_scan": self.last_scan(obj),
                "chart": _chart(obj),
                "show_save_and_add_another": False,
                "show_save_and_continue": False,
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Code, form: ModelForm, change: bool) -> None:
        values = form.cleaned_data
        if not change:
            created = codes.create(account=obj.account, redirect_url=values["target"], metadata=values["metadata"])
            vars(obj).update(vars(created))  # the admin continues with `obj`
        elif form.changed_data:
            changed = {name: values[name] for name in form.changed_data}
            codes.update(code=obj, redirect_url=changed.get("target"), metadata=changed.get("metadata"))

    # --- deleting ---------------------------------------------------------------------------------

    def has_delete_permission(self, request: HttpRequest, obj: Code | None = None) -> bool:
        """Only superusers may delete, and only disabled codes: printed codes must not stop working by accident."""
        return bool(request.user.is_superuser) and (obj is None or obj.status == Code.Status.DISABLED)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)  # codes are deleted one at a time
        return actions

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count the scans that are deleted with the codes; Django would list every scan."""
        counts = {str(Code._meta.verbose_name_plural): len(objs)}
        counts[_("scans")] = sum(queries.scan_count(code) for code in objs)
        return [str(code) for code in objs], counts, set(), []
