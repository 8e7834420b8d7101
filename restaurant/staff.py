"""The permissions of a restaurant's staff, and the pages that their forms lead back to."""

import re

from rest_framework.request import Request

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
