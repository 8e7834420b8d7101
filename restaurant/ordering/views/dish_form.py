"""The form of a dish's page, which POSTs to the cart."""

from django.http import QueryDict
from rest_framework.request import Request

from restaurant.errors import ItemUnavailable, MenuItemUnknown, SoldOut
from restaurant.menu.views import allergies
from restaurant.ordering import models, queries
from restaurant.ordering.serializers.cart import CartAddition, chosen_options
from restaurant.ordering.services import cart
from restaurant.ordering.views import dish, guests
from restaurant.tables import queries as tables_queries
from web.views import Page


def is_sent(form: QueryDict) -> bool:
    return form.get("addDish") == "1"


def save(form: QueryDict, session: models.TableSession, guest: str) -> str:
    """Put the dish into the cart; return the page to show next.

    Raises ValidationError, SessionEnded, SoldOut, OptionsRefused, CartFull.
    """
    body = CartAddition(data=form)
    body.is_valid(raise_exception=True)
    entry: cart.Entry = body.validated_data["entry"]
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
    if not isinstance(form, QueryDict) or not is_sent(form):
        return None
    number = tables_queries.table_number(table_number)
    session = queries.find_session(number, request.COOKIES.get(guests.SESSION_COOKIE), follow=True)
    if session is None:
        return None
    try:
        shown = queries.dish_at_table(form.get("menuItemId", ""), session.table, session)
    except MenuItemUnknown:
        return None
    quantity, note = form.get("quantity", ""), form.get("specialInstructions", "").strip()
    entered = dish.Entered(
        options=tuple(chosen_options(form)),
        quantity=int(quantity) if quantity.isascii() and quantity.isdigit() else 1,
        note=note,
        replaces=form.get("replaces", ""),
    )
    context = dish.page_context(shown, entered, allergies.allergies_of(request), is_refused=True)
    return Page("restaurant/ordering/dish.html", context)
