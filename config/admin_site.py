"""The admin's index and side list, sorted by a manager's tasks."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.error_pages import refuse

log = logging.getLogger(__name__)

_SECTIONS = {
    gettext_lazy("What you sell"): ("restaurant.menuitem", "restaurant.category", "restaurant.optiongroup",
        "restaurant.pricerule",
    ),
    gettext_lazy("Service"): (
        "restaurant.order", "restaurant.table", "restaurant.tablesession", "restaurant.payment",
    ),
    gettext_lazy("Members and rewards"): (
        "loyalty.member", "loyalty.reward", "loyalty.redemption", "loyalty.pointtransaction", "loyalty.programme",
    ),
    gettext_lazy("Kitchen"): (
        "restaurant.openinghours", "restaurant.closedday", "restaurant.orderingrules", "restaurant.station",
        "restaurant.printer",
    ),
    gettext_lazy("Venue"): ("config.venue", "loyalty.location", "qrservice.code"),
    gettext_lazy("Accounting"): ("restaurant.account", "restaurant.accountant"),
    gettext_lazy("Records"): (
        "restaurant.orderchange", "restaurant.printjob", "loyalty.notification", "qrservice.scan",
    ),
}  # fmt: skip
_UNLISTED = "axes.accessfailurelog"  # this log is switched off (AXES_ENABLE_ACCESS_FAILURE_LOG)
# Raised by PostgreSQL, Django and Python for a filter in the address that no column can be compared with.
_FILTER_ERRORS = (DataError, IndexError, OverflowError)

_LISTS = {"changelist_view", "export_view"}


class Site(admin.AdminSite):
    """Shows sections instead of apps. Models that no section names come last, for owners."""

    index_title = gettext_lazy("Admin")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        if app_label is not None:
            return super().get_app_list(request, app_label)
        # Once for a page, which shows it twice: whether a row may be added can take a query.
        if not hasattr(request, "admin_sections"):
            request.admin_sections = self._sections(request)  # type: ignore[attr-defined]
        sections: list[Any] = request.admin_sections  # type: ignore[attr-defined]
        return sections

    def _sections(self, request: HttpRequest) -> list[Any]:
        apps: list[Any] = super().get_app_list(request)
        models = {model["model"]._meta.label_lower: model for app in apps for model in app["models"]}
        models.pop(_UNLISTED, None)
        chosen = {
            name: [models.pop(label) for label in labels if label in models] for name, labels in _SECTIONS.items()
        }
        chosen[gettext_lazy("For owners")] = list(models.values())
        return [
            {
                "name": name,
                "app_label": slugify(str(name)),
                "app_url": reverse("admin:index"),
                "has_module_perms": True,
                "models": of_section,
            }
            for name, of_section in chosen.items()
            if of_section
        ]

    def admin_view(  # type: ignore[override]
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., Any]:
        """Refuse filters of a list with 400 that were typed into the address and can't be used."""
        checked = super().admin_view(view, cacheable)
        if getattr(view, "__name__", "") not in _LISTS:
            return checked

        @wraps(checked)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                return checked(request, *args, **kwargs)
            except _FILTER_ERRORS as error:
                if request.method != "GET" or not request.GET:
                    raise
                log.warning("A list of the admin can't be filtered as its address says: %r", error)
                return refuse(request, 400, _("This list can't be filtered like that."), back=request.path)

        return shown

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
