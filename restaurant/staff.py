"""The permissions of a restaurant's staff, and the pages that their forms lead back to."""

import re
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from restaurant.errors import WrongApprover
from web.errors import PasswordNeeded
from web.fields import Text
from web.forms import form_fields
from web.views import Page

WORK_KITCHEN = "restaurant.work_kitchen"
CLOSE_SESSION = "restaurant.close_session"  # the floor: approving, calls, moves, orders for guests
TAKE_PAYMENT = "restaurant.take_payment"
ADJUST_BILL = "restaurant.adjust_bill"  # beyond what `OrderingRules.discount_up_to` allows all staff; refunds
WORK_DRAWER = "restaurant.work_drawer"  # opening, counting and closing cash drawers
VOID_PAYMENT = "restaurant.void_payment"
VALIDATE_REDEMPTION = "loyalty.validate_redemption"
CHANGE_ITEM = "restaurant.change_menuitem"
CHANGE_TABLE = "restaurant.change_table"
ADD_TABLE = "restaurant.add_table"

# The pages that a form may name as the one it was sent from.
_OWN_PAGE = re.compile(
    r"/kitchen(/[a-z0-9-]{1,50})?|/floor(\?section=[\w.~%+-]{1,400})?|/floor/tables/[0-9]{1,5}(\?sessionId=[0-9a-f-]{36})?"
    r"|/menu/availability|/orders/earlier|/",
    re.ASCII,
)


def may(request: Request, *permissions: str) -> bool:
    """True if the caller has one of these permissions."""
    return any(map(request.user.has_perm, permissions))


def name_of(request: Request) -> str:
    return str(request.user.get_username())


def own_page(path: str) -> str:
    """The path if it is one of the kitchen's or the floor's pages, or the front page; empty for any other."""
    return path if _OWN_PAGE.fullmatch(path) else ""


def page_before(request: Request, default: str) -> str:
    """The page for the browser after a form: the one that its field `next` names, or the default."""
    return own_page((form_fields(request) or {}).get("next", "")) or default


def refused(request: Request, default: str) -> Page:
    """The page of a refused form, which leads back to where it was sent from."""
    return Page("restaurant/refused.html", {"back": page_before(request, default)})


# --- what a manager approves on a waiter's device ---------------------------------------------------------


class ApprovableBody(serializers.Serializer):
    """With a manager's name and password it is the manager who does it, and the note says who asked."""

    note = Text(max_length=200, allow_blank=True, allow_null=True, required=False, default="")
    approverName = Text(max_length=150, allow_blank=True, required=False, default="")
    approverPassword = Text(max_length=4096, allow_blank=True, required=False, default="", trim_whitespace=False)


def ask_for_password(request: Request) -> None:
    """Raise PasswordNeeded for who has signed in with a PIN, unless somebody's password is in the body."""
    names_approver = isinstance(request.data, Mapping) and request.data.get("approverName")
    if getattr(request.user, "asks_for_password", False) and not names_approver:
        raise PasswordNeeded


def answering(request: Request, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of an `ApprovableBody` for a service: `user` is who answers for it, and `note`.

    Wrong passwords count as failed sign-ins. Raises WrongApprover.
    """
    name, password = values.pop("approverName"), values.pop("approverPassword")
    note = values.pop("note") or ""
    if not name:
        return {**values, "user": request.user, "note": note}
    user = authenticate(request._request, username=name, password=password)
    if user is None or hasattr(user, "temporary_password"):  # which somebody else knows
        raise WrongApprover
    asked = _("(asked by %(name)s)") % {"name": name_of(request)}
    return {**values, "user": user, "note": f"{note[: 199 - len(asked)]} {asked}".strip()}
