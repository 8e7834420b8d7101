"""Devices on which staff have signed in before, which others' wrong passwords don't lock out.

A signed cookie names the device and its users. It does not sign in: it only gives the device its own count of failures.
See "Limits" in docs/behaviour/common.md.
"""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from web.usernames import own_spelling

COOKIE = "staff_device"
MOST_USERS = 12  # per device; the latest to sign in are remembered
_SALT = "config.known_devices"
_LIFETIME = timedelta(days=365)


def find(request: HttpRequest, username: str | None) -> str | None:
    """Return the device's id if this user has signed in on it with the present password, otherwise None."""
    device, users = _read(request)
    if not users or not username or "\0" in username:
        return None
    user = User.objects.filter(username=own_spelling(username), is_active=True).first()
    if user is None or not constant_time_compare(users.get(str(user.pk), ""), _signature(device, user)):
        return None
    return device


def remember(request: HttpRequest, response: HttpResponse, user: Any) -> None:
    """Set the cookie after a sign-in, and after the user has changed the password on this device."""
    device, users = _read(request)
    users.pop(str(user.pk), None)
    users[str(user.pk)] = _signature(device, user)
    response.set_cookie(
        COOKIE,
        signing.dumps([device, dict(list(users.items())[-MOST_USERS:])], salt=_SALT),
        max_age=_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _read(request: HttpRequest) -> tuple[str, dict[str, str]]:
    """Return the device, a new one without a valid cookie, and signatures by the ids of its users."""
    try:
        device, users = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_LIFETIME)
    except signing.BadSignature:
        return secrets.token_urlsafe(9), {}
    return device, users


def _signature(device: str, user: Any) -> str:
    """Another password ends it."""
    return salted_hmac(_SALT, f"{device}:{user.pk}:{user.password}", algorithm="sha256").hexdigest()[:24]
