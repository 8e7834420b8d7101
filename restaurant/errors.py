"""What can be wrong with a request to the restaurant: a status, and a sentence fit for a guest."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException


class RestaurantError(APIException):
    """`extra` is added to the body beside `error`."""

    def __init__(self, sentence: Any = None, **extra: Any) -> None:
        super().__init__(sentence)
        self.extra = extra


class TableUnknown(RestaurantError):
    status_code = 404
    default_detail = _("There is no table with this number.")


class TableNumberTaken(RestaurantError):
    status_code = 409
    default_detail = _("There is a table with this number already.")


class SessionUnknown(RestaurantError):
    status_code = 404
    default_detail = _("This table has no such session. Please scan the code on the table again.")


class SessionEnded(RestaurantError):
    status_code = 409
    default_detail = _("This table's session has ended. Please scan the code on the table again to order.")


class ItemUnavailable(RestaurantError):
    """Document 3: 400, naming the item's id."""

    status_code = 400

    def __init__(self, *, item_id: str, name: str = "") -> None:
        sentence = _("The menu item %(item)s is not available.") % {"item": f"{name} ({item_id})" if name else item_id}
        super().__init__(sentence)


class MenuChanged(RestaurantError):
    """Not all to be had, or not for what the guest saw: how it is now stands in `items` and `total`."""

    status_code = 409
    default_detail = _("The menu has changed since you looked. Please check your order: nothing was ordered yet.")


class TotalTooLarge(RestaurantError):
    status_code = 400
    default_detail = _("An order's total can be at most 99,999,999.99.")


class KeyReused(RestaurantError):
    """Decision 1.7: the same key with another body."""

    status_code = 409
    default_detail = _(
        "This was ordered already, and has been changed since. It was not ordered again;"
        " to do that, please place it anew."
    )


class OrderUnknown(RestaurantError):
    status_code = 404
    default_detail = _("There is no such order.")
