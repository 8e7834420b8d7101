"""What can be wrong with a request to the restaurant: a status, and a sentence fit for a guest."""

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
    default_detail = _("This table has no such session. Please scan the code on the table again.")


class SessionEnded(DomainError):
    status_code = 409
    default_detail = _("This table's session has ended. Please scan the code on the table again to order.")


class ItemUnavailable(DomainError):
    """Document 3: 400, naming the item's id."""

    status_code = 400

    def __init__(self, *, item_id: str, name: str = "") -> None:
        sentence = _("The menu item %(item)s is not available.") % {"item": f"{name} ({item_id})" if name else item_id}
        super().__init__(sentence)


class MenuChanged(DomainError):
    """Not all to be had, or not for what the guest saw: how it is now stands in `items` and `total`."""

    status_code = 409
    default_detail = _("The menu has changed since you looked. Please check your order: nothing was ordered yet.")


class TotalTooLarge(DomainError):
    status_code = 400
    default_detail = _("An order's total can be at most 99,999,999.99.")


class OrderUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such order.")
