"""`/account`: what members of staff set for themselves."""

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView
from django_otp.plugins.otp_static.models import StaticToken

from config.groups import SET_UP
from config.services import second_step
from web.permissions import PUBLIC


@method_decorator(never_cache, name="dispatch")
class Account(LoginRequiredMixin, TemplateView):
    """Signed-in users see their own; others are led to the sign-in page."""

    access = PUBLIC
    audience = "staff"
    template_name = "config/account.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user: Any = self.request.user
        factors = second_step.factors(user)
        if factors or user.has_perm(SET_UP):
            codes = StaticToken.objects.filter(device__user=user).count()
            kwargs["second_step"] = {
                "factors": factors,
                "codes": codes,
                "passkeys": second_step.are_passkeys_possible(),
            }
        return super().get_context_data(**kwargs, here="account")
