"""The form of a dish's page, which POSTs to the cart: the dish with its options, how many, and a note.

Radio buttons need a name for each group, so options come as `options` and as `options.<group>`.
"""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from restaurant.errors import ItemUnavailable, MenuItemUnknown, SoldOut
from restaurant.menu.views import allergies
from restaurant.ordering import models, queries
from restaurant.ordering.serializers.cart import CartAddition
from restaurant.ordering.services import cart
from restaurant.ordering.views import dish, guests
from restaurant.tables import queries as tables_queries
from web.fields import FormText
from web.views import Page


@dataclass(frozen=True, slots=True)
class Sent:
    """The form's fields as they came."""

    item_id: str
    options: list[str]
    quantity: str
    note: str
    replaces: str  # the line of the cart that is changed; empty to add

    @classmethod
    def of(cls, form: QueryDict) -> "Sent":
        options = [
            each.lower()
            for name in form
            if name == "options" or name.startswith("options.")
            for each in form.getlist(name)
            if each
        ]
        # Browsers send a line break as two characters, and count it as one.
        note = form.get("specialInstructions", "").replace("\r\n", "\n").strip().replace("\0", "")
        item_id = form.get("menuItemId", "").lower()
        return cls(item_id, options, form.get("quantity") or "1", note, form.get("replaces", ""))


def is_sent(form: QueryDict) -> bool:
    return form.get("addDish") == "1"


def save(form: QueryDict, session: models.TableSession, guest: str) -> str:
    """Put the dish into the cart; return the page to show next.

    Raises ValidationError, SessionEnded, SoldOut, OptionsRefused, CartFull.
    """
    sent = Sent.of(form)
    entry = _entry(sent)
    number = session.table.table_number
    try:
        if sent.replaces:
            item_id, *options = sent.replaces.split(",")
            line = cart.Entry(item_id, options=tuple(each.lower() for each in options))
            cart.replace_line(session=session, guest=guest, line=line, entry=entry)
            return f"/table/{number}/cart"
        cart.add(session=session, guest=guest, entry=entry)
    except ItemUnavailable as error:
        raise SoldOut from error
    return f"/table/{number}?from=cart#item-{sent.item_id}"


def _entry(sent: Sent) -> cart.Entry:
    """Raises ValidationError."""
    body = CartAddition(
        data={
            "menuItemId": sent.item_id,
            "quantity": FormText(sent.quantity),
            "specialInstructions": sent.note,
            "options": sent.options,
        }
    )
    body.is_valid(raise_exception=True)
    values: dict[str, Any] = body.validated_data
    return cart.Entry(values["menuItemId"], values["quantity"], values["specialInstructions"], tuple(values["options"]))


def error_page(request: Request, table_number: str) -> Page | None:
    """The dish's page again with what was entered; None if this is not its form, or dish or session are unknown."""
    form = request.data
    if not isinstance(form, QueryDict) or not is_sent(form):
        return None
    number = tables_queries.table_number(table_number)
    session = queries.find_session(number, request.COOKIES.get(guests.SESSION_COOKIE), follow=True)
    if session is None:
        return None
    sent = Sent.of(form)
    try:
        shown = queries.dish_at_table(sent.item_id, session.table, session)
    except MenuItemUnknown:
        return None
    quantity = int(sent.quantity) if sent.quantity.isascii() and sent.quantity.isdigit() else 1
    entered = dish.Entered(tuple(sent.options), quantity, sent.note, sent.replaces)
    context = dish.page_context(shown, entered, allergies.allergies_of(request), is_refused=True)
    return Page("restaurant/ordering/dish.html", context)
