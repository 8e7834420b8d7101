"""Staff sign in and out; failed attempts are limited."""

import logging
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.db import Error
from django.db.models import F, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config import known_devices, setup
from web.error_pages import refuse, too_many_tries
from web.permissions import PUBLIC
from web.proxies import client_address
from web.usernames import fold

log = logging.getLogger(__name__)

_WAIT = settings.AXES_COOLOFF_TIME


class SignInLimits(AxesDatabaseHandler):
    """Two limits: few failures for one user name, more for one address, which all staff of a venue may share.

    Axes has one limit for both, so failures of an address are scaled to the limit of a user name. Neither concerns a
    device that the user has signed in on before: its failures are counted separately, with the limit of a user name.
    """

    def user_login_failed(self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any) -> None:
        """Count the failure, then store the request's details.

        Axes stores both at once, so that a request which can't be stored would not count. Nothing here raises for what
        a request contains.
        """
        if request is None:
            return
        self.clean_expired_user_attempts(request, credentials)
        if not request.axes_locked_out:
            _store_details(_count(request, credentials), request)
            request.axes_locked_out = self.is_locked(request, credentials)
        if request.axes_locked_out:
            request.axes_credentials = credentials
            username = get_client_username(request, credentials)
            user_locked_out.send("axes", request=request, username=username, ip_address=request.axes_ip_address)

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        by_name, *by_address = (
            attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        scaled = sum(by_address) * settings.SIGN_IN_FAILURES_PER_USERNAME // settings.SIGN_IN_FAILURES_PER_ADDRESS
        return max(by_name, scaled)

    def filter_user_attempts(
        self, request: HttpRequest, credentials: dict[str, Any] | None = None
    ) -> list[QuerySet[AccessAttempt]]:
        """Return the attempts by user name and by address; on a known device only its own."""
        on_device = _name_on_device(request, credentials)
        if on_device:
            return [AccessAttempt.objects.filter(username=on_device)]
        attempts: list[QuerySet[AccessAttempt]] = super().filter_user_attempts(request, credentials)
        return attempts

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Reset the user name only: otherwise anyone with an account could reset the address's count."""
        return int(self.get_user_attempts(request, credentials)[0].delete()[0])


def counted_username(request: Any, credentials: dict[str, Any] | None) -> str | None:
    """Return the folded name: otherwise every spelling of it would have ten attempts of its own."""
    username = (credentials or request.POST).get("username")
    return username and fold(username)


def _name_on_device(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """Return the name that counts attempts on a known device. It can't be typed, because the id is secret."""
    username = get_client_username(request, credentials)
    device = known_devices.find(request, username)
    return _storable(f"known device {device} of {username}") if device else None


def _count(request: Any, credentials: dict[str, Any] | None) -> QuerySet[AccessAttempt]:
    """Add a failure of this user name, address and browser, and return the row that counts it.

    On a known device each failure has a row, without the address.
    """
    on_device = _name_on_device(request, credentials)
    if on_device:
        user_agent = _storable(request.axes_user_agent)
        failure = AccessAttempt.objects.create(username=on_device, user_agent=user_agent, failures_since_start=1)
        return AccessAttempt.objects.filter(pk=failure.pk)
    counter = {
        "username": _storable(get_client_username(request, credentials)),
        "ip_address": request.axes_ip_address,
        "user_agent": _storable(request.axes_user_agent),
    }
    AccessAttempt.objects.update_or_create(
        **counter,
        defaults={"failures_since_start": F("failures_since_start") + 1, "attempt_time": request.axes_attempt_time},
        create_defaults={"failures_since_start": 1},
    )
    return AccessAttempt.objects.filter(**counter)


def _store_details(attempt: QuerySet[AccessAttempt], request: Any) -> None:
    """Store them for the admin's list. Not the form: the user name may be a mistyped password."""
    try:
        attempt.update(path_info=_storable(request.axes_path_info), http_accept=_storable(request.axes_http_accept))
    except Error:
        log.exception("The details of a failed sign-in can't be stored")


def _storable(text: Any) -> str:
    return str(text or "").encode(errors="replace").decode().replace("\0", "")[:255]


def locked_out(
    request: HttpRequest, original_response: HttpResponse | None, credentials: dict[str, Any]
) -> HttpResponse:
    """Return a 429 for attempts past a limit, on the admin's sign-in page too."""
    log.warning("Sign-in refused after too many failures, from %s", client_address(request))
    seconds = int(_WAIT.total_seconds())
    elsewhere = _("A device on which you have signed in before does not have to wait.")
    response = refuse(request, 429, f"{too_many_tries(seconds)} {elsewhere}")
    response["Retry-After"] = str(seconds)
    return response


class SignInForm(AuthenticationForm):
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy("The user name or the password is wrong. Capital letters matter in a password."),
    }


class SignIn(LoginView):
    access = PUBLIC
    audience = "staff"
    template_name = "config/sign_in.html"
    authentication_form = SignInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """End the session with the browser if the tick was removed, as on somebody else's device."""
        response = super().form_valid(form)
        if "keepShown" in self.request.POST and "keep" not in self.request.POST:
            self.request.session.set_expiry(0)
        else:
            known_devices.remember(self.request, response, form.get_user())
        return response

    def get_default_redirect_url(self) -> str:
        """Lead a new owner to the setup."""
        return reverse("setup") if setup.hint(setup.left(self.request.user)) else super().get_default_redirect_url()


class SignOut(LogoutView):
    access = PUBLIC
    audience = "staff"
