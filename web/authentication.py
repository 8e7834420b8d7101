"""Authentication of staff by token or session, and the check that forms come from our own pages."""

from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import get_token_model
from knox.settings import CONSTANTS
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.utils.mediatypes import media_type_matches

from web.hosts import parts_of
from web.permissions import PUBLIC, needed
from web.usernames import own_spelling

# Mark a session that opens one page alone: until its user has taken the second step, or has chosen another password.
SECOND_STEP = "second_step"
MUST_CHANGE_PASSWORD = "must_change_password"  # noqa: S105 (a key of the session)

# The shared device of a session: of one that a PIN has opened, and of one that a password has opened on it.
DEVICE = "device"
LOCKS_WITH = "locks_with"
SHARED_DEVICE = "shared_device"  # the cookie of such a browser

SAFE_METHODS = {"GET", "HEAD", "OPTIONS", "TRACE"}


def left_to_do(session: Any) -> str | None:
    """Return the mark of a session whose sign-in is not finished: the second step comes first."""
    return next((mark for mark in (SECOND_STEP, MUST_CHANGE_PASSWORD) if session.get(mark)), None)


class StaffBackend(ModelBackend):
    """Reads a user's and their groups' permissions in one query instead of two, and user names in any spelling."""

    def authenticate(
        self, request: Any, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Any:
        name = own_spelling(username) if username and password is not None else username
        return super().authenticate(request, name, password, **kwargs)

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        if obj is not None or user_obj.is_anonymous or not user_obj.is_active or user_obj.is_superuser:
            return super().get_all_permissions(user_obj, obj)
        if not hasattr(user_obj, "staff_permissions"):
            granted = Permission.objects.filter(Q(user=user_obj) | Q(group__user=user_obj)).order_by()
            names = granted.values_list("content_type__app_label", "codename").distinct()
            user_obj.staff_permissions = {f"{app}.{codename}" for app, codename in names}
        permissions: set[str] = user_obj.staff_permissions
        return permissions


# --- tokens -----------------------------------------------------------------------------------------


class StaffTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>`. Unlike knox's own, it keeps expired tokens: the admin lists them."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """Return the user and the token. Raises AuthenticationFailed."""
        try:
            key = token.decode("ascii").replace("\0", "")
        except UnicodeDecodeError as error:
            raise AuthenticationFailed(_("Invalid token.")) from error
        candidates = get_token_model().objects.filter(token_key=key[: CONSTANTS.TOKEN_KEY_LENGTH])
        for stored in candidates.select_related("user"):
            has_expired = stored.expiry is not None and stored.expiry < timezone.now()
            if compare_digest(hash_token(key), stored.digest) and not has_expired:
                user: tuple[Any, Any] = self.validate_user(stored)
                return user
        raise AuthenticationFailed(_("Invalid token."))


class StaffTokenScheme(KnoxTokenScheme):
    target_class = "web.authentication.StaffTokenAuthentication"


# --- browsers ---------------------------------------------------------------------------------------


class CrossSiteRequest(PermissionDenied):
    default_detail = _("This request came from a page of another site, so it was refused.")


class StaleForm(PermissionDenied):
    default_detail = _("This page was open for too long. Please go back, reload it and try again.")


def is_cross_site(request: Request) -> bool:
    """Return whether a browser sent this for a page of another site.

    Browsers send `Sec-Fetch-Site` over HTTPS and to localhost, and `Origin` with every POST. What sends neither is not
    a browser, and has no cookies that another site could use.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site:
        return site not in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    own = urlsplit(settings.APP_BASE_URL)
    return origin != f"{own.scheme}://{own.netloc}" and parts_of(origin).netloc != request.get_host()


def _refuse_cross_site(request: Request) -> None:
    if request.method not in SAFE_METHODS and is_cross_site(request):
        raise CrossSiteRequest


class StaffSession(SessionAuthentication):
    """The signed-in browser session of Django.

    Staff's own forms carry Django's CSRF token. Guests' pages carry none, also when staff use them: there the
    request's origin is checked instead.
    """

    def enforce_csrf(self, request: Request) -> None:
        view: Any = (request.parser_context or {}).get("view")
        if request.method in SAFE_METHODS or request.method not in view.allowed_methods:
            return  # safe, or about to be refused with 405
        if request.content_type and not _can_parse(request):
            raise UnsupportedMediaType(request.content_type)
        _refuse_cross_site(request)
        if needed(view, request.method or "") == PUBLIC:
            return
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise StaleForm from error


class StaffSessionScheme(SessionScheme):
    target_class = "web.authentication.StaffSession"


def _can_parse(request: Request) -> bool:
    return any(media_type_matches(parser.media_type, request.content_type) for parser in request.parsers or ())


class GuestOrigin(BaseAuthentication):
    """Authenticates nobody; refuses a guest's request that a page of another site sent.

    A guest's cookies are credentials too. Where the public may not call at all, the response is 401 instead.
    """

    def authenticate(self, request: Request) -> None:
        if needed((request.parser_context or {}).get("view"), request.method or "") == PUBLIC:
            _refuse_cross_site(request)


class GuestOriginScheme(OpenApiAuthenticationExtension):
    """Describes a check that is no way to authenticate."""

    target_class = "web.authentication.GuestOrigin"
    name = "GuestOrigin"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "Origin", "description": "For guests' forms alone."}

    def get_security_requirement(self, auto_schema: object) -> list[dict[str, list[str]]]:
        return []
