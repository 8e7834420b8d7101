"""Sessions on browsers that several people share. See "Shared devices" in docs/behaviour/common.md.

A signed cookie says which device a browser is, and opens nothing by itself. The device's row says who is signed in on
it: so a lock, another person and a revoked device end a session at once, wherever its cookie is.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, logout
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.utils import timezone

from config.groups import BY_PIN
from config.models import Device, Presence
from web import venue
from web.authentication import DEVICE, LOCKS_WITH, SAFE_METHODS, SHARED_DEVICE
from web.error_pages import refuse
from web.errors import PasswordNeeded
from web.fields import is_uuid
from web.negotiation import HTML, prefers_page
from web.services import push

_SIGN_IN = "/admin/login/"
PRESENT_EVERY = timedelta(minutes=1)  # at most, `Presence` is written
_SALT = "config.devices"
_LIFETIME = timedelta(days=365)
# What pages send by themselves: nobody needs to be there.
_SENT_BY_PAGES = ("/seen",)


def enrolled(request: Any) -> Device | None:
    """Return the device that this browser is; None if it is none, or was revoked."""
    try:
        device_id = signing.loads(request.COOKIES.get(SHARED_DEVICE, ""), salt=_SALT, max_age=_LIFETIME)
    except signing.BadSignature:
        return None
    return Device.objects.filter(pk=device_id, revoked_at=None).first() if is_uuid(device_id) else None


def remember(response: HttpResponse, device: Device) -> None:
    response.set_cookie(
        SHARED_DEVICE,
        signing.dumps(str(device.pk), salt=_SALT),
        max_age=_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


# --- who is signed in on it -----------------------------------------------------------------------------


class PinBackend(BaseBackend):
    """Knows who has signed in with a PIN: without what asks for the password. Such a user must not be saved whole."""

    def get_user(self, user_id: int) -> User | None:
        user: Any = User.objects.filter(pk=user_id, is_active=True).first()
        if user is None:
            return None
        may = BY_PIN if user.is_superuser else user.get_all_permissions()
        user.asks_for_password = user.is_staff or user.is_superuser or not may <= BY_PIN
        user.is_staff = user.is_superuser = False
        user.staff_permissions = BY_PIN & may
        found: User = user
        return found


def open_session(request: Any, user: User, device: Device) -> None:
    """Sign the user in. Not by Django's `login`, which would forget wrong passwords, and ask to change a password."""
    logout(request)
    session = request.session
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = f"{PinBackend.__module__}.{PinBackend.__qualname__}"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[DEVICE] = str(device.pk)
    rotate_token(request)


def signed_in(sender: object, request: Any, user: User, **_kwargs: Any) -> None:
    """Receive `user_logged_in`: a session that a password opens on a shared device locks with the device."""
    if request.session.pop(DEVICE, None):
        request.session.cycle_key()
    device = enrolled(request)
    if device is not None:
        bind(request.session, user, device)


def bind(session: Any, user: User, device: Device) -> None:
    session[LOCKS_WITH] = str(device.pk)
    push.hand_over(device=device.pk, user=user)
    Device.objects.filter(pk=device.pk).update(user=user, active_at=timezone.now())


def seconds_left(session: Any) -> float | None:
    """Return the time until the session locks by itself: 0 once it is locked, None if it is on no shared device."""
    device_id = session.get(DEVICE) or session.get(LOCKS_WITH)
    if not device_id:
        return None
    theirs = Device.objects.filter(pk=device_id, revoked_at=None, user=session.get(SESSION_KEY))
    active_at = theirs.values_list("active_at", flat=True).first()
    if active_at is None:
        return 0
    left = active_at + timedelta(minutes=venue.current().lock_after) - timezone.now()
    return max(left.total_seconds(), 0)


def is_locked(session: Any) -> bool:
    return seconds_left(session) == 0


class DeviceMiddleware:
    """Ends locked sessions, notes what people do in the others, and keeps PINs out of the admin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Guests have no session, and a response to them must not depend on one.
        if settings.SESSION_COOKIE_NAME in request.COOKIES and (left := seconds_left(request.session)) is not None:
            if left == 0:
                logout(request)
            elif _is_by_hand(request):
                _note(request.session)
            if DEVICE in request.session and request.path_info.startswith("/admin") and request.path_info != _SIGN_IN:
                return refuse(request, 403, str(PasswordNeeded.default_detail))
        return self.get_response(request)


def _is_by_hand(request: HttpRequest) -> bool:
    """Return whether a person sends this, and not a page that keeps itself up to date.

    Where browsers don't tell, because the connection is not secure, pages ask for HTML alone, and browsers for more.
    """
    if request.method not in SAFE_METHODS:
        return not request.path_info.endswith(_SENT_BY_PAGES)
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    return mode == "navigate" and prefers_page(request) and request.headers["Accept"] != HTML


def _note(session: Any) -> None:
    now, user_id = timezone.now(), session[SESSION_KEY]
    theirs = Device.objects.filter(pk=session.get(DEVICE) or session.get(LOCKS_WITH), user=user_id)
    if theirs.update(active_at=now, last_seen_at=now) and DEVICE in session:
        note_presence(user_id)


def note_presence(user_id: Any) -> None:
    now = timezone.now()
    theirs = {"user_id": int(user_id), "day": venue.day_of(now)}
    if not Presence.objects.filter(**theirs, last_at__gt=now - PRESENT_EVERY).exists():
        first = {"first_at": now, "last_at": now}
        Presence.objects.update_or_create(**theirs, defaults={"last_at": now}, create_defaults=first)
