"""The page on which staff take orders for guests. Its form is sent to `POST /table/{tableNumber}/order`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
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
from restaurant.menu import queries as menu_queries
from restaurant.menu.models import Allergen, MenuItem
from restaurant.ordering.models import Order, TableSession
from restaurant.ordering.queries.orders import items_had, order_by_id
from restaurant.ordering.queries.sessions import open_session
from restaurant.ordering.queries.table_menu import MenuAtTable
from restaurant.ordering.serializers.table_menu import TableMenu
from restaurant.ordering.services.cart import MAX_NOTE, MAX_QUANTITY
from restaurant.ordering.views import staff_order_form
from restaurant.ordering.views.staff_order_form import Entered, Line
from restaurant.tables import queries as tables_queries
from web import idempotency
from web.errors import sentence_of
from web.fields import ErrorResponse
from web.views import ObjectResponse, Page, PageView

TEMPLATE = "restaurant/ordering/staff_order.html"
COURSES = 3  # that are offered where no category has a later one


class OrderOfStaff(PageView):
    """`GET /floor/tables/{tableNumber}/order`: the menu, to take an order. It opens no session and counts no scan."""

    access = staff.CLOSE_SESSION
    template_name = TEMPLATE

    @extend_schema(responses={200: TableMenu, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        menu = TableMenu(_menu(tables_queries.parse_table_number(table_number)))
        return ObjectResponse(menu, headers={"Cache-Control": "private, no-store"})

    @extend_schema(request=None, responses={200: TableMenu, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def post(self, request: Request, table_number: str) -> Response:
        """The page again with what was entered: a step of its form without JavaScript, which orders nothing."""
        return self.get(request, table_number)

    def page_context(self, menu: MenuAtTable) -> dict[str, Any]:
        """`?again=` is the id of an order of this party, which the page then has once more."""
        form = form_of(self.request)
        order = self._order_again(menu.session)
        if order is None:
            return page_context(menu, staff_order_form.entered(form), form)
        again = staff_order_form.again(order)
        return {**page_context(menu, again, form), "unavailable": _unavailable(menu, again)}

    def _order_again(self, session: TableSession | None) -> Order | None:
        try:
            order = order_by_id(self.request.query_params.get("again", ""))
        except OrderUnknown:
            return None
        return order if session and order.session_id == session.pk else None


def _menu(number: int) -> MenuAtTable:
    """Raises TableUnknown."""
    table = tables_queries.table(number)
    return MenuAtTable(table, open_session(table), menu_queries.menu_state(), timezone.now())


@dataclass(frozen=True, slots=True)
class DishOnPage:
    """A dish with what was entered of it. `left` are its portions, where they are counted."""

    item: MenuItem
    groups: Sequence[menu_queries.Group]
    lines: Sequence[Line]
    was_had: bool  # by this party
    course: int  # of its category; 0: at once
    left: int | None


@dataclass(frozen=True, slots=True)
class SectionOnPage:
    """A category of the menu. `sold_out` are the names of dishes, so that nobody looks in vain for what guests want."""

    category: str
    dishes: Sequence[DishOnPage]
    sold_out: Sequence[str] = ()


def page_context(menu: MenuAtTable, entered: Entered, form: QueryDict) -> dict[str, Any]:
    """The context of the page. `form` is the one that was sent, with the name of its button."""
    details = form.get("step") == "details"
    sections = _sections(menu, entered, form.get("another", ""))
    dishes = [dish for section in sections for dish in section.dishes]
    groups = {group.id: group for dish in dishes for group in dish.groups}
    return {
        "table": menu.table,
        "session": menu.session,
        "sections": _chosen_dishes(sections) if details else _with_sold_out(sections, menu),
        "has_had": any(dish.was_had for dish in dishes),
        "covers": menu.session.covers if menu.session else None,
        "courses": range(1, max([COURSES, *(dish.course for dish in dishes)]) + 1),
        "later": "later" in form,
        "has_menu": bool(dishes),
        "details": details,
        "groups": [] if details else list(groups.values()),
        "allergies": [(value, label, value in entered.allergies) for value, label in Allergen.choices],
        "noted_allergies": entered.allergies,
        # What the page's script fills in.
        "blank": {"number": "{number}", "quantity": "1", "name": "{name}", "pk": "{id}"},
        "max_quantity": MAX_QUANTITY,
        "max_note": MAX_NOTE,
        # For the order that this page may place: sent twice, it is one order.
        "idempotency_key": form.get("idempotencyKey") or idempotency.new_key(),
    }


def _sections(menu: MenuAtTable, entered: Entered, another: str) -> list[SectionOnPage]:
    """The menu with what was entered. `another` is the id of a dish that gets one more variant."""
    had = items_had(menu.session) if menu.session and menu.session.total_orders else set()
    left = menu_queries.portions_left(menu.state)
    numbers = count(max((line.number for line in entered.lines if line.number is not None), default=-1) + 1)
    sections = []
    for section, dishes in menu.state.catalogue.offered(menu.now, by_staff=True):
        shown = []
        for dish in dishes:
            item_id = str(dish.item.pk)
            lines = _lines_of(dish, entered, numbers, with_another=another == item_id)
            course = section.category.course or 0
            shown.append(DishOnPage(dish.item, dish.groups, lines, item_id in had, course, left.get(item_id)))
        sections.append(SectionOnPage(section.name, shown))
    return sections


def _lines_of(dish: menu_queries.Dish, entered: Entered, numbers: Iterator[int], *, with_another: bool) -> list[Line]:
    """The dish's lines. `numbers` are for variants that have none yet."""
    item_id = str(dish.item.pk)
    lines = [line for line in entered.lines if line.item_id == item_id]
    simple, variants = ([line for line in lines if (line.number is None) is none] for none in (True, False))
    if not dish.groups:
        return simple
    added = [*simple, Line(item_id, "1")] if with_another else simple
    return [*variants, *(replace(line, number=next(numbers)) for line in added)]


def _chosen_dishes(sections: Sequence[SectionOnPage]) -> list[SectionOnPage]:
    chosen = [replace(section, dishes=[dish for dish in section.dishes if dish.lines]) for section in sections]
    return [section for section in chosen if section.dishes]


def _with_sold_out(sections: Sequence[SectionOnPage], menu: MenuAtTable) -> list[SectionOnPage]:
    """The sections with their sold-out dishes, and after them the categories that are sold out completely."""
    off: dict[str, list[str]] = {}
    for item in menu_queries.sold_out_items(menu.state, menu.now):
        off.setdefault(item.category_name, []).append(item.name)
    shown = [replace(section, sold_out=off.pop(section.category, ())) for section in sections]
    others = [section.name for section in menu.state.catalogue.sections if section.name in off]
    return shown + [SectionOnPage(name, (), off[name]) for name in others]


def _unavailable(menu: MenuAtTable, entered: Entered) -> list[str]:
    """The names of dishes that were entered and are not on the menu any more."""
    sections = menu.state.catalogue.offered(menu.now, by_staff=True)
    offered = {str(dish.item.pk) for _section, dishes in sections for dish in dishes}
    return menu_queries.item_names({line.item_id for line in entered.lines} - offered)


def error_page(request: Request, table_number: str, error: dict[str, Any]) -> Page | None:
    """The page again, with what was entered. Dishes that have sold out meanwhile are not on the menu any more."""
    if not staff.may(request, staff.CLOSE_SESSION):
        return None
    try:
        menu = _menu(tables_queries.parse_table_number(table_number))
    except TableUnknown:
        return None
    form = form_of(request).copy()
    form.pop("idempotencyKey", None)
    entered = staff_order_form.entered(form)
    varied = {item_id for item_id, dish in menu.state.catalogue.dishes.items() if dish.groups}
    if any(line.item_id in varied for line in entered.lines if line.number is None):
        form["step"] = "details"  # a form without JavaScript, which asks for choices by a page of their own
    context = page_context(menu, entered, form)
    return Page(TEMPLATE, {**context, "sentence": sentence_of(error), "unavailable": _unavailable(menu, entered)})


# --- the form -----------------------------------------------------------------------------------------


def is_form(request: Request) -> bool:
    """True if this page's form was sent, which has a field of its own to say so."""
    return isinstance(request.data, QueryDict) and "takenByStaff" in request.data


def form_of(request: Request) -> QueryDict:
    """The form that was sent; empty where none was."""
    return request.data if isinstance(request.data, QueryDict) else QueryDict()


def require_staff(request: Request) -> None:
    """Raises NotAuthenticated, PermissionDenied."""
    if not staff.may(request, staff.CLOSE_SESSION):
        raise PermissionDenied if request.user.is_authenticated else NotAuthenticated


def order_body(request: Request) -> dict[str, Any]:
    """The body of the order in the shape of JSON: the entries of which there are more than 0."""
    entered = staff_order_form.entered(form_of(request))
    session_id = form_of(request).get("sessionId")
    return {
        "items": staff_order_form.items(entered),
        "allergies": entered.allergies,
        "later": "later" in form_of(request),
        **({"sessionId": session_id} if session_id else {}),
    }


@contextmanager
def worded_for_staff() -> Iterator[None]:
    """Reword refusals that speak to guests or to programs, so that they speak to the waiter."""
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
