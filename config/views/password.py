"""The page on which staff change their password, and have to at the first sign-in with a temporary one."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, RedirectURLMixin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from config import known_devices
from config.errors import PasswordChangedMeanwhile
from config.services import passwords, second_step
from web.authentication import MUST_CHANGE_PASSWORD, SECOND_STEP, left_to_do
from web.error_pages import refuse, refuse_too_many
from web.negotiation import prefers_page
from web.permissions import PUBLIC
from web.throttling import give_back, seconds_to_wait

_OPEN = ("sign_in", "sign_out", "switch", "lock", "admin:login", "admin:logout")
# By mark: the page that is open as well, and what others are told.
_PAGES = {
    SECOND_STEP: ("second_step", gettext_lazy("Please finish signing in first, on the page /sign-in/second-step.")),
    MUST_CHANGE_PASSWORD: ("password", gettext_lazy("Please change your password first, on the page /password.")),
}


def mark_session(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Receive `user_logged_in`: mark the session if its user has a second step, or has to change the password."""
    marks = {SECOND_STEP: second_step.factors(user), MUST_CHANGE_PASSWORD: passwords.is_temporary(user)}
    for mark, is_left in marks.items():
        if is_left:
            request.session[mark] = True
        else:
            request.session.pop(mark, None)


class UnfinishedSignInMiddleware:
    """Opens only the page of its mark to a marked session. Does not concern tokens."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Guests have no session, and a response to them must not depend on one.
        mark = left_to_do(request.session) if settings.SESSION_COOKIE_NAME in request.COOKIES else None
        if mark is None:
            return self.get_response(request)
        page, sentence = _PAGES[mark]
        if request.path_info in map(reverse, (page, *_OPEN)):
            return self.get_response(request)
        if request.method in {"GET", "HEAD"} and prefers_page(request):
            where = f"{reverse(page)}?{urlencode({'next': request.get_full_path()})}"
            response: HttpResponse = HttpResponseRedirect(where)
            patch_vary_headers(response, ["Accept"])
        else:
            response = refuse(request, 403, str(sentence))
        response["Cache-Control"] = "private, no-store"
        return response


class _NewPasswordDiffers:
    """Refuses the present password as the new one."""

    user: Any

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        chosen = cleaned.get("new_password1")
        if chosen and self.user.check_password(chosen):
            raise ValidationError({"new_password1": _("This is your present password. Please choose another.")})
        return cleaned


class FirstPasswordForm(_NewPasswordDiffers, SetPasswordForm):
    """Does not ask for the temporary password again, which was typed a moment ago."""


class OwnPasswordForm(_NewPasswordDiffers, PasswordChangeForm):
    pass


@method_decorator(never_cache, name="dispatch")
class Password(RedirectURLMixin, PasswordChangeView):
    """`/password`: signed-in users change their own; others are led to the sign-in page."""

    access = PUBLIC
    audience = "staff"
    template_name = "config/password.html"
    next_page = "front_page"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Limit wrong passwords: an unattended device must not be used to guess the password."""
        if self._is_first():
            return super().post(request, *args, **kwargs)
        identity = f"password-{self.request.user.pk}"
        seconds = seconds_to_wait("wrong_code", identity)
        if seconds:
            return refuse_too_many(request, seconds)
        response = super().post(request, *args, **kwargs)
        if response.status_code == 302:
            give_back("wrong_code", identity)
        return response

    def get_form_class(self) -> Any:
        return FirstPasswordForm if self._is_first() else OwnPasswordForm

    def _is_first(self) -> bool:
        return bool(self.request.session.get(MUST_CHANGE_PASSWORD))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, is_first=self._is_first(), next=self.get_redirect_url())

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            passwords.choose(user=form.user, password=form.cleaned_data["new_password1"])
        except PasswordChangedMeanwhile as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)
        self.request.session.pop(MUST_CHANGE_PASSWORD, None)
        update_session_auth_hash(self.request, form.user)
        messages.success(self.request, _("Your password is changed."))
        response = HttpResponseRedirect(self.get_success_url())
        if known_devices.COOKIE in self.request.COOKIES:  # not on somebody else's, where the tick was taken away
            known_devices.remember(self.request, response, form.user)
        return response
