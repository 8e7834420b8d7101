"""Refused requests about staff and setting up."""

from django.utils.translation import gettext_lazy as _

from web.errors import Conflict, DomainError, Forbidden, Unknown
from web.usernames import TAKEN


class StaffUnknown(Unknown):
    default_detail = _("There is nobody of that user name.")


class UsernameTaken(Conflict):
    default_detail = TAKEN


class GroupUnknown(DomainError):
    default_detail = _("There is no such group.")

    def __init__(self) -> None:
        super().__init__(fields={"group": str(self.default_detail)})


class NotAllowed(Forbidden):
    """The user may not do this."""

    default_detail = _("Only a superuser may do this, in the admin.")


class NotToOneself(Forbidden):
    default_detail = _("You can't do this to your own account. Please ask another manager.")


class PasswordChangedMeanwhile(Conflict):
    default_detail = _("This password was changed meanwhile. Please sign in again.")


class DeviceUnknown(Unknown):
    default_detail = _("There is no such device.")


class NotEnrolled(Forbidden):
    default_detail = _("This device is not shared. A manager can enrol it here, on the page /staff/devices.")


class WrongPin(Forbidden):
    default_detail = _("This PIN is wrong.")


class WrongPassword(Forbidden):
    default_detail = _("The password is wrong.")


class CodeRefused(Forbidden):
    default_detail = _("This code is wrong, or was used before.")


class MailNotSent(Conflict):
    """A test mail could not be sent."""
