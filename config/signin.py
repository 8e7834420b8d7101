"""Signing in, and its limits (decisions 2.6, 2.8)."""

import logging
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.access import PUBLIC, client_address
from config.web import refuse

log = logging.getLogger(__name__)

_WAIT = settings.AXES_COOLOFF_TIME


class SignInLimits(AxesDatabaseHandler):
    """Two limits: few failures for one user name, more for one address, which a whole house may share.

    Axes knows one limit for all that it counts by, so failures of an address are scaled to the limit of a name.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        by_name, by_address = (
            attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        scaled = by_address * settings.SIGN_IN_FAILURES_PER_USERNAME // settings.SIGN_IN_FAILURES_PER_ADDRESS
        return max(by_name, scaled)

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """After a success the name starts anew; its address does not, or one account would open it for guessing."""
        by_name, _ = self.get_user_attempts(request, credentials)
        return int(by_name.delete()[0])


def locked_out(
    request: HttpRequest, original_response: HttpResponse | None, credentials: dict[str, Any]
) -> HttpResponse:
    """The answer to sign-in attempts past a limit; the admin's own sign-in page included."""
    log.warning("Sign-in refused after too many failures, from %s", client_address(request))
    minutes = int(_WAIT.total_seconds() // 60)
    sentence = _("Too many sign-ins failed. Please wait %(minutes)s minutes and try again.") % {"minutes": minutes}
    response = refuse(request, 429, sentence)
    response["Retry-After"] = str(int(_WAIT.total_seconds()))
    return response


class SignIn(LoginView):
    access = PUBLIC
    template_name = "config/sign_in.html"
    redirect_authenticated_user = False


class SignOut(LogoutView):
    access = PUBLIC
