"""The action that makes one card of two."""

from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.cards.admin.several_members import SeveralMembersAdmin
from loyalty.cards.services import merging
from loyalty.errors import MemberUnknown, TooManyPoints
from loyalty.members.models import Member
from web.admin import change_url, own_page
from web.fields import is_uuid
from web.templatetags.moments import whole_day
from web.templatetags.reports import shown


class MergingAdmin(SeveralMembersAdmin):
    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        """Leave out cards that lead to others."""
        return super().get_queryset(request).filter(merged_into=None)

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and self.has_delete_permission(request)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.merge_view)
        return [path("merge/", view, name="loyalty_member_merge"), *super().get_urls()]

    @admin.action(permissions=["merge"], description=gettext_lazy("Merge two…"))
    def merge(self, request: HttpRequest, chosen: QuerySet[Member]) -> HttpResponse | None:
        """Show two cards side by side, the older one first, and ask whose details are kept."""
        pair = list(chosen.filter(erased_at=None).order_by("created_at", "pk")[:3])
        if len(pair) != 2:
            messages.warning(request, _("Please choose two members whose cards are to become one."))
            return None
        return own_page(
            self,
            request,
            "admin/loyalty/member/merge.html",
            title=_("Merge two cards"),
            back=reverse("admin:loyalty_member_changelist"),
            pair=pair,
            details=[(name, _label(name), [getattr(member, name) for member in pair]) for name in merging.DETAILS],
            facts=[
                (_label("points_balance"), [shown(member.points_balance, "number") for member in pair]),
                (_label("lifetime_points"), [shown(member.lifetime_points, "number") for member in pair]),
                (_label("created_at"), [whole_day(member.created_at) for member in pair]),
            ],
        )

    def merge_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_merge_permission(request):
            raise PermissionDenied
        back = HttpResponseRedirect(reverse("admin:loyalty_member_changelist"))
        pair = {UUID(member_id) for member_id in request.POST.getlist("member") if is_uuid(member_id)}
        sent = {name: request.POST.get(name, "") for name in merging.DETAILS}
        taken = {name: UUID(member_id) for name, member_id in sent.items() if is_uuid(member_id)}
        if len(pair) != 2 or len(taken) != len(sent) or not pair.issuperset(taken.values()):
            return back
        try:
            cards = merging.merge(pair, taken=taken, by=request.user.get_username())
        except (MemberUnknown, TooManyPoints) as error:
            messages.warning(request, str(error.detail))
            return back
        if cards is None:
            messages.info(request, _("These cards are one already."))
            return back
        kept, gone = cards
        kept.refresh_from_db()
        self.log_change(request, kept, _("Merged with the card of %(name)s.") % {"name": gone.name})
        sentence = _("The cards are one now: %(name)s has %(points)s points.")
        messages.success(request, sentence % {"name": kept.name, "points": shown(kept.points_balance, "number")})
        return HttpResponseRedirect(change_url(kept))


def _label(name: str) -> str:
    return capfirst(str(Member._meta.get_field(name).verbose_name))  # type: ignore[union-attr]
