"""Errors of requests to the restaurant: a status, and a sentence that a guest may read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from typing import Any

from babel.dates import format_skeleton
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from rest_framework.exceptions import ErrorDetail

from web import cookies
from web.errors import Conflict, DomainError, Forbidden, Unknown
from web.formats import listed, locale, together
from web.money import most, rounded
from web.templatetags.money import clock


def clock_time(moment: datetime) -> str:
    """Return the time by the venue's clock, with the date unless it is today."""
    local, time = timezone.localtime(moment), clock(moment)
    day = format_skeleton("MMMEd", local, locale=locale())
    return time if local.date() == timezone.localdate() else together(day, time)


class TableUnknown(Unknown):
    default_detail = _("There is no table with this number.")


class NotOnTheFloor(DomainError):
    """Tables to be taken do not exist, or no table is in their sections."""

    def __init__(self, numbers: list[int], sections: list[str]) -> None:
        names = [_("table %(number)s") % {"number": number} for number in numbers]
        names += [_("section “%(name)s”") % {"name": name} for name in sections]
        super().__init__(_("Not on this floor: %(names)s.") % {"names": listed(names)})
        self.extra = {"tables": numbers, "sections": sections}


class SectionUnknown(Unknown):
    default_detail = _("No table is in this section.")


class NotPushedTogether(Conflict):
    default_detail = _("This table is not pushed together with another one any more.")


class BillNotDivisible(Conflict):
    default_detail = _("These orders can't leave the bill: it was divided, paid, or something was taken off them.")


class TableNumberTaken(Conflict):
    default_detail = _("There is a table with this number already.")


class PlaceTaken(Conflict):
    """Two tables of a section would stand in the same place of its plan."""

    def __init__(self, first: int, second: int, *, column: int, row: int) -> None:
        sentence = _("Tables %(first)d and %(second)d can't both stand in column %(column)d, row %(row)d.")
        super().__init__(sentence % {"first": first, "second": second, "column": column, "row": row})
        self.extra = {"tables": [first, second]}


class ChangedMeanwhile(Conflict):
    """Somebody else has changed tables or features of the room that were to be changed on a plan."""

    def __init__(self, numbers: list[int], features: Sequence[str] = ()) -> None:
        names = [_("table %(number)s") % {"number": number} for number in numbers] + list(features)
        sentence = _("Somebody else has changed this meanwhile: %(all)s. Nothing was saved.")
        super().__init__(sentence % {"all": listed(names)})
        self.extra = {"tables": numbers, "features": list(features)}


class TooManyFeatures(Conflict):
    def __init__(self, most: int) -> None:
        super().__init__(_("There is room for %(most)s things on a plan besides its tables.") % {"most": most})


class SectionGone(Conflict):
    default_detail = _("There is no table in this section any more.")


class SessionUnknown(Unknown):
    without_cookies = cookies.FOR_ORDERS
    default_detail = _("Your table's session was not found. Please scan the code on the table again.")


class SessionEnded(Conflict):
    default_detail = _("Your table session has ended. To order, please scan the code on the table again.")


class RefusedItem(DomainError):
    """An item of an order is refused. The sentence names its id, for programs; `for_people` is the one without it."""

    def __init__(self, sentence: Any, *, item_id: str, name: str = "", **values: Any) -> None:
        """`sentence` is a format of `item` and the other values."""
        super().__init__(sentence % {**values, "item": f"{name} ({item_id})" if name else item_id})
        self.name = name
        self.for_people = str(sentence % {**values, "item": name})


class ItemUnavailable(RefusedItem):
    def __init__(self, *, item_id: str, name: str = "") -> None:
        super().__init__(_("The menu item %(item)s is not available."), item_id=item_id, name=name)
        self.for_people = str(SoldOut.default_detail)


class OptionsRefused(RefusedItem):
    """Options of the item that do not exist or are sold out, or too few or too many of a group."""

    def __init__(self, *, item_id: str, name: str, group: str = "", low: int = 0, high: int = 0) -> None:
        if not group:
            sentence = _("This choice can't be made for %(item)s.")
        elif low == high:
            sentence = _("Please choose %(low)d of “%(group)s” for %(item)s.")
        else:
            sentence = _("Please choose from %(low)d to %(high)d of “%(group)s” for %(item)s.")
        super().__init__(sentence, item_id=item_id, name=name, group=group, low=low, high=high)


class TooFewPortions(RefusedItem):
    """More are ordered than are left."""

    def __init__(self, *, item_id: str, name: str, left: int) -> None:
        sentence = ngettext_lazy(
            "Only %(left)d portion of %(item)s is left.", "Only %(left)d portions of %(item)s are left.", "left"
        )
        super().__init__(sentence, item_id=item_id, name=name, left=left)


@contextmanager
def worded_for_guests() -> Iterator[None]:
    """Leave the item's id out of refusals, for pages."""
    try:
        yield
    except RefusedItem as error:
        error.detail = ErrorDetail(error.for_people, error.default_code)
        raise


class CartFull(DomainError):
    default_detail = _("Your order has too many different dishes. Please send it, and begin another.")


class CartChanged(Conflict):
    """A page or an order is of an earlier version of the cart. The body names the present one."""

    default_detail = _("Your order was changed or sent from another page of this phone. This is what it holds now.")

    def __init__(self, *, version: str) -> None:
        super().__init__(cartVersion=version)


class KitchenClosed(Conflict):
    """Guests can't order: the kitchen has paused, or it is outside the opening hours."""

    def __init__(self, *, until: datetime | None, why: str = "") -> None:
        sentence = str(_("The kitchen takes no orders at the moment."))
        if why:
            sentence = _("Closed today: %(why)s.") % {"why": why.rstrip(".")}
        if until is not None:
            again = _("You can order again from %(time)s on.") % {"time": clock_time(until)}
            sentence = f"{sentence} {again}"
        super().__init__(sentence)
        self.extra = {"until": until}


class OptionUnknown(Unknown):
    default_detail = _("There is no such option.")


class StationUnknown(Unknown):
    default_detail = _("There is no such station.")


class EntryUnknown(Unknown):
    default_detail = _("The order has no such entry.")


class EntryCancelled(Conflict):
    default_detail = _("This entry was cancelled.")


class EntryWaits(Conflict):
    default_detail = _("This waits for its course. The floor fires it.")


class OrderServed(Conflict):
    default_detail = _("This order was served already.")


class MenuItemUnknown(Unknown):
    default_detail = _("There is no such menu item.")


class SoldOut(DomainError):
    """An `ItemUnavailable` on a guest's page."""

    default_detail = _("Sorry, this dish has just sold out.")


class MenuChanged(Conflict):
    """An order would not come to the total that the guest saw.

    `entries` are those of the order as the menu has them now (`restaurant.ordering.services.orders.ChosenEntry`).
    """

    default_detail = _("The menu has changed. Please check your order: nothing was ordered yet.")

    def __init__(self, *, expected_total: Decimal, total: Decimal, entries: Sequence[object]) -> None:
        super().__init__()
        self.expected_total = expected_total
        self.total = total
        self.entries = entries


class TotalTooLarge(DomainError):
    def __init__(self) -> None:
        super().__init__(_("An order's total can be at most %(most)s.") % {"most": f"{most():,}"})


class OrderUnknown(Unknown):
    default_detail = _("There is no such order.")


class OrderCancelled(Conflict):
    default_detail = _("This order was cancelled.")


class OrderHeld(Conflict):
    default_detail = _("This order was not sent to the kitchen yet.")


class OrderHasMovedOn(Conflict):
    default_detail = _("Somebody has moved this order on meanwhile. Look at it again.")


class OrderCompleted(Conflict):
    default_detail = _("This order is completed: only a manager can cancel it. Please ask one.")


class TooLateToCancel(Conflict):
    """Only staff can cancel the guest's order by now. The sentence says why."""


class NotYourOrder(Forbidden):
    default_detail = _("Only the phone that placed this order can cancel it. Please ask a member of staff.")


class NotYourPoints(Forbidden):
    default_detail = _("Only the phone that placed this order can collect its points.")


class NothingToCollect(Conflict):
    default_detail = _("There are no points to collect for this order any more.")


class CollectedElsewhere(Conflict):
    default_detail = _("Another card collects the points for this order.")


class PartialCancellation(Forbidden):
    """A guest wants to cancel a part of an order."""

    default_detail = _("To cancel a part of your order, please ask a member of staff.")


class NothingLeft(DomainError):
    """More is to be cancelled than the order has at a position."""

    def __init__(self, *, position: int) -> None:
        super().__init__(_("The order has not so many left at position %(position)d.") % {"position": position})


class NotCancelled(Conflict):
    default_detail = _("This order was not cancelled.")


class NotScanned(Forbidden):
    without_cookies = cookies.FOR_ORDERS
    default_detail = _("Please scan the code on your table first.")


class CallUnknown(Unknown):
    default_detail = _("There is no such call.")


class NotYourReward(Forbidden):
    default_detail = _("Your card has no such reward to use.")


class PaymentUnknown(Unknown):
    default_detail = _("There is no such payment.")


class NothingDue(DomainError):
    default_detail = _("Nothing is due: this bill is paid.")


class MoreThanDue(DomainError):
    def __init__(self, *, due: Decimal) -> None:
        super().__init__(_("Only %(due)s is due. Anything above it can be noted as a tip.") % {"due": due})


class AdjustmentUnknown(Unknown):
    default_detail = _("There is no such change of a bill.")


class NeedsManager(Forbidden):
    """What a manager may approve on the device of whoever asked, by name and password: see `staff.answering`."""

    default_detail = _("Only a manager may do this. Please ask one.")


class WrongApprover(NeedsManager):
    default_detail = _("The manager's name or password is wrong.")


class MoreThanAllowed(NeedsManager):
    """A discount above what staff may give without a manager."""

    def __init__(self, *, limit: Decimal) -> None:
        if limit:
            sentence = _("You may take off up to %(limit)s %%. Please ask a manager for more.")
            super().__init__(sentence % {"limit": formats.localize(limit.normalize())})
        else:
            super().__init__(_("Only a manager may change what a bill comes to. Please ask one."))


class MoreThanThere(DomainError):
    def __init__(self, *, left: Decimal) -> None:
        super().__init__(_("Only %(left)s is left to be taken off.") % {"left": left})


class OnTheHouseAlready(DomainError):
    default_detail = _("That is on the house already.")


class PartUnknown(Unknown):
    default_detail = _("This bill has no such part.")


class PartsPaid(Conflict):
    default_detail = _("A part of this bill is paid already, so it can't be divided in another way.")


class DividedEqually(Conflict):
    default_detail = _("This bill is divided into equal parts.")


class TakenBySomebody(Conflict):
    """A guest wants to pay for what another one has in their part."""

    def __init__(self, *, name: str, who: str) -> None:
        super().__init__(_("%(name)s is in %(who)s's part already.") % {"name": name, "who": who})


class TooManyShares(DomainError):
    def __init__(self, *, name: str) -> None:
        super().__init__(_("More of %(name)s is given to the parts than is on the bill.") % {"name": name})


class TenderedTooLittle(DomainError):
    def __init__(self, *, needed: Decimal) -> None:
        super().__init__(_("That is too little: %(needed)s is needed.") % {"needed": needed})


class MoreThanPaid(DomainError):
    def __init__(self, *, left: Decimal) -> None:
        super().__init__(_("Only %(left)s of this payment can be given back.") % {"left": left})


class NotInCoins(DomainError):
    def __init__(self, *, coin: Decimal) -> None:
        sentence = _("The smallest coin is %(coin)s: please give back an amount of whole coins, or all.")
        super().__init__(sentence % {"coin": rounded(coin)})


class PaymentRefunded(Conflict):
    default_detail = _("Something of this payment was given back, so it can't be voided. Please give back the rest.")


class PaymentVoided(Conflict):
    default_detail = _("This payment was voided, so nothing of it can be given back.")


class DrawerUnknown(Unknown):
    default_detail = _("There is no such cash drawer.")


class DrawerClosed(Conflict):
    default_detail = _("This drawer is closed. Please open it first.")


class NoOpenDrawer(Conflict):
    default_detail = _("Cash is only taken into an open drawer. Please open one first.")

    def __init__(self) -> None:
        super().__init__(drawers="/drawers")


class OnlyYourPart(Forbidden):
    default_detail = _("You can say which dishes you pay for. To divide the bill in another way, please ask the staff.")
