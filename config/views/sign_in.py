"""Staff sign in and out; failed attempts are limited."""

import logging
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse

from web.errors import refuse_too_many
from web.permissions import PUBLIC
from web.proxies import client_address

log = logging.getLogger(__name__)

_WAIT = settings.AXES_COOLOFF_TIME


class SignInLimits(AxesDatabaseHandler):
    """Two limits: few failures for one user name, more for one address, which all staff of a venue may share.

    Axes has one limit for both, so failures of an address are scaled to the limit of a user name.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        by_name, by_address = (
            attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        scaled = by_address * settings.SIGN_IN_FAILURES_PER_USERNAME // settings.SIGN_IN_FAILURES_PER_ADDRESS
        return max(by_name, scaled)

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Reset the user name only: with an account of one's own, the address's count could be reset at will."""
        by_name, _ = self.get_user_attempts(request, credentials)
        return int(by_name.delete()[0])


def locked_out(
    request: HttpRequest, original_response: HttpResponse | None, credentials: dict[str, Any]
) -> HttpResponse:
    """429 for sign-in attempts past a limit, on the admin's sign-in page too."""
    log.warning("Sign-in refused after too many failures, from %s", client_address(request))
    return refuse_too_many(request, int(_WAIT.total_seconds()))


class SignIn(LoginView):
    access = PUBLIC
    template_name = "config/sign_in.html"
    redirect_authenticated_user = False


class SignOut(LogoutView):
    access = PUBLIC
