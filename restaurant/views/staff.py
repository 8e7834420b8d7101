"""Which members of staff a restaurant's view may show more to, or let do more."""

from rest_framework.request import Request

WORK_KITCHEN = "restaurant.work_kitchen"
CLOSE_SESSION = "restaurant.close_session"  # the floor: approving, calls, moves, orders for guests
TAKE_PAYMENT = "restaurant.take_payment"
VOID_PAYMENT = "restaurant.void_payment"


def may(request: Request, *permissions: str) -> bool:
    """Whether the caller has one of these."""
    return any(request.user.has_perm(each) for each in permissions)


def name_of(request: Request) -> str:
    return str(request.user.get_username())
