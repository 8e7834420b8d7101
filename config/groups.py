"""The four staff groups and their permissions.

They are made after every migration and get back permissions that were removed; permissions that an owner adds stay. For
staff who should do less, an owner makes another group.
"""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission

MANAGERS = "Managers"
MANAGE_STAFF = "config.manage_staff"
SET_UP = "config.set_up"

KITCHEN = ["restaurant.work_kitchen"]
CASHIERS = [
    "loyalty.add_member",
    "loyalty.award_points",
    "loyalty.validate_redemption",
    "restaurant.take_payment",
    "restaurant.work_drawer",
]
FLOOR = [
    "loyalty.validate_redemption",
    "restaurant.work_kitchen",
    "restaurant.close_session",
    "restaurant.add_table",
    "restaurant.take_payment",
]
# What somebody who has signed in with a PIN may do at most, whatever an owner has added to the groups.
BY_PIN = frozenset(KITCHEN + CASHIERS + FLOOR)


def _all_of(app: str, *models: str) -> list[str]:
    return [f"{app}.{verb}_{model}" for model in models for verb in ("view", "add", "change", "delete")]


GROUPS: dict[str, list[str]] = {
    "Kitchen": KITCHEN,
    "Cashiers": CASHIERS,
    "Floor": FLOOR,
    MANAGERS: [
        *CASHIERS,
        *FLOOR,
        MANAGE_STAFF,
        SET_UP,
        "config.view_venue",
        "config.add_venue",
        "config.change_venue",
        "loyalty.view_reports",
        "restaurant.view_reports",
        *_all_of("loyalty", "member", "reward", "location"),
        "loyalty.view_programme",
        "loyalty.add_programme",
        "loyalty.change_programme",
        "loyalty.view_pointtransaction",
        "loyalty.reverse_transaction",
        "loyalty.confirm_used",
        "loyalty.view_redemption",
        "loyalty.view_confirmation",
        "loyalty.view_notification",
        *_all_of("restaurant", "menuitem", "category", "optiongroup", "option", "itemoptiongroup", "table"),
        *_all_of("restaurant", "station", "printer", "openinghours", "closedday", "pricerule"),
        "restaurant.view_printjob",
        "restaurant.view_order",
        "restaurant.view_orderchange",
        "restaurant.view_tablesession",
        "restaurant.view_tablecall",
        "restaurant.view_payment",
        "restaurant.void_payment",
        "restaurant.adjust_bill",
        "restaurant.view_adjustment",
        "restaurant.view_refund",
        *_all_of("restaurant", "cashdrawer"),
        "restaurant.view_drawerday",
        "restaurant.view_drawermovement",
        "web.view_journalentry",
        *_all_of("restaurant", "account", "accountant"),
        "restaurant.view_orderingrules",
        "restaurant.change_orderingrules",
        "restaurant.add_orderingrules",
        # A printed code must not vanish by accident: managers switch codes off, and delete none.
        "qrservice.view_code",
        "qrservice.add_code",
        "qrservice.change_code",
        "qrservice.view_scan",
    ],
}


def grant_permissions(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Grant every group its permissions of the app that was just migrated."""
    label = app_config.label
    for group_name, permissions in GROUPS.items():
        codenames = [name.split(".")[1] for name in permissions if name.split(".")[0] == label]
        if not codenames:
            continue
        create_permissions(app_config, verbosity=0, using=using)
        group, _ = Group.objects.using(using).get_or_create(name=group_name)
        granted = Permission.objects.using(using).filter(content_type__app_label=label, codename__in=codenames)
        group.permissions.add(*granted)
