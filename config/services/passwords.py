"""Temporary passwords, and those that people choose themselves."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction

from config.errors import PasswordChangedMeanwhile
from config.models import TemporaryPassword

# Without l, o, 0 and 1, which are easily misread: 32 characters, five bits each.
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def generate() -> str:
    """Return sixty random bits as three groups of four characters, to be read aloud and typed on a phone."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))


def is_temporary(user: User) -> bool:
    """Return whether the user has to choose another password."""
    return TemporaryPassword.objects.filter(user=user).exists()


def choose(*, user: User, password: str) -> None:
    """Store the user's own password, which is not temporary.

    `user` is as it was when the old password was checked. Raises PasswordChangedMeanwhile.
    """
    before = user.password
    user.set_password(password)
    with transaction.atomic():
        if User.objects.select_for_update().get(pk=user.pk).password != before:
            raise PasswordChangedMeanwhile
        user.save(update_fields=["password"])
        TemporaryPassword.objects.filter(user=user).delete()
