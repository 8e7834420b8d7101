"""Shared devices, and the PINs with which people sign in on them.

Whoever takes a PIN or a device away waits for a sign-in that is under way, and ends it.
"""

from collections.abc import Sequence
from datetime import timedelta
from secrets import randbelow
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from rest_framework.exceptions import Throttled

from config import devices
from config.errors import DeviceUnknown, NotEnrolled, WrongPin
from config.models import Device, Pin
from web.services import push

SHORTEST, LONGEST = 4, 8  # digits
_NEW = 6
_ROWS = ("0123456789", "9876543210")


def is_guessed_first(pin: str) -> bool:
    """Return whether it is such as 0000 or 1234."""
    return len(set(pin)) == 1 or any(pin in row for row in _ROWS)


def random_pin() -> str:
    pins = iter(lambda: f"{randbelow(10**_NEW):0{_NEW}}", "")
    return next(pin for pin in pins if not is_guessed_first(pin))


def enrol(*, name: str, by: User, instead_of: Device | None) -> Device:
    """Enrol a browser. One that is enrolled already only gets another name."""
    if instead_of is not None:
        Device.objects.filter(pk=instead_of.pk).update(name=name)
        instead_of.name = name
        return instead_of
    return Device.objects.create(name=name, enrolled_by_name=by.get_username(), last_seen_at=timezone.now())


def revoke(*, device_id: Any) -> Device:
    """End what is open on it. Again changes nothing. Raises DeviceUnknown."""
    Device.objects.filter(pk=device_id, revoked_at=None).update(revoked_at=timezone.now(), user=None)
    device = Device.objects.filter(pk=device_id).first()
    if device is None:
        raise DeviceUnknown
    push.end("user", device=device.pk)
    return device


def set_pin(*, user: User, hashed: str | None, on: Any = None) -> None:
    """Store the hash of a PIN, None to remove it. Lockouts end, and the user's sessions but that on the device `on`."""
    with transaction.atomic():
        if hashed is None:
            Pin.objects.filter(user=user).delete()
        else:
            Pin.objects.update_or_create(user_id=user.pk, defaults={"hash": hashed})
        Device.objects.filter(user=user).exclude(pk=on).update(user=None)
        AccessAttempt.objects.filter(username__startswith=_counted_as(user, "")).delete()


def switch(*, device: Device, username: str, pin: str) -> User:
    """Return who is signed in on the device from now on. Raises WrongPin, Throttled, NotEnrolled."""
    with_pin = User.objects.filter(username=username, is_active=True, pin__isnull=False) if "\0" not in username else []
    user = next(iter(with_pin), None)
    if user is None:
        raise WrongPin
    hashed = Pin.objects.get(user=user).hash
    _check(user, device, pin, hashed)
    now = timezone.now()
    with transaction.atomic():
        if not Pin.objects.select_for_update().filter(user=user, hash=hashed).exists():
            raise WrongPin
        free = Device.objects.filter(pk=device.pk, revoked_at=None)
        if not free.update(user=user, active_at=now, last_seen_at=now):
            raise NotEnrolled
        push.hand_over(device=device.pk, user=user)
        User.objects.filter(pk=user.pk).update(last_login=now)
    devices.note_presence(user.pk)
    return user


def _check(user: User, device: Device, pin: str, hashed: str) -> None:
    """Count the guess before it is compared: those that are made at once would not know of one another."""
    name, since = _counted_as(user, device.pk), timezone.now() - settings.AXES_COOLOFF_TIME
    guess = AccessAttempt.objects.create(username=name, failures_since_start=1)
    guesses = AccessAttempt.objects.filter(username=name, attempt_time__gt=since)
    others: Sequence[Any] = guesses.exclude(pk=guess.pk).order_by("attempt_time").values_list("attempt_time", flat=True)
    if len(others) >= settings.SIGN_IN_FAILURES_PER_USERNAME:
        guess.delete()
        wait = others[len(others) - settings.SIGN_IN_FAILURES_PER_USERNAME] - since
        raise Throttled(max(wait, timedelta(seconds=1)).total_seconds())
    if not check_password(pin, hashed):
        raise WrongPin
    guesses.delete()


def _counted_as(user: User, device: object) -> str:
    """In capitals, so that nobody counts for it by typing this as a user name, which is folded."""
    return f"PIN OF {user.pk} ON {device}"


def lock(*, device: Device, user: User) -> None:
    """Lock the device if it is this user who is signed in. Again changes nothing."""
    Device.objects.filter(pk=device.pk, user=user).update(user=None)
