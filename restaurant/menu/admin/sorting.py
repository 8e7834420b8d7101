"""Lists whose rows can be moved: by a button, by keyboard, or dragged."""

from typing import Any, Literal

from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.menu.services import menu_order
from restaurant.menu.services.menu_order import Sortable
from restaurant.protected_admin import ProtectedAdmin
from web.admin import SeeOther


class OrderOfTheMenu(ChangeList):
    def get_ordering_field_columns(self) -> dict[int, Literal["desc", "asc"]]:
        """Mark no column as sorted until one is chosen: Django would mark the name, which only breaks ties."""
        return super().get_ordering_field_columns() if ORDER_VAR in self.params else {}


class SortedAdmin(ProtectedAdmin):
    """Lists rows in the menu's order. They can be moved unless the list shows a part of them, or another order."""

    change_list_template = "admin/restaurant/sorted_list.html"
    may_filter_by: frozenset[str] = frozenset()  # query parameters with which the rows can be moved

    class Media:
        js = ["js/admin_sort.js"]

    def group_of(self, row: Any) -> str:
        """Return the name of the rows among which this one can be moved."""
        return ""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return OrderOfTheMenu

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        if not self.has_change_permission(request):
            return columns
        # There is a column in any case, because the links that sort count the columns.
        return ["sorting" if self.is_sortable(request) else "unsorted", *columns]

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        return ["name"]

    def is_sortable(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and set(request.GET) <= {"p", "all", *self.may_filter_by}

    @admin.display(description="")
    def unsorted(self, row: Any) -> str:
        """Fill the column of `sorting` where rows can't be moved; it is not shown."""
        return ""

    @admin.display(description=gettext_lazy("order"))
    def sorting(self, row: Any) -> str:
        """Return buttons of the list's form, which work without JavaScript."""
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_move", args=[quote(row.pk)])
        context = {"row": row, "address": address, "group": self.group_of(row)}
        return render_to_string("admin/restaurant/_sorting.html", context)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.move_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_move"
        return [path("<path:object_id>/move/", view, name=name), *super().get_urls()]

    def move_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        destination = _destination(request)
        if request.method != "POST" or destination is None:
            return HttpResponseRedirect(back)
        row: Sortable | None = self.get_object(request, unquote(object_id))
        try:
            if row is None:
                raise menu_order.Gone
            moved = menu_order.move(row, **destination)
        except menu_order.Gone:
            return self._gone(request, back)
        if moved.changed:
            self.log_change(request, row, _("Moved."))
        sentence = _("%(name)s is number %(position)d of %(total)d.") % {
            "name": row, "position": moved.position, "total": len(moved.order),
        }  # fmt: skip
        if not request.accepts("text/html"):
            return JsonResponse({"order": moved.order, "words": sentence})
        messages.success(request, sentence)
        return SeeOther(f"{back}?{request.POST.get('list_query', '')}#{request.POST['move']}-{row.pk}")

    def _gone(self, request: HttpRequest, back: str) -> HttpResponse:
        sentence = _("The list has changed meanwhile. Please look at it again.")
        if not request.accepts("text/html"):
            return JsonResponse({"error": sentence}, status=409)
        messages.warning(request, sentence)
        return SeeOther(f"{back}?{request.POST.get('list_query', '')}")

    @admin.action(permissions=["change"], description=gettext_lazy("List by name"))
    def list_by_name(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        number = menu_order.by_name(self.model._default_manager.filter(pk__in=chosen.values("pk")))
        sentence = ngettext(
            "%(number)d is listed by name, after those in an order of their own.",
            "%(number)d are listed by name, after those in an order of their own.",
            number,
        )
        messages.success(request, sentence % {"number": number})


def _destination(request: HttpRequest) -> dict[str, Any] | None:
    """Return the arguments of `menu_order.move` that the form names."""
    move, beside = request.POST.get("move", ""), request.POST.get("beside", "")
    if move in {"up", "down"}:
        return {"steps": -1 if move == "up" else 1}
    return {move: beside} if move in {"before", "after"} and beside else None
