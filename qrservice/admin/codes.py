from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import F, QuerySet
from django.db.models.expressions import OrderBy
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from qrservice import addresses, queries
from qrservice.admin.code_form import CodeForm, belongs_to, purpose_of
from qrservice.admin.code_list import PLACES, CodeList, KindFilter
from qrservice.models import Code
from qrservice.services import codes
from web.admin import change_link, code_panel
from web.templatetags.moments import recent
from web.templatetags.reports import shown


@admin.register(Code)
class CodeAdmin(admin.ModelAdmin):
    """Saves through `services.codes`, which validates."""

    form = CodeForm
    list_display = ["used_for", "what", "short_address", "scan_count", "last_scan", "state", "card"]
    list_filter = [KindFilter, "status", "account"]
    list_per_page = 50
    list_max_show_all = 50  # because queries.with_scans counts scans for every row
    show_full_result_count = False
    search_fields = ["slug", "redirect_url", "analytics_id", "metadata"]
    search_help_text = gettext_lazy("Address or text")
    actions = ["switch_off", "switch_on"]
    readonly_fields = [
        "image", "owner", "scan_count", "last_scan", "state", "analytics_id", "created_at", "updated_at",
    ]  # fmt: skip

    # --- the list ---------------------------------------------------------------------------------

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CodeList

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
        """Return it without the host, which is that of this page."""
        return urlsplit(addresses.short_url(code.slug)).path

    @admin.display(description=gettext_lazy("used for"), ordering="redirect_url")
    def used_for(self, code: Code) -> str:
        purpose = purpose_of(code)
        text = code.target.removeprefix(settings.APP_BASE_URL)
        return purpose.name if purpose else Truncator(text).chars(48)

    @admin.display(description=gettext_lazy("section or page"))
    def what(self, code: Code) -> str | None:
        purpose = purpose_of(code)
        if purpose is None:
            return Truncator(str(code.metadata.get("type") or "")).chars(40) or None
        return _("Opens %s") % purpose.opens if purpose.note is None else purpose.note

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, code: Code) -> str:
        purpose = purpose_of(code)
        is_used = purpose and purpose.state and code.status == Code.Status.ACTIVE
        return purpose.state if purpose and is_used else capfirst(code.get_status_display())

    @admin.display(description=pgettext_lazy("of a member", "card"))
    def card(self, code: Code) -> str:
        purpose = purpose_of(code)
        if purpose is None or not purpose.print_url:
            return ""
        label = _("Print the card of %s") % purpose.name
        return format_html('<a href="{}" aria-label="{}">{}</a>', purpose.print_url, label, _("Print"))

    @admin.display(description=gettext_lazy("scans"))
    def scan_count(self, code: Code) -> str:
        number: int = code.scans_counted  # type: ignore[attr-defined]
        most = queries.MAX_COUNTED
        return shown(number, "number") if number <= most else _("over %s") % shown(most, "number")

    @admin.display(description=gettext_lazy("last scan"), ordering=OrderBy(F("last_scan"), nulls_first=True))
    def last_scan(self, code: Any) -> str:
        return recent(code.last_scan) if code.last_scan else self.get_empty_value_display()

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

    def _switch(self, request: HttpRequest, queryset: QuerySet[Code], status: str) -> int:
        changed = list(queryset.exclude(status=status))
        for code in changed:
            codes.update(code=code, status=status)
            self.log_change(request, code, [{"changed": {"fields": [_("status")]}}])
        return len(changed)

    # --- one code ---------------------------------------------------------------------------------

    def get_fieldsets(self, request: HttpRequest, obj: Code | None = None) -> Any:
        """Fold what only developers need, and hide the confirmation from users who may only view."""
        if obj is None:
            return [(None, {"fields": ["account", "target", "metadata"]})]
        name = belongs_to(obj) if self.has_change_permission(request, obj) else ""
        sentence = _("What is printed for %(name)s opens this address. With one wrong letter it opens nothing.")
        elsewhere = {"fields": ["target", "sure"], "classes": ["collapse"], "description": sentence % {"name": name}}
        obj.reader = request.user  # type: ignore[attr-defined]
        purpose = purpose_of(obj)
        state = ["state"] if purpose and purpose.state else []
        programs = ["metadata", "account", "analytics_id", "created_at", "updated_at"]
        return [
            (None, {"fields": ["image", "owner", "scan_count", "last_scan", *state, "status"]}),
            (_("Change where it leads"), elsewhere) if name else (None, {"fields": ["target"]}),
            (_("For developers"), {"fields": programs, "classes": ["collapse"]}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Code | None = None) -> list[str]:
        # The account can't change, because its keys read the code.
        return [*self.readonly_fields, "account"] if obj else [*self.readonly_fields]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"account": codes.built_in_account().pk, **super().get_changeform_initial_data(request)}

    @admin.display(description=gettext_lazy("QR code"))
    def image(self, code: Code) -> str:
        png = reverse("code_image", args=[code.slug])
        short_url = addresses.short_url(code.slug)
        purpose = purpose_of(code)
        links = [
            (short_url, short_url),
            (_("Opens %s") % (purpose.opens if purpose else code.target), code.target),
            (_("SVG (for designers)"), reverse("code_svg", args=[code.slug])),
            (_("PDF"), reverse("code_pdf", args=[code.slug])),
        ]
        if purpose and purpose.print_url:
            links.append((_("Print card"), purpose.print_url))
        return code_panel(f"{png}?size=512", f"{png}?size=2048", name=short_url, links=links)

    @admin.display(description=gettext_lazy("belongs to"))
    def owner(self, code: Code) -> str:
        """Return what it belongs to, as a link for users who may see that."""
        purpose = purpose_of(code)
        if purpose is None or purpose.row is None:
            return purpose.name if purpose else self.get_empty_value_display()
        meta = purpose.row._meta
        may_see = code.reader.has_perm(f"{meta.app_label}.view_{meta.model_name}")  # type: ignore[attr-defined]
        return change_link(purpose.row, purpose.name) if may_see else purpose.name

    def save_model(self, request: HttpRequest, obj: Code, form: ModelForm, change: bool) -> None:
        values = form.cleaned_data
        if not change:
            created = codes.create(account=obj.account, redirect_url=values["target"], metadata=values["metadata"])
            vars(obj).update(vars(created))  # the admin continues with `obj`
        elif form.changed_data:
            changed = {name: values[name] for name in form.changed_data}
            codes.update(
                code=obj,
                redirect_url=changed.get("target"),
                metadata=changed.get("metadata"),
                status=changed.get("status"),
            )

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
