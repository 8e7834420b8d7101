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
        self.name = name


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


class OrderCancelled(DomainError):
    status_code = 409
    default_detail = _("This order was cancelled.")


class OrderHeld(DomainError):
    status_code = 409
    default_detail = _("This order waits for approval: the kitchen can't start on it yet.")


class OrderCompleted(DomainError):
    status_code = 409
    default_detail = _("This order is completed, so it can't be cancelled any more.")


class KitchenHasStarted(DomainError):
    """A guest's own order, too late to be cancelled by the guest."""

    status_code = 409
    default_detail = _("The kitchen has started on your order. Please ask a member of staff.")


class NotYourOrder(DomainError):
    status_code = 403
    default_detail = _("Only the phone that placed this order can cancel it. Please ask a member of staff.")


class PartialCancellation(DomainError):
    """A guest who asks for a part of an order."""

    status_code = 403
    default_detail = _("To cancel a part of your order, please ask a member of staff.")


class NothingLeft(DomainError):
    """Entries to cancel that the order does not have, or not so many of."""

    status_code = 400

    def __init__(self, *, position: int) -> None:
        super().__init__(_("The order has not so many left at position %(position)d.") % {"position": position})


class NotCancelled(DomainError):
    status_code = 409
    default_detail = _("This order was not cancelled.")


class NotScanned(DomainError):
    status_code = 403
    default_detail = _("To order, please scan the code on your table first.")


class CallUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such call.")


class PaymentUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such payment.")


class NothingDue(DomainError):
    status_code = 400
    default_detail = _("Nothing is due: this bill is paid.")


class MoreThanDue(DomainError):
    status_code = 400

    def __init__(self, *, due: Decimal) -> None:
        super().__init__(_("Only %(due)s is due. Anything above it can be noted as a tip.") % {"due": due})
