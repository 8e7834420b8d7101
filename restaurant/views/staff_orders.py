"""The page on which staff take orders for guests. Its form is sent to `POST /table/{tableNumber}/order`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.errors import ItemUnavailable, SessionEnded, SoldOut, TableUnknown
from restaurant.serializers.menu import TableMenu
from restaurant.serializers.sessions import SessionSummary
from restaurant.serializers.tables import TableSummary
from restaurant.services.cart import MAX_NOTE, MAX_QUANTITY
from restaurant.views import staff
from restaurant.views.menu import records
from web import idempotency
from web.errors import sentence_of
from web.fields import ErrorResponse, FormText
from web.forms import body_of
from web.views import Page, PageView

TEMPLATE = "restaurant/staff_order.html"


class OrderOfStaff(PageView):
    """`GET /floor/tables/{tableNumber}/order`: the menu, to take an order. It opens no session and counts no scan."""

    access = staff.CLOSE_SESSION
    template_name = TEMPLATE

    @extend_schema(responses={200: TableMenu, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        data = _data_of(queries.table_number(table_number))
        return Response(data, headers={"Cache-Control": "private, no-store"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return page_context(data, {})


def _data_of(number: int) -> dict[str, Any]:
    """As `TableMenu` describes it. Raises TableUnknown."""
    table = queries.table(number)
    session = queries.open_session(table)
    return {
        "table": TableSummary(table).data,
        "session": SessionSummary(session).data if session else None,
        "menu": records(queries.menu_state(), timezone.now()),
    }


def page_context(data: dict[str, Any], entered: dict[str, dict[str, str]]) -> dict[str, Any]:
    """`entered`: quantity and note by item id."""
    sections = [
        {"category": category, "dishes": [{**item, **entered.get(item["id"], {})} for item in items]}
        for category, items in data["menu"].items()
    ]
    return {
        "sections": sections,
        "most": MAX_QUANTITY,
        "longest_note": MAX_NOTE,
        # For the order that this page may place: sent twice, it is one order.
        "idempotency_key": idempotency.new_key(),
    }


def error_page(request: Request, table_number: str, error: dict[str, Any]) -> Page | None:
    """The page again, with what was entered. What has sold out meanwhile is not on the menu any more."""
    if not staff.may(request, staff.CLOSE_SESSION):
        return None
    try:
        data = _data_of(queries.table_number(table_number))
    except TableUnknown:
        return None
    entered = _entered(request.data)
    on_menu = {item["id"] for items in data["menu"].values() for item in items}
    gone = [item_id for item_id in entered if item_id not in on_menu]
    shown = {**data, **page_context(data, entered)}
    return Page(TEMPLATE, {**shown, "wrong": sentence_of(error), "gone": queries.item_names(gone)})


# --- the form -----------------------------------------------------------------------------------------


def is_form(request: Request) -> bool:
    """Whether this page's form was sent, which has a field of its own to say so."""
    return isinstance(request.data, QueryDict) and "takenByStaff" in request.data


def require_staff(request: Request) -> None:
    """Raises NotAuthenticated, PermissionDenied."""
    if not staff.may(request, staff.CLOSE_SESSION):
        raise PermissionDenied if request.user.is_authenticated else NotAuthenticated


def order_body(request: Request) -> dict[str, Any]:
    """As JSON would have it: the items of which there are more than 0."""
    items = [
        {"menuItemId": item_id, "quantity": FormText(each["quantity"]), "specialInstructions": each["note"]}
        for item_id, each in _entered(request.data).items()
    ]
    session_id = body_of(request).get("sessionId")
    return {"items": items, **({"sessionId": session_id} if session_id else {})}


def _entered(form: Any) -> dict[str, dict[str, str]]:
    """Quantity and note by item id, without the items that were left at 0."""
    found = {}
    for name, text in form.items():
        quantity = str(text).strip()
        if name.startswith("quantity-") and not re.fullmatch("0*", quantity):
            item_id = name.removeprefix("quantity-")
            # Browsers send a line break as two characters, and count it as one.
            note = str(form.get(f"note-{item_id}", "")).replace("\r\n", "\n")
            found[item_id] = {"quantity": quantity, "note": note}
    return found


@contextmanager
def worded_for_staff() -> Iterator[None]:
    """Refusals whose sentences speak to guests, or to programs, speak to the waiter."""
    try:
        yield
    except ItemUnavailable as error:
        name = error.name or _("A dish")
        raise SoldOut(_("%(dish)s has just sold out. Nothing was sent yet.") % {"dish": name}) from error
    except SessionEnded as error:
        raise SessionEnded(
            _("This table was closed meanwhile, and nothing was sent. Sent again, the order begins a new bill.")
        ) from error
