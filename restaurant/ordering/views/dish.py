"""`GET /table/{n}/dishes/{itemId}`: a dish of the menu, and the form that puts it into the cart.

Looking at it opens no session. `?line=<item,option,…>` shows a line of the phone's cart, to be changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from restaurant.errors import ItemUnavailable, MenuItemUnknown, SoldOut, clock_time
from restaurant.menu.queries import Choice, Dish, Group
from restaurant.menu.views import allergies, declarations, menu_sections
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries.carts import cart_line
from restaurant.ordering.queries.table_menu import DishAtTable, dish_at_table
from restaurant.ordering.serializers.cart import CartAddition, chosen_options
from restaurant.ordering.serializers.table_menu import TableDish
from restaurant.ordering.services import cart
from restaurant.ordering.services.cart import MAX_NOTE, MAX_QUANTITY
from restaurant.ordering.views import guests, suggestions
from restaurant.tables import queries as tables_queries
from web.fields import ErrorResponse
from web.formats import listed
from web.forms import is_page, valid
from web.money import NOTHING
from web.permissions import PUBLIC
from web.views import ObjectResponse, Page, PageView


@dataclass(frozen=True, slots=True)
class Entered:
    """The form's values. `replaces` names the line of the cart that is changed; it is empty to add the dish."""

    options: tuple[str, ...] = ()
    quantity: int = 1
    note: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceOnPage:
    choice: Choice
    is_chosen: bool
    allergens: str  # the sentence about what it contains, unless the warning is the same
    warning: str  # the sentence about allergens that the guest goes without, declared or not
    is_conflict: bool  # True where it is known to contain one


@dataclass(frozen=True, slots=True)
class GroupOnPage:
    group: Group
    choices: list[ChoiceOnPage]
    notice: str  # that nothing is declared of any choice
    error: str

    @property
    def is_one(self) -> bool:
        """True where exactly one is to be chosen, by radio buttons."""
        return self.group.min == self.group.max == 1

    @property
    def rule(self) -> str:
        """The number to choose, such as `Choose 2`."""
        bounds = {"low": self.group.min, "high": self.group.max}
        if self.group.min == self.group.max:
            return _("Choose %(low)d") % bounds
        if self.group.min:
            return _("Choose %(low)d to %(high)d") % bounds
        return _("Choose up to %(high)d") % bounds if self.group.max < len(self.group.choices) else _("As you like")

    @property
    def prompt(self) -> str:
        """The button's label until enough is chosen; beside a quantity a mere `Choose 1` would read as one."""
        if not self.group.name.endswith("?"):
            return _("Choose: %(group)s") % {"group": self.group.name}
        return ngettext("Make your choice", "Make %(low)d choices", self.group.min) % {"low": self.group.min}


def page_context(
    at_table: DishAtTable, entered: Entered, without: Sequence[str], *, is_refused: bool = False
) -> dict[str, Any]:
    item, declared = at_table.dish.item, at_table.dish.item.declaration
    groups = [_group(group, entered, without, is_refused) for group in at_table.dish.groups]
    quantity = min(max(entered.quantity, 1), MAX_QUANTITY)
    chosen = [option.choice for group in groups for option in group.choices if option.is_chosen]
    not_now = _not_now(at_table)
    return {
        "table": at_table.table,
        "item": item,
        "picture": menu_sections.large_picture(item),
        "diet": declarations.diet(item.diet),
        "is_declared": declared.is_declared,
        "contains": declarations.names(declared.contains),
        "may_contain": declarations.names(declared.may_contain),
        "free": declarations.names(declared.free),
        "free_count": len(declared.free),
        "not_declared": declarations.names(declared.not_declared),
        "groups": groups,
        "is_short": any(group.error for group in groups),
        "unavailable": _unavailable(at_table.dish, entered, {choice.id for choice in chosen}),
        "why_apart": declarations.why_apart(at_table.dish, without),
        "without": declarations.names(without),
        "entered": entered,
        "quantity": quantity,
        "max_quantity": MAX_QUANTITY,
        "max_note": MAX_NOTE,
        "total": (item.price + sum((choice.price for choice in chosen), NOTHING)) * quantity,
        "suggestions": suggestions.beside_dish(at_table.menu.catalogue, item, at_table.now, without),
        "may_add": at_table.session is not None and not at_table.closed_until,
        "not_now": not_now,
        "can_add": at_table.session is not None and not not_now,
    }


def _unavailable(dish: Dish, entered: Entered, on_menu: set[str]) -> str:
    """The names of chosen options that can't be had any more."""
    every = [choice for group in dish.groups for choice in group.all_choices]
    return listed(choice.local_name for choice in every if choice.id in entered.options and choice.id not in on_menu)


def _not_now(at_table: DishAtTable) -> str:
    """The reason why nobody can order it at the moment; empty if guests can."""
    if not at_table.dish.is_available_at(at_table.now):
        return _("Sold out at the moment")
    if pause := at_table.menu.catalogue.paused_until(at_table.dish.item, at_table.now):
        return _("To be had again at %(time)s") % {"time": clock_time(pause)}
    if not at_table.is_offered:
        category = at_table.menu.catalogue.category(at_table.dish.item)
        hours = {"category": category.local_name, "hours": menu_sections.hours(category.window)}
        return _("Not now: %(category)s · %(hours)s") % hours
    until = at_table.closed_until
    return _("We take orders again at %(time)s") % {"time": clock_time(until)} if until else ""


def _group(group: Group, entered: Entered, without: Sequence[str], is_refused: bool) -> GroupOnPage:
    lines = declarations.summaries_of_choices(group.choices)
    is_silent = not any(choice.declaration.is_declared for choice in group.choices)
    choices = [
        _choice(choice, entered, [] if is_silent else without, line)
        for choice, line in zip(group.choices, lines, strict=True)
    ]
    count = sum(choice.is_chosen for choice in choices)
    is_wrong = is_refused and not group.min <= count <= group.max
    notice = _("The allergens of these are not declared – please ask.") if is_silent and without else ""
    return GroupOnPage(group, choices, notice, _error(group, count) if is_wrong else "")


def _choice(choice: Choice, entered: Entered, without: Sequence[str], line: str) -> ChoiceOnPage:
    """`line` is its summary of `declarations.summaries_of_choices`; what a warning says already isn't repeated."""
    conflict = declarations.Conflict.of(choice.allergens, without)
    sentence = declarations.summary(choice.allergens) if conflict.sentence else line
    allergens = sentence if sentence != conflict.sentence else ""
    return ChoiceOnPage(choice, choice.id in entered.options, allergens, conflict.sentence, conflict.is_known)


def _error(group: Group, count: int) -> str:
    if group.min == group.max == 1:
        return _("Please choose one.")
    if count < group.min:
        return _("Please choose %(number)d more.") % {"number": group.min - count}
    return _("Please choose at most %(high)d.") % {"high": group.max}


class DishPage(PageView):
    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/ordering/dish.html"

    @extend_schema(responses={200: TableDish, 404: ErrorResponse})
    def get(self, request: Request, table_number: str, item_id: str) -> HttpResponse:
        number = tables_queries.parse_table_number(table_number)
        session = guests.own_session(request, number)
        if session is not None and session.table.table_number != number and is_page(request):
            return guests.lead_to(request, session, f"/table/{session.table.table_number}/dishes/{item_id}")
        table = session.table if session is not None else tables_queries.table(number)
        response = ObjectResponse(TableDish(dish_at_table(item_id, table, session)))
        patch_vary_headers(response, ["Cookie"])
        return response

    def page_context(self, at_table: DishAtTable) -> dict[str, Any]:
        context = page_context(at_table, self._entered(at_table), allergies.allergies_of(self.request))
        return {**context, "added": self.request.query_params.get("added")}

    def _entered(self, at_table: DishAtTable) -> Entered:
        """The line of the cart that `?line=` names."""
        name = self.request.query_params.get("line", "")
        item_id, *options = name.lower().split(",")
        if at_table.session is None or item_id != str(at_table.dish.item.pk):
            return Entered()
        line = cart_line(at_table.session, guests.guest_of(self.request), item_id, options)
        if line is None:
            return Entered(tuple(options))
        return Entered(tuple(options), line.quantity, line.special_instructions, ",".join([item_id, *sorted(options)]))


# --- the form, which POSTs to the cart ----------------------------------------------------------------


def is_form(form: QueryDict) -> bool:
    return form.get("addDish") == "1"


def save_form(form: QueryDict, session: TableSession, guest: str) -> str:
    """Put the dish into the cart; return the page to show next.

    Raises ValidationError, SessionEnded, SoldOut, OptionsRefused, CartFull.
    """
    values = valid(CartAddition(data=form))
    entry: cart.Entry = values["entry"]
    number = session.table.table_number
    try:
        if replaces := form.get("replaces"):
            item_id, *options = replaces.lower().split(",")
            line = cart.Entry(item_id, options=tuple(options))
            cart.replace_line(session=session, guest=guest, line=line, entry=entry)
            return f"/table/{number}/cart"
        cart.add(session=session, guest=guest, entry=entry)
    except ItemUnavailable as error:
        raise SoldOut from error
    return f"/table/{number}?from=cart#item-{entry.menu_item_id.lower()}"


def error_page(request: Request, table_number: str) -> Page | None:
    """The dish's page again with what was entered; None if this is not its form, or dish or session are unknown."""
    form = request.data
    if not isinstance(form, QueryDict) or not is_form(form):
        return None
    number = tables_queries.parse_table_number(table_number)
    session = guests.own_session(request, number)
    if session is None:
        return None
    try:
        at_table = dish_at_table(form.get("menuItemId", ""), session.table, session)
    except MenuItemUnknown:
        return None
    quantity = form.get("quantity", "")
    entered = Entered(
        options=tuple(chosen_options(form)),
        quantity=int(quantity) if quantity.isascii() and quantity.isdigit() else 1,
        note=form.get("specialInstructions", "").strip(),
        replaces=form.get("replaces", ""),
    )
    context = page_context(at_table, entered, allergies.allergies_of(request), is_refused=True)
    return Page(DishPage.template_name, context)
