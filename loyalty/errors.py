"""What can be wrong with a request to the loyalty programme: a status, and a sentence fit for a guest."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from web.errors import DomainError


class MemberUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such member.")


class EmailTaken(DomainError):
    status_code = 409
    default_detail = _("There is a card for this email address already.")


class LocationUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such location.")


class RewardUnavailable(DomainError):
    status_code = 404
    default_detail = _("This reward is not available.")


class NotEnoughPoints(DomainError):
    """Document 2: 400 with `pointsNeeded`."""

    status_code = 400

    def __init__(self, *, needed: int) -> None:
        super().__init__(_("%(points)s more points are needed for this.") % {"points": needed}, pointsNeeded=needed)


class PriceChanged(DomainError):
    """The member was shown another price."""

    status_code = 409

    def __init__(self, *, price: int) -> None:
        sentence = _("The price of this reward has changed: it is %(points)s points now. Nothing was redeemed.")
        super().__init__(sentence % {"points": price}, pointsRequired=price)


class TooManyPoints(DomainError):
    status_code = 400
    default_detail = _("No member can have more than 2,147,483,647 points.")


class RedemptionUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such code. Please compare it letter by letter.")


class RedemptionUsed(DomainError):
    """Document 2: 400 with `usedAt`."""

    status_code = 400
    default_detail = _("This reward was used already.")

    def __init__(self, *, used_at: datetime | None) -> None:
        super().__init__(usedAt=used_at)


class RedemptionExpired(DomainError):
    status_code = 400
    default_detail = _("This code has expired.")


class ConfirmationUnknown(DomainError):
    status_code = 404
    default_detail = _("There is no such confirmation.")


class LinkSpent(DomainError):
    status_code = 410
    default_detail = _("This link was used already, or is too old. Please ask for a new one.")


class NotYourCard(DomainError):
    """Decision 2.4: a signed cookie, but of another member."""

    status_code = 403
    default_detail = _("This phone is signed in to another card.")


class MailFailed(DomainError):
    status_code = 503
    wait = 60  # seconds, for Retry-After
    default_detail = _("The mail could not be sent at the moment. Please try again in a while.")
