"""Actions for several members of the list: a file of them, and points for each."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.errors import MemberUnknown, TooManyPoints
from loyalty.exports import ExportAdmin
from loyalty.members.models import Member
from loyalty.points.admin.points_form import PointsForAllForm
from web.admin import own_page
from web.fields import is_uuid
from web.idempotency import KeyReused, new_key
from web.templatetags.reports import shown

MOST = 500  # members who get points at once
NAMED = 5  # on the page that asks, and of those who got none


class SeveralMembersAdmin(ExportAdmin):
    actions = ["download_chosen", "give_points", "merge"]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Members are erased one at a time."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.give_points_view)
        return [path("give-points/", view, name="loyalty_member_give_points"), *super().get_urls()]

    @admin.action(permissions=["view"], description=gettext_lazy("Download the chosen"))
    def download_chosen(self, request: HttpRequest, chosen: QuerySet[Member]) -> HttpResponseBase:
        return self.file_of(chosen, self.exported)

    @admin.action(permissions=["change"], description=gettext_lazy("Give points…"))
    def give_points(self, request: HttpRequest, chosen: QuerySet[Member]) -> HttpResponse | None:
        """Ask how many. Erased members are left out: they have no card."""
        members = list(chosen.filter(erased_at=None).order_by("name", "pk")[: MOST + 1])
        if len(members) > MOST:
            sentence = _("At most %(most)s members can get points at once.")
            messages.warning(request, sentence % {"most": shown(MOST, "number")})
            return None
        if not members:
            messages.warning(request, _("Erased members can't get points."))
            return None
        return self._page(request, members, PointsForAllForm(initial={"key": new_key()}))

    def give_points_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        back = HttpResponseRedirect(reverse("admin:loyalty_member_changelist"))
        ids = [member_id for member_id in request.POST.getlist("member") if is_uuid(member_id)]
        # In the order of their ids: of a form that is sent twice at once, both wait for the same rows.
        members = list(Member.objects.filter(pk__in=ids[:MOST], erased_at=None).order_by("pk"))
        if not members:
            return back
        form = PointsForAllForm(request.POST)
        if not form.is_valid():
            return self._page(request, members, form)
        try:
            form.check_key(members)
        except KeyReused:
            form.warn_of_reuse()
            return self._page(request, members, form)
        self._give(request, members, form)
        return back

    def _give(self, request: HttpRequest, members: list[Member], form: PointsForAllForm) -> None:
        """Give the points to each as by hand, and leave messages."""
        number = form.cleaned_data["points"]
        added = ngettext("%(number)s point added.", "%(number)s points added.", number)
        given: list[Member] = []
        refused: list[Member] = []
        for member in members:
            try:
                row, is_new = form.adjust(member, number, staff_id=request.user.get_username())
            except (MemberUnknown, TooManyPoints):  # erased meanwhile, or at the most that a card can have
                refused.append(member)
                continue
            if is_new:
                given.append(member)
                self.log_change(request, member, f"{added % {'number': shown(number, 'number')}} {row.description}")
        _leave_messages(request, members, given, refused, number)

    def _page(self, request: HttpRequest, members: list[Member], form: PointsForAllForm) -> HttpResponse:
        title = ngettext("Give points to %(number)s member", "Give points to %(number)s members", len(members))
        title %= {"number": shown(len(members), "number")}
        return own_page(
            self,
            request,
            "admin/loyalty/member/give_points.html",
            form=form,
            title=title,
            back=reverse("admin:loyalty_member_changelist"),
            members=members,
            names=_names(members),
            adminform=AdminForm(form, [(None, {"fields": ["points", "reason"]})], {}),  # type: ignore[arg-type]
        )


def _names(members: Iterable[Member]) -> str:
    """Return the first names, and how many more there are."""
    names = [member.name for member in members]
    more = len(names) - NAMED
    rest = [ngettext("%(number)d more", "%(number)d more", more) % {"number": more}] if more > 0 else []
    return ", ".join([*names[:NAMED], *rest])


def _leave_messages(
    request: HttpRequest, members: list[Member], given: list[Member], refused: list[Member], number: int
) -> None:
    points = ngettext("%(number)s point", "%(number)s points", number) % {"number": shown(number, "number")}
    if given:
        sentence = ngettext(
            "%(points)s given to %(number)s member.", "%(points)s given to %(number)s members.", len(given)
        )
        messages.success(request, sentence % {"points": points, "number": shown(len(given), "number")})
    elif len(refused) < len(members):
        messages.info(request, _("This form was sent twice but only counted once: %s") % f"{points}.")
    if refused:
        messages.warning(request, _("Without points: %(names)s.") % {"names": _names(refused)})
