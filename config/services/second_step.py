"""The second step of signing in: the code of an authenticator app, or a recovery code where the phone is lost."""

import hashlib
import re
from base64 import b32encode
from urllib.parse import quote, urlencode

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_otp import devices_for_user
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.errors import CodeRefused
from config.services import passwords
from web import venue


def apps(user: User) -> QuerySet[TOTPDevice]:
    """Return the user's authenticator apps. Whoever has one is asked for a code after the password."""
    return TOTPDevice.objects.filter(user=user).order_by("pk")


def app_address(user: User, key: str) -> str:
    """Return what an app reads from a QR code. `key` is hexadecimal."""
    issuer = venue.name().replace(":", "")
    query = urlencode({"secret": b32encode(bytes.fromhex(key)).decode(), "issuer": issuer}, quote_via=quote)
    return f"otpauth://totp/{quote(f'{issuer}:{user.username}')}?{query}"


def add_app(user: User, *, name: str, key: str, code: str) -> list[str]:
    """Return ten recovery codes in place of earlier ones; only their hashes are stored.

    Raises CodeRefused if the app shows another code.
    """
    codes = [passwords.generate() for _number in range(10)]
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not key or not TOTPDevice(user=user, name=name, key=key).verify_token(_plain(code)):  # which saves it
            raise CodeRefused
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user)
        StaticToken.objects.bulk_create(StaticToken(device=device, token=_hashed(each)) for each in codes)
        _log(user, user, _("Second step added."))
    return codes


def remove(user: User, app: int | None = None, *, by: User) -> int:
    """Remove one app, or all, and return how many. The last takes the recovery codes with it."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        chosen = apps(user) if app is None else apps(user).filter(pk=app)
        removed, _by_model = chosen.delete()
        if removed:
            _log(user, by, _("Second step removed."))
        if not apps(user).exists():
            StaticDevice.objects.filter(user=user).delete()
    return removed


def check_code(user: User, code: str) -> None:
    """Use up a code of an app, or a recovery code. Raises CodeRefused."""
    with transaction.atomic():
        for device in devices_for_user(user, for_verify=True):
            if device.verify_token(_hashed(code) if isinstance(device, StaticDevice) else _plain(code)):
                return
    raise CodeRefused


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def _hashed(code: str) -> str:
    """Return its hash, without a salt: sixty random bits are not guessed."""
    return hashlib.sha256(_plain(code).encode(errors="replace")).hexdigest()[:16]


def _log(user: User, by: User, sentence: str) -> None:
    """Add an entry to the history on the user's admin page."""
    LogEntry.objects.log_actions(by.pk, [user], CHANGE, sentence)
