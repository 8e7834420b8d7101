from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty import queries
from loyalty.admin.exports import Exported
from loyalty.admin.giving import PointsForm, new_key
from loyalty.admin.lists import OneByOne, address
from loyalty.admin.redemptions import state_in_words
from loyalty.errors import MemberUnknown
from loyalty.models import Member
from loyalty.services import members

SHOWN = 50  # of the ledger, and of the redemptions, on a member's page


class LastActiveFilter(admin.SimpleListFilter):
    title = gettext_lazy("last active")
    parameter_name = "active"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("30", _("in the last 30 days")),
            ("90", _("30 to 90 days ago")),
            ("180", _("90 to 180 days ago")),
            ("older", _("over 180 days ago")),
            ("never", _("never")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Member]) -> QuerySet[Member]:
        wanted = _periods(timezone.now()).get(self.value() or "")
        return queryset.filter(wanted) if wanted else queryset


def _periods(now: datetime) -> dict[str, Q]:
    month, quarter, half = (now - timedelta(days=days) for days in (30, 90, 180))
    return {
        "30": Q(last_activity_at__gte=month),
        "90": Q(last_activity_at__gte=quarter, last_activity_at__lt=month),
        "180": Q(last_activity_at__gte=half, last_activity_at__lt=quarter),
        "older": Q(last_activity_at__lt=half),
        "never": Q(last_activity_at=None),
    }


class MemberForm(forms.ModelForm):
    class Meta:
        model = Member
        fields = ["name", "email", "phone"]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        other = queries.member_by_email(email)
        if other is not None and other.pk != self.instance.pk:
            raise ValidationError(_("There is another card for this email address: that of %s.") % other.name)
        return email


@admin.register(Member)
class MemberAdmin(Exported, OneByOne):
    """Enrolment makes members, and the ledger their points; here, a name is corrected or points are given."""

    form = MemberForm
    list_display = ["name", "email", "tier", "points_balance", "lifetime_points", "last_activity_at"]
    list_filter = ["tier", LastActiveFilter, "created_at"]
    list_per_page = 50
    list_max_show_all = 500
    ordering = [F("last_activity_at").desc(nulls_last=True), "name", "pk"]
    search_fields = ["name", "email", "phone"]
    search_help_text = gettext_lazy("Name, email or phone")
    date_hierarchy = "created_at"

    def has_history(self, row: Member) -> bool:
        return row.transactions.exists()

    def get_urls(self) -> list[URLPattern]:
        points = path(
            "<path:object_id>/points/", self.admin_site.admin_view(self.points_view), name="loyalty_member_points"
        )
        return [points, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Enrolment gives a member a code and the bonus (decision 4.1)."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse("signup"))

    def save_model(self, request: HttpRequest, obj: Member, form: Any, change: bool) -> None:
        members.correct(member=obj, changes={name: form.cleaned_data[name] for name in form.changed_data})

    # --- one member -------------------------------------------------------------------------------

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Member | None = kwargs.get("obj")
        context["show_save_and_add_another"] = False
        if obj is not None:
            context |= self._history(request, obj)
            context["image"] = queries.image(obj.qr_code_url, size=512)
            context["print_image"] = queries.image(obj.qr_code_url, size=2048)
        return super().render_change_form(request, context, *args, **kwargs)

    def _history(self, request: HttpRequest, member: Member) -> dict[str, Any]:
        """The latest of the ledger and of the redemptions, for whoever may see these."""
        shown: dict[str, Any] = {"shown": SHOWN}
        if request.user.has_perm("loyalty.view_pointtransaction"):
            ledger = member.transactions.select_related("location").order_by("-created_at", "-pk")
            shown |= {"ledger": list(ledger[:SHOWN]), "ledger_length": member.transactions.count()}
        if request.user.has_perm("loyalty.view_redemption"):
            latest = member.redemptions.select_related("reward").order_by("-created_at", "-pk")[:SHOWN]
            rows = [{"row": each, "address": address(each), "state": state_in_words(each)} for each in latest]
            shown |= {"redemptions": rows, "redemptions_length": member.redemptions.count()}
        return shown

    # --- points -----------------------------------------------------------------------------------

    def points_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Give or take points, with a reason (decision 4.11)."""
        member = self.get_object(request, unquote(object_id))
        if member is None:
            raise Http404
        if not self.has_change_permission(request, member):
            raise PermissionDenied
        form = PointsForm(request.POST) if request.method == "POST" else PointsForm(initial={"key": new_key()})
        try:
            done = form.is_valid() and form.carry_out(member=member, staff_id=request.user.get_username())
        except MemberUnknown as error:
            raise Http404 from error
        if done:
            self._tell(request, member, *done)
            return HttpResponseRedirect(address(member))
        return self._points_page(request, member, form)

    def _tell(self, request: HttpRequest, member: Member, transaction: Any, is_new: bool) -> None:
        number = abs(transaction.points)
        given = ngettext("%(number)d point given.", "%(number)d points given.", number)
        taken = ngettext("%(number)d point taken.", "%(number)d points taken.", number)
        sentence = (given if transaction.points > 0 else taken) % {"number": number}
        if is_new:
            self.log_change(request, member, f"{sentence} {transaction.description}")
            member.refresh_from_db(fields=["points_balance"])
            balance = _("The balance of %(name)s is now %(balance)d.")
            sentence = f"{sentence} {balance % {'name': member.name, 'balance': member.points_balance}}"
            messages.success(request, sentence)
        else:
            messages.info(request, _("This form was sent twice, and counted once: %s") % sentence)

    def _points_page(self, request: HttpRequest, member: Member, form: PointsForm) -> HttpResponse:
        request.current_app = self.admin_site.name
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": member,
            "title": _("Give or take points"),
            "subtitle": member.name,
            "form": form,
            "adminform": AdminForm(form, [(None, {"fields": ["direction", "points", "reason"]})], {}),  # type: ignore[arg-type]
            "media": self.media + form.media,
            "back": address(member),
        }
        return TemplateResponse(request, "admin/loyalty/member/points.html", context)
