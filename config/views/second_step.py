"""The second step of signing in, and the page on which staff add and remove the apps that they take it with."""

from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView
from django_otp.util import random_hex

from config.errors import CodeRefused, WrongPassword
from config.models import Passkey
from config.services import second_step
from config.views.account import Account
from qrservice import gateway
from web.authentication import SECOND_STEP
from web.error_pages import refuse_too_many
from web.hosts import own_origin
from web.permissions import PUBLIC
from web.throttling import give_back, seconds_to_wait

_CHALLENGE = "second_step_challenge"  # of the session: what was last asked of a browser
_KEY = "second_step_key"  # of the session: that of an app which is being added


@method_decorator(never_cache, name="dispatch")
class _Form(TemplateView):
    """A form that is shown again where a code or the password is wrong; those are limited."""

    access = PUBLIC
    audience = "staff"
    limited: str
    take: Callable[..., HttpResponse]  # does what was sent; raises CodeRefused, WrongPassword

    @property
    def user(self) -> User:
        return cast("User", self.request.user)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        identity = f"{self.limited}-{self.user.pk}"
        if seconds := seconds_to_wait("wrong_code", identity):
            return refuse_too_many(request, seconds)
        try:
            response = self.take(**kwargs)
        except (CodeRefused, WrongPassword) as error:
            return self.render_to_response(self.get_context_data(**kwargs, wrong=error.detail))
        give_back("wrong_code", identity)
        return response

    def check_password(self) -> None:
        if not self.user.check_password(self.request.POST.get("password", "")):
            raise WrongPassword

    def passkey(self) -> dict[str, str]:
        """Return what the browser has made, and what it was asked, which is forgotten."""
        return {"credential": self.sent("credential"), "challenge": self.request.session.pop(_CHALLENGE, "")}

    def passkey_context(self, *, is_new: bool) -> dict[str, Any]:
        """Ask for a passkey; without `options` where browsers would refuse that."""
        is_here = own_origin().partition("//")[2] == self.request.get_host()
        if not (is_here and second_step.are_passkeys_possible()):
            return {"base_url": settings.APP_BASE_URL}
        options, self.request.session[_CHALLENGE] = second_step.passkey_options(self.user, is_new=is_new)
        return {"options": options}

    def sent(self, name: str) -> str:
        return self.request.POST.get(name, "").replace("\0", "").strip()


class SecondStep(RedirectURLMixin, _Form):
    """`/sign-in/second-step`, to which a session that has only the password is led."""

    template_name = "config/second_step.html"
    next_page = "front_page"
    limited = "second-step"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not request.user.is_authenticated:
            return redirect("sign_in")
        if not request.session.get(SECOND_STEP) or not second_step.factors(self.user):
            return self._go_on()
        return super().dispatch(request, *args, **kwargs)

    def take(self) -> HttpResponse:
        if self.sent("credential"):
            second_step.check_passkey(self.user, **self.passkey())
        else:
            second_step.check_code(self.user, self.sent("code"))
        self.request.session.cycle_key()
        return self._go_on()

    def _go_on(self) -> HttpResponse:
        self.request.session.pop(SECOND_STEP, None)
        return HttpResponseRedirect(self.get_success_url())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if any(isinstance(factor, Passkey) for factor in second_step.factors(self.user)):
            kwargs |= {"has_passkey": True, **self.passkey_context(is_new=False)}
        return super().get_context_data(**kwargs, next=self.get_redirect_url())


class AddSecondStep(LoginRequiredMixin, _Form):
    """`/account/second-step` asks for the password, too: nobody locks others out by a device that they have left."""

    template_name = "config/second_step_add.html"
    limited = "password"

    def take(self) -> HttpResponse:
        self.check_password()
        name, key = self.sent("name")[:64] or _("Authenticator app"), self.request.session.get(_KEY, "")
        codes = second_step.add_app(self.user, name=name, key=key, code=self.sent("code"))
        return self.render_to_response({"codes": codes})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if self.request.method != "POST":
            self.request.session[_KEY] = random_hex(20)
        address = second_step.app_address(self.user, self.request.session.get(_KEY, ""))
        symbol = mark_safe(gateway.symbol(address))  # noqa: S308 (drawn here)
        return super().get_context_data(**kwargs, address=address, symbol=symbol)


class AddPasskey(LoginRequiredMixin, _Form):
    template_name = "config/second_step_add.html"
    limited = "password"

    def take(self) -> HttpResponse:
        self.check_password()
        name = self.sent("name")[:64] or _("Passkey")
        return self.render_to_response({"codes": second_step.add_passkey(self.user, name=name, **self.passkey())})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, is_passkey=True, **self.passkey_context(is_new=True))


class RemoveSecondStep(Account, _Form):
    """`/account/second-step/config.passkey/3`: a form of the account's page, which also says what is wrong."""

    limited = "password"

    def take(self, factor: str) -> HttpResponse:
        self.check_password()
        second_step.remove(self.user, factor, by=self.user)
        messages.success(self.request, _("Removed."))
        return redirect("account")
