"""The page on which staff take orders for guests. Its form is sent to `POST /table/{tableNumber}/order`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.errors import (
    ItemUnavailable,
    OptionsRefused,
    OrderUnknown,
    SessionEnded,
    SoldOut,
    TableUnknown,
    TooFewPortions,
)
from restaurant.menu import models as menu_models
from restaurant.menu import queries as menu_queries
from restaurant.ordering import models, queries
from restaurant.ordering.serializers.table_menu import TableMenu
from restaurant.ordering.services.cart import MAX_NOTE, MAX_QUANTITY
from restaurant.ordering.views import staff_order_form
from restaurant.ordering.views.staff_order_form import Entered
from restaurant.tables import queries as tables_queries
from web import idempotency
from web.errors import sentence_of
from web.fields import ErrorResponse
from web.forms import body_of
from web.views import Page, PageView

TEMPLATE = "restaurant/ordering/staff_order.html"


class OrderOfStaff(PageView):
    """`GET /floor/tables/{tableNumber}/order`: the menu, to take an order. It opens no session and counts no scan."""

    access = staff.CLOSE_SESSION
    template_name = TEMPLATE

    @extend_schema(responses={200: TableMenu, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        data, self.beside = _data_of(tables_queries.table_number(table_number))
        return Response(data, headers={"Cache-Control": "private, no-store"})

    @extend_schema(request=None, responses={200: TableMenu, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def post(self, request: Request, table_number: str) -> Response:
        """The page again with what was entered: a step of its form without JavaScript, which orders nothing."""
        return self.get(request, table_number)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        """`?again=` is the id of an order of this party, which the page then has once more."""
        form = form_of(self.request)
        order = self._order_again()
        entered = staff_order_form.again(order) if order else staff_order_form.entered(form)
        shown = page_context(data, entered, form, self.beside)
        return {**shown, "gone": menu_queries.item_names(_missing(data, entered))} if order else shown

    def _order_again(self) -> models.Order | None:
        try:
            order = queries.order(self.request.query_params.get("again", ""))
        except OrderUnknown:
            return None
        return order if self.beside.session and order.session_id == self.beside.session.pk else None


@dataclass(frozen=True, slots=True)
class Beside:
    """What only the page needs. `sold_out`: names by category; `left`: portions by item, where they are counted."""

    sold_out: dict[str, list[str]]
    left: dict[str, int]
    session: models.TableSession | None

    def had(self, menu: dict[str, Any]) -> set[str]:
        """The ids of what is on the menu and this table has ordered before."""
        if self.session is None or not self.session.total_orders:
            return set()
        return queries.items_had(self.session).intersection(item["id"] for items in menu.values() for item in items)


def _data_of(number: int) -> tuple[dict[str, Any], Beside]:
    """As `TableMenu` describes it. Raises TableUnknown."""
    table = tables_queries.table(number)
    session = queries.open_session(table)
    state, now = menu_queries.menu_state(), timezone.now()
    data = TableMenu(queries.MenuAtTable(table, session, state, now)).data
    return data, Beside(_sold_out(state, now), menu_queries.portions_left(state), session)


def page_context(data: dict[str, Any], entered: Entered, form: QueryDict, beside: Beside) -> dict[str, Any]:
    """`form`: what was sent, with the button's name."""
    details = form.get("step") == "details"
    sections = staff_order_form.sections(data["menu"], entered, only_chosen=details, another=form.get("another", ""))
    if not details:
        sections = staff_order_form.with_sold_out(sections, beside.sold_out)
    groups = {
        group["id"]: group for items in data["menu"].values() for item in items for group in item.get("options", ())
    }
    return {
        "sections": sections,
        "had": set() if details else beside.had(data["menu"]),
        "left": {} if details else beside.left,
        "covers": beside.session.covers if beside.session else None,
        "has_menu": bool(data["menu"]),
        "details": details,
        "groups": [] if details else list(groups.values()),
        "allergies": [(value, label, value in entered.allergies) for value, label in menu_models.Allergen.choices],
        "told": entered.allergies,
        # What the page's script fills in.
        "blank": {"number": "{number}", "quantity": "1", "name": "{name}", "id": "{id}"},
        "most": MAX_QUANTITY,
        "longest_note": MAX_NOTE,
        # For the order that this page may place: sent twice, it is one order.
        "idempotency_key": form.get("idempotencyKey") or idempotency.new_key(),
    }


def _sold_out(state: menu_queries.MenuState, now: datetime) -> dict[str, list[str]]:
    """The names of dishes that are off, by category, in the menu's order of categories."""
    off: dict[str, list[str]] = {section.name: [] for section in state.catalogue.sections}
    for item in menu_queries.sold_out_items(state, now):
        off.setdefault(item.category_name, []).append(item.name)
    return {category: names for category, names in off.items() if names}


def _missing(data: dict[str, Any], entered: Entered) -> list[str]:
    """The ids of what was entered and is not on the menu."""
    offered = {item["id"] for items in data["menu"].values() for item in items}
    return [item_id for item_id in entered.item_ids if item_id not in offered]


def error_page(request: Request, table_number: str, error: dict[str, Any]) -> Page | None:
    """The page again, with what was entered. What has sold out meanwhile is not on the menu any more."""
    if not staff.may(request, staff.CLOSE_SESSION):
        return None
    try:
        data, beside = _data_of(tables_queries.table_number(table_number))
    except TableUnknown:
        return None
    form = form_of(request).copy()
    form.pop("idempotencyKey", None)
    entered = staff_order_form.entered(form)
    dishes = {item["id"]: item for items in data["menu"].values() for item in items}
    gone = _missing(data, entered)
    if any(dishes[each].get("options") for each in entered.simple if each in dishes):
        form["step"] = "details"  # a form without JavaScript, which asks for choices by a page of their own
    shown = {**data, **page_context(data, entered, form, beside)}
    return Page(TEMPLATE, {**shown, "wrong": sentence_of(error), "gone": menu_queries.item_names(gone)})


# --- the form -----------------------------------------------------------------------------------------


def is_form(request: Request) -> bool:
    """Whether this page's form was sent, which has a field of its own to say so."""
    return isinstance(request.data, QueryDict) and "takenByStaff" in request.data


def form_of(request: Request) -> QueryDict:
    """Empty where no form was sent."""
    return request.data if isinstance(request.data, QueryDict) else QueryDict()


def require_staff(request: Request) -> None:
    """Raises NotAuthenticated, PermissionDenied."""
    if not staff.may(request, staff.CLOSE_SESSION):
        raise PermissionDenied if request.user.is_authenticated else NotAuthenticated


def order_body(request: Request) -> dict[str, Any]:
    """As JSON would have it: the entries of which there are more than 0."""
    entered = staff_order_form.entered(form_of(request))
    session_id = body_of(request).get("sessionId")
    return {
        "items": staff_order_form.items(entered),
        "allergies": entered.allergies,
        **({"sessionId": session_id} if session_id else {}),
    }


@contextmanager
def worded_for_staff() -> Iterator[None]:
    """Refusals whose sentences speak to guests, or to programs, speak to the waiter."""
    try:
        yield
    except ItemUnavailable as error:
        name = error.name or _("A dish")
        raise SoldOut(_("%(dish)s has just sold out. Nothing was sent yet.") % {"dish": name}) from error
    except (OptionsRefused, TooFewPortions) as error:
        error.detail = ErrorDetail(f"{error.for_people} {_('Nothing was sent yet.')}", error.default_code)
        raise
    except SessionEnded as error:
        raise SessionEnded(
            _("This table was closed meanwhile, and nothing was sent. Sent again, the order begins a new bill.")
        ) from error
