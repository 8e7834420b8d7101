"""The credential with which a socket was opened; its user is looked up again while the socket is open.

Equal credentials are checked together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from web.authentication import StaffTokenAuthentication, left_to_do

_is_locked: Callable[[Any], bool] | None = None


def register(is_locked: Callable[[Any], bool]) -> None:
    """`is_locked` takes a session."""
    global _is_locked  # noqa: PLW0603
    _is_locked = is_locked


@dataclass(frozen=True, slots=True)
class Nothing:
    def user(self) -> Any:
        return AnonymousUser()


@dataclass(frozen=True, slots=True)
class Token:
    key: str

    def user(self) -> Any:
        """Return its user; AnonymousUser if it has expired or was deleted, or its user was deactivated."""
        if not self.key.isascii() or not self.key.isprintable():
            return AnonymousUser()
        try:
            user, _token = StaffTokenAuthentication().authenticate_credentials(self.key.encode())
        except AuthenticationFailed:
            return AnonymousUser()
        return user


@dataclass(frozen=True, slots=True)
class BrowserSession:
    key: str

    def user(self) -> Any:
        """Return who is signed in; AnonymousUser after signing out or another password, and for deactivated users.

        AnonymousUser too while the sign-in is not finished, and after a lock.
        """
        request = HttpRequest()
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(self.key)
        is_closed = left_to_do(request.session) or (_is_locked and _is_locked(request.session))
        return AnonymousUser() if is_closed else get_user(request)


Credential = Nothing | Token | BrowserSession
