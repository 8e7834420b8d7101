"""The admin's pages in the order in which a manager needs them."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_SECTIONS = (
    (gettext_lazy("Menu"), ("restaurant.menuitem", "restaurant.category", "restaurant.optiongroup")),
    (
        gettext_lazy("Service"),
        ("restaurant.order", "restaurant.table", "restaurant.tablesession", "restaurant.payment"),
    ),
    (
        gettext_lazy("Kitchen"),
        ("restaurant.openinghours", "restaurant.orderingrules", "restaurant.station", "restaurant.printer"),
    ),
    (
        gettext_lazy("Members"),
        ("loyalty.member", "loyalty.reward", "loyalty.redemption", "loyalty.pointtransaction", "loyalty.programme"),
    ),
    (gettext_lazy("Venue"), ("config.venue", "loyalty.location", "qrservice.code")),
    (
        gettext_lazy("Records"),
        ("restaurant.orderchange", "restaurant.printjob", "loyalty.notification", "qrservice.scan"),
    ),
)


class Site(admin.AdminSite):
    """The index and the side list show sections instead of apps. What no section names comes last, for owners."""

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps: list[Any] = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        models = {model["model"]._meta.label_lower: model for app in apps for model in app["models"]}
        sections = [
            _section(name, [models.pop(label) for label in labels if label in models]) for name, labels in _SECTIONS
        ]
        return [
            section for section in [*sections, _section(_("Technical"), list(models.values()))] if section["models"]
        ]


def _section(name: Any, models: list[Any]) -> dict[str, Any]:
    """As Django's templates want an app."""
    return {"name": name, "app_label": slugify(name), "app_url": "", "has_module_perms": True, "models": models}
