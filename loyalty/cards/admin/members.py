from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Exists, F, Max, Min, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty import rules
from loyalty.cards.admin.filters import LastActiveFilter, OffersFilter, SegmentFilter
from loyalty.cards.admin.member_import import MemberImportAdmin
from loyalty.cards.admin.merging import MergingAdmin
from loyalty.errors import MemberErased, MemberUnknown
from loyalty.members.models import Member
from loyalty.members.queries import member_by_email, member_or_erased
from loyalty.members.services import members
from loyalty.points.admin import lines
from loyalty.points.admin.points_form import PointsForm, TakeBackForm
from loyalty.points.models import TAKE_BACK_ANY, PointTransaction
from loyalty.points.queries.programme import current_programme
from loyalty.points.queries.search import MemberSearch
from loyalty.points.services.reversals import take_back_purchase
from loyalty.restaurant import restaurant
from loyalty.rewards.admin.redemptions import state_label
from web.admin import HistoryAdmin, change_url, code_panel, number_column, own_page
from web.idempotency import new_key
from web.searching import terms_of
from web.templatetags.reports import shown

LEAST_PURCHASES = 4  # of which a member's page says how often they come
HISTORY_ROWS = 10  # of the ledger, and of the redemptions, on a member's page


def _purchases(member: Member) -> dict[str, int]:
    """Return how many purchases there are, and the average of days between them: 0 where there are too few."""
    purchases = member.transactions.purchases().standing()
    totals = purchases.aggregate(first=Min("created_at"), last=Max("created_at"), number=Count("pk"))
    number = totals["number"]
    if number < LEAST_PURCHASES:
        return {"purchases": number, "every": 0}
    days = (timezone.localdate(totals["last"]) - timezone.localdate(totals["first"])).days
    return {"purchases": number, "every": round(days / (number - 1))}


class MemberForm(forms.ModelForm):
    offers = forms.BooleanField(label=gettext_lazy("Agreed to get offers by email"), required=False)

    class Meta:
        model = Member
        fields = ["name", "email", "phone", "note"]
        widgets = {"note": forms.Textarea({"rows": 2})}
        help_texts = {"note": gettext_lazy("For staff. Members find it in the data that they can download.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["offers"].initial = self.instance.offers_agreed_at is not None

    def clean(self) -> dict[str, Any] | None:
        values = super().clean() or {}
        if values.get("email") == "":
            if not any(map(str.isdigit, values.get("phone", ""))):
                self.add_error("phone", _("An email or a phone number is needed."))
            if values.get("offers"):
                self.add_error("offers", _("Offers need an email."))
        return values

    def clean_email(self) -> str:
        if not self.cleaned_data["email"]:
            return ""
        try:
            email = rules.mailbox(self.cleaned_data["email"])
        except ValueError as error:
            raise ValidationError(_("Mail can't be delivered to this address.")) from error
        other = member_by_email(email)
        if other is not None and other.pk != self.instance.pk:
            raise ValidationError(_("This email address belongs to another card: %s.") % other.name)
        return email


@admin.register(Member)
class MemberAdmin(MergingAdmin, MemberImportAdmin, HistoryAdmin):
    """Corrects names and addresses, and adds or removes points."""

    form = MemberForm
    list_display = ["name", "mailbox", "phone", "tier", "balance", "lifetime", "last_activity_at"]
    exported = [
        "name", "mailbox", "phone", "tier", "points_balance", "lifetime_points", "last_activity_at",
        "offers_agreed_at",
    ]  # fmt: skip
    list_filter = ["tier", SegmentFilter, LastActiveFilter, OffersFilter, "created_at"]
    list_per_page = 50
    list_max_show_all = 500
    show_full_result_count = False
    ordering = [F("last_activity_at").desc(nulls_last=True), "name", "pk"]
    search_fields = ["search_text"]
    search_help_text = gettext_lazy("Name, email, phone")
    date_hierarchy = "created_at"
    readonly_fields = ["code"]
    sortable_by = ("name", "mailbox", "balance", "lifetime", "last_activity_at")  # by an index

    balance = number_column("points_balance", gettext_lazy("points"))
    lifetime = number_column("lifetime_points", gettext_lazy("lifetime points"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Member], search_term: str
    ) -> tuple[QuerySet[Member], bool]:
        if not search_term.strip():
            return queryset, False
        return MemberSearch(queryset, terms_of(search_term)).for_page(), False

    @admin.display(description=gettext_lazy("email"), ordering="email")
    def mailbox(self, member: Member) -> str:
        return "" if member.erased_at else member.email

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is not None and obj.erased_at:
            return [(None, {"fields": ["name"]})]
        # Those who may not change it read it among the facts.
        offers = ["offers"] if self.has_change_permission(request, obj) else []
        details = ["name", "phone", "email", *offers, "note"]
        return [
            (_("Details"), {"fields": details}), (_("Printed code"), {"fields": ["code"], "classes": ["collapse"]}),
        ]  # fmt: skip

    @admin.display(description=gettext_lazy("code"))
    def code(self, member: Member) -> str:
        links = [(member.short_url, member.short_url)]
        return code_panel(member.image_url(size=512), member.image_url(size=2048), name=member.name, links=links)

    def view_on_site(self, obj: Member) -> str | None:
        return None if obj.erased_at else reverse("member", args=[obj.pk])

    def has_history(self, row: Member) -> bool:
        return row.transactions.exists()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or obj.erased_at is None)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Member | None:
        """Follow a card that was merged into another one."""
        member = super().get_object(request, object_id, from_field)
        if member is None:
            with suppress(MemberUnknown):
                return super().get_object(request, str(member_or_erased(object_id).pk), from_field)
        return member

    def get_urls(self) -> list[URLPattern]:
        points = path(
            "<path:object_id>/points/", self.admin_site.admin_view(self.points_view), name="loyalty_member_points"
        )
        take_back = path(
            "<path:object_id>/take-back/<uuid:transaction_id>/",
            self.admin_site.admin_view(self.take_back_view),
            name="loyalty_member_take_back",
        )
        return [points, take_back, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Members enrol on the sign-up page, which gives them a code and the bonus."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse("signup"))

    def save_model(self, request: HttpRequest, obj: Member, form: Any, change: bool) -> None:
        try:
            members.correct(member=obj, changes={name: form.cleaned_data[name] for name in form.changed_data})
        except MemberErased as error:  # meanwhile
            raise Http404 from error

    # --- one member -------------------------------------------------------------------------------

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Member | None = kwargs.get("obj")
        if obj is not None:
            context |= self._history(request, obj)
        if obj is not None and obj.erased_at is None:
            following = current_programme().next_tier(obj.lifetime_points)
            context["next_tier"] = following
            context["next_tier_name"] = capfirst(str(Member.Tier(following.tier).label)) if following else ""
            context["usual"] = restaurant().usual_dishes(str(obj.pk))
        return super().render_change_form(request, context, *args, **kwargs)

    def _history(self, request: HttpRequest, member: Member) -> dict[str, Any]:
        """Return the latest transactions and redemptions, for users who may see these."""
        history: dict[str, Any] = {"shown": HISTORY_ROWS}
        if request.user.has_perm("loyalty.view_pointtransaction"):
            was_reversed = Exists(PointTransaction.reversals_of(OuterRef("pk")))
            ledger = member.transactions.select_related("location", "reverses__location").annotate(
                reversed=was_reversed
            )
            latest_rows = list(ledger.order_by("-created_at", "-pk")[:HISTORY_ROWS])
            lines.name_staff(latest_rows)
            history["ledger"] = [
                {"row": row, "text": lines.text(row), "points": lines.points(row), "bill": lines.bill(row)}
                for row in latest_rows
            ]
            history |= {"ledger_length": member.transactions.count(), **_purchases(member)}
            if request.user.has_perm(TAKE_BACK_ANY) and member.erased_at is None:
                history["to_take_back"] = {row.pk for row in latest_rows if row.is_purchase and not row.reversed}
        if request.user.has_perm("loyalty.view_redemption"):
            latest = member.redemptions.select_related("reward").order_by("-created_at", "-pk")[:HISTORY_ROWS]
            rows = [{"row": row, "address": change_url(row), "state": state_label(row)} for row in latest]
            history |= {"redemptions": rows, "redemptions_length": member.redemptions.count()}
        return history

    # --- points -----------------------------------------------------------------------------------

    def points_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Add or remove points, with a reason."""
        member = self.get_object(request, unquote(object_id))
        if member is None:
            raise Http404
        if not self.has_change_permission(request, member):
            raise PermissionDenied
        form = PointsForm(request.POST) if request.method == "POST" else PointsForm(initial={"key": new_key()})
        try:
            outcome = form.is_valid() and form.apply(member=member, staff_id=request.user.get_username())
        except MemberUnknown as error:
            raise Http404 from error
        if outcome:
            self._notify(request, member, *outcome)
            return HttpResponseRedirect(change_url(member))
        fields = ["direction", "points", "reason"]
        return self._page_of(request, member, "points", form, fields, title=_("Add or remove points"))

    def take_back_view(self, request: HttpRequest, object_id: str, transaction_id: UUID) -> HttpResponse:
        """Ask, then take back the points for a purchase."""
        if not request.user.has_perm(TAKE_BACK_ANY):
            raise PermissionDenied
        member = self.get_object(request, unquote(object_id))
        row = member.transactions.purchases().filter(pk=transaction_id).first() if member else None
        if member is None or row is None or member.erased_at is not None:
            raise Http404
        form = TakeBackForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            self._take_back(request, member, row, form.cleaned_data["note"])
            return HttpResponseRedirect(change_url(member))
        return self._page_of(request, member, "take_back", form, ["note"], title=_("Take back a purchase"), row=row)

    def _take_back(self, request: HttpRequest, member: Member, row: PointTransaction, note: str) -> None:
        was_reversed = row.reversals.exists()
        reversal = take_back_purchase(
            transaction_id=str(row.pk), note=note, recorded_by=request.user.get_username(), is_manager=True
        )
        if not was_reversed:
            self.log_change(request, member, f"{reversal.sentence} {note}".strip())
        messages.success(request, reversal.sentence)

    def _notify(self, request: HttpRequest, member: Member, transaction: Any, is_new: bool) -> None:
        number = abs(transaction.points)
        added = ngettext("%(number)s point added.", "%(number)s points added.", number)
        removed = ngettext("%(number)s point removed.", "%(number)s points removed.", number)
        sentence = (added if transaction.points > 0 else removed) % {"number": shown(number, "number")}
        if is_new:
            self.log_change(request, member, f"{sentence} {transaction.description}")
            member.refresh_from_db(fields=["points_balance"])
            balance = _("The balance of %(name)s is now %(balance)s.")
            now = shown(member.points_balance, "number")
            sentence = f"{sentence} {balance % {'name': member.name, 'balance': now}}"
            messages.success(request, sentence)
        else:
            messages.info(request, _("This form was sent twice but only counted once: %s") % sentence)

    def _page_of(
        self, request: HttpRequest, member: Member, name: str, form: forms.Form, fields: list[str], **context: Any
    ) -> HttpResponse:
        adminform: Any = AdminForm(form, [(None, {"fields": fields})], {})  # type: ignore[arg-type]
        context |= {"original": member, "subtitle": member.name, "back": change_url(member), "adminform": adminform}
        return own_page(self, request, f"admin/loyalty/member/{name}.html", form=form, **context)
