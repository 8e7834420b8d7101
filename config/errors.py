"""Refused requests about staff and setting up."""

from django.utils.translation import gettext_lazy as _

from web.errors import DomainError
from web.usernames import TAKEN


class StaffUnknown(DomainError):
    status_code = 404
    default_detail = _("There is nobody of that user name.")


class UsernameTaken(DomainError):
    status_code = 409
    default_detail = TAKEN


class GroupUnknown(DomainError):
    status_code = 400
    default_detail = _("There is no such group.")

    def __init__(self) -> None:
        super().__init__(fields={"group": str(self.default_detail)})


class NotAllowed(DomainError):
    """The user may not do this."""

    status_code = 403
    default_detail = _("Only a superuser may do this, in the admin.")


class NotToOneself(DomainError):
    status_code = 403
    default_detail = _("You can't do this to your own account. Please ask another manager.")


class PasswordChangedMeanwhile(DomainError):
    status_code = 409
    default_detail = _("This password was changed meanwhile. Please sign in again.")


class MailNotSent(DomainError):
    """A test mail could not be sent."""

    status_code = 409
