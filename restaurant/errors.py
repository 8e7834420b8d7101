"""What can be wrong with a request to the restaurant: a status, and a sentence that a guest may read."""

from collections.abc import Sequence
from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from web.errors import DomainError


class TableUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no table with this number.")


class TableNumberTaken(DomainError):
    status_code = 409
    default_detail = _("There is a table with this number already.")


class SessionUnknown(DomainError):
    status_code = 404
    default_detail = _("Your table's session was not found. Please scan the code on the table again.")


class SessionEnded(DomainError):
    status_code = 409
    default_detail = _("Your table session has ended. To order, please scan the code on the table again.")


class ItemUnavailable(DomainError):
    """Names the item's id, so that a program can find it."""

    status_code = 400

    def __init__(self, *, item_id: str, name: str = "") -> None:
        sentence = _("The menu item %(item)s is not available.") % {"item": f"{name} ({item_id})" if name else item_id}
        super().__init__(sentence)


class SoldOut(DomainError):
    """`ItemUnavailable`, worded for a guest's page."""

    status_code = 400
    default_detail = _("Sorry, this dish has just sold out.")


class MenuChanged(DomainError):
    """An order would not come to the total that the guest saw.

    `entries` are those of the order as the menu has them now (`restaurant.services.orders.ChangedEntry`).
    """

    status_code = 409
    default_detail = _("The menu has changed. Please check your order: nothing was ordered yet.")

    def __init__(self, *, expected_total: Decimal, total: Decimal, entries: Sequence[object]) -> None:
        super().__init__()
        self.expected_total = expected_total
        self.total = total
        self.entries = entries


class TotalTooLarge(DomainError):
    status_code = 400
    default_detail = _("An order's total can be at most 99,999,999.99.")


class OrderUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such order.")
