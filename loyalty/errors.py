"""Requests that the rules of the loyalty programme refuse."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from web.errors import Conflict, DomainError, Forbidden, Unknown


class MemberUnknown(Unknown):
    default_detail = _("There is no such member.")


class MemberErased(MemberUnknown):
    """The owner of the card has left. `erased` in the body tells it from an unknown id."""

    default_detail = _("This card is no longer in use. Its owner has left the programme.")

    def __init__(self) -> None:
        super().__init__(erased=True)


class LinkNeeded(Forbidden):
    """The phone is signed in to the card, but nobody has shown lately that the card's mailbox is theirs."""

    default_detail = _("To be sure that it's you, first open your card by a link from an email. It counts for an hour.")


class EmailTaken(Conflict):
    default_detail = _("There is already a card for this email address.")


class PhoneTaken(Conflict):
    default_detail = _("There is already a card for this phone number.")


class NoEmail(Conflict):
    default_detail = _("This card has no email address yet. Please ask our staff to add yours.")


class LocationUnknown(Unknown):
    default_detail = _("There is no such location.")


class RewardUnavailable(Unknown):
    default_detail = _("This reward is not available.")


class NotEnoughPoints(DomainError):
    def __init__(self, *, needed: int) -> None:
        sentence = ngettext(
            "%(points)s more point is needed for this.", "%(points)s more points are needed for this.", needed
        )
        super().__init__(sentence % {"points": needed}, pointsNeeded=needed)


class PriceChanged(Conflict):
    """The member was shown another price."""

    def __init__(self, *, price: int) -> None:
        sentence = ngettext(
            "The price of this reward has changed to %(points)s point. Nothing was redeemed.",
            "The price of this reward has changed to %(points)s points. Nothing was redeemed.",
            price,
        )
        super().__init__(sentence % {"points": price}, pointsRequired=price)


class TooManyPoints(DomainError):
    default_detail = _("No member can have more than 2,147,483,647 points.")


class TransactionUnknown(Unknown):
    default_detail = _("There is no such transaction.")


class NotAPurchase(Conflict):
    default_detail = _("Only the points for a purchase can be taken back.")


class NotYoursToTakeBack(Forbidden):
    default_detail = _("You can take back what you entered yourself in the last 15 minutes. Please ask a manager.")


class UnusualTotal(DomainError):
    """A bill so large that the till's page asks first."""

    default_detail = _("That is unusual. Please check the amount. No points were added.")


class RedemptionUnknown(Unknown):
    default_detail = _("There is no such code. Please check every letter and digit.")


class RedemptionUsed(DomainError):
    default_detail = _("This reward has already been used.")

    def __init__(self, *, used_at: datetime | None) -> None:
        super().__init__(usedAt=used_at)


class RedemptionExpired(DomainError):
    default_detail = _("This code has expired.")


class RedemptionCancelled(DomainError):
    default_detail = _("This reward was cancelled. Its points are back on the card.")


class CancelledMeanwhile(RedemptionCancelled):
    """It can't be confirmed any more."""

    status_code = 409


class NotCancellable(Conflict):
    default_detail = _("Only a reward that is neither used nor expired can be cancelled.")


class NotUndoable(Conflict):
    default_detail = _("Only a reward that was confirmed in the last 15 minutes, for the first time, can be undone.")


class ConfirmationUnknown(Unknown):
    default_detail = _("There is no such confirmation.")


class LinkExpired(DomainError):
    """A sign-in link that was used, or is too old."""

    status_code = 410
    default_detail = _("This link has already been used or has expired. Please request a new one.")


class NotYourCard(Forbidden):
    """A valid cookie, but of another member."""

    default_detail = _("This phone is signed in to another card.")
