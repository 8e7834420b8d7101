"""`/language`: in which language pages are, on a guest's phone or for a member of staff."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.models import StaffLanguage
from web import languages
from web.fields import ErrorResponse
from web.forms import valid
from web.permissions import PUBLIC
from web.views import FormResponse, PageView

YEAR = 365 * 24 * 60 * 60  # seconds


class LanguageBody(serializers.Serializer):
    language = serializers.ChoiceField(list(languages.NAMES.items()))

    def validate_language(self, language: str) -> str:
        """Raises ValidationError for one in which the pages of this reader are not complete."""
        complete = dict(languages.choices(self.context["request"]))
        return str(serializers.ChoiceField(list(complete)).run_validation(language))


class Language(PageView):
    """`POST /language`: a guest's is kept on the phone, that of staff with their account."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "web/error.html"

    @extend_schema(request=LanguageBody, responses={200: LanguageBody, 400: ErrorResponse})
    def post(self, request: Request) -> Response:
        chosen = valid(LanguageBody(data=request.data, context={"request": request}))["language"]
        # The page that the form was sent from, which browsers name to this site alone.
        before = urlsplit(request.headers.get("Referer", ""))
        page = before._replace(scheme="", netloc="").geturl() if before.netloc == request.get_host() else "/"
        response = FormResponse(LanguageBody({"language": chosen}), redirect_to=page or "/")
        if request.user.is_authenticated:
            StaffLanguage.objects.update_or_create(user=request.user, defaults={"language": chosen})
            request.session[languages.CHOSEN] = chosen
        else:
            response.set_cookie(
                languages.COOKIE, chosen, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
            )
        return response


def choose_for_session(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Receive `user_logged_in`: pages are in the language that the user has chosen before."""
    chosen = StaffLanguage.objects.filter(user=user).values_list("language", flat=True).first()
    if chosen:
        request.session[languages.CHOSEN] = chosen
