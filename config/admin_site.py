"""The admin's index and side list, sorted by a manager's tasks."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config import admin_lists, admin_words

_SECTIONS = (
    (
        gettext_lazy("What you sell"),
        ("restaurant.menuitem", "restaurant.category", "restaurant.optiongroup"),
    ),
    (
        gettext_lazy("Service"),
        ("restaurant.order", "restaurant.table", "restaurant.tablesession", "restaurant.payment"),
    ),
    (
        gettext_lazy("Members and rewards"),
        ("loyalty.member", "loyalty.reward", "loyalty.redemption", "loyalty.pointtransaction", "loyalty.programme"),
    ),
    (
        gettext_lazy("Kitchen"),
        ("restaurant.openinghours", "restaurant.orderingrules", "restaurant.station", "restaurant.printer"),
    ),
    (gettext_lazy("Venue"), ("config.venue", "loyalty.location", "qrservice.code")),
    (
        gettext_lazy("Records"),
        ("restaurant.orderchange", "restaurant.printjob", "loyalty.notification", "qrservice.scan"),
    ),
)
# The last section, and what else is not named above.
_TECHNICAL = (
    "auth.user",
    "auth.group",
    "axes.accesslog",
    "axes.accessattempt",
    "config.stafftoken",
    "qrservice.account",
    "qrservice.apikey",
)
# Not listed, because this log is switched off (AXES_ENABLE_ACCESS_FAILURE_LOG).
_UNLISTED = ("axes.accessfailurelog",)


class Site(admin.AdminSite):
    """Shows sections instead of apps. Models that no section names come last, for owners."""

    enable_nav_sidebar = False  # a list of our own, without its script
    index_title = gettext_lazy("Admin")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        if app_label is not None:
            return super().get_app_list(request, app_label)
        # Once for a page, of which several parts show it: whether a row may be added can take a query.
        if not hasattr(request, "admin_sections"):
            request.admin_sections = self._sections(request)  # type: ignore[attr-defined]
        sections: list[Any] = request.admin_sections  # type: ignore[attr-defined]
        return sections

    def _sections(self, request: HttpRequest) -> list[Any]:
        apps: list[Any] = super().get_app_list(request)
        models = {model["model"]._meta.label_lower: model for app in apps for model in app["models"]}
        for label in _UNLISTED:
            models.pop(label, None)
        sections = [_section(name, labels, models) for name, labels in _SECTIONS]
        sections.append(_section(gettext_lazy("For owners"), (*_TECHNICAL, *models), models))
        for section in sections[-2:]:
            section["is_daily"] = False  # folded in the list at the side
        return [section for section in sections if section["models"]]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(admin_lists.guarded(view), cacheable)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [path("search/", self.admin_view(self.search_view), name="search"), *super().get_urls()]

    def search_view(self, request: HttpRequest) -> HttpResponse:
        from config import admin_search  # reads models, which are not loaded when the site is made

        request.current_app = self.name
        sought = request.GET.get("q", "").strip()[: admin_lists.LONGEST]
        title = _("Search for “%(text)s”") % {"text": sought} if sought else _("Search")
        groups = admin_search.find(request, self, sought)
        total = admin_search.total_words(groups)
        context = {"title": title, "sought": sought, "groups": groups, "total": total, "is_searching": True}
        return TemplateResponse(request, "admin/search.html", {**self.each_context(request), **context})

    def app_index(  # type: ignore[override]
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the index, which has sections instead of apps."""
        return HttpResponseRedirect(reverse("admin:index"))

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the page on which all staff change their password."""
        return HttpResponseRedirect(reverse("password"))


def _section(name: str | Promise, labels: tuple[str, ...], models: dict[str, Any]) -> dict[str, Any]:
    """Return the section in the shape of Django's apps, and take its models out of `models`."""
    chosen = [models.pop(label) for label in labels if label in models]
    for model in chosen:
        model["words"] = admin_words.words(model["model"]._meta)
        model["name"] = model["words"].title
    return {
        "name": name,
        "app_label": slugify(str(name)),
        "app_url": reverse("admin:index"),
        "has_module_perms": True,
        "models": chosen,
        "is_daily": True,
    }
