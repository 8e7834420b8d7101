"""What a staff member's socket was opened with. It is looked up again while the socket is open.

Credentials compare equal by what they hold: the sockets of one are checked together.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from web.authentication import MUST_CHANGE_PASSWORD, StaffTokenAuthentication


@dataclass(frozen=True, slots=True)
class Nothing:
    def user(self) -> Any:
        return AnonymousUser()


@dataclass(frozen=True, slots=True)
class Token:
    """A staff token's key."""

    key: str

    def user(self) -> Any:
        """Whose it is now; nobody once it has expired or been deleted, or its user was deactivated."""
        if not self.key.isascii() or not self.key.isprintable():
            return AnonymousUser()
        try:
            user, _token = StaffTokenAuthentication().authenticate_credentials(self.key.encode())
        except AuthenticationFailed:
            return AnonymousUser()
        return user


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """The key of a session."""

    key: str

    def user(self) -> Any:
        """Who is signed in now; nobody after signing out, another password, or the user's deactivation.

        And nobody who has yet to change the password that they were given.
        """
        request = HttpRequest()
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(self.key)
        return AnonymousUser() if request.session.get(MUST_CHANGE_PASSWORD) else get_user(request)


Credential = Nothing | Token | BrowserSession
