"""The second step of signing in: a passkey, the code of an authenticator app, or a recovery code where both are lost.

`webauthn` takes an eighth of a second to import, so that only passkeys wait for it.
"""

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django_otp import devices_for_user
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.errors import CodeRefused
from config.models import Passkey
from config.services import passwords
from web import venue
from web.hosts import own_host, own_origin


def factors(user: User) -> list[Any]:
    """Return the user's passkeys and apps: `persistent_id`, `name`, `last_used_at`. Whoever has one is asked for it."""
    return [device for model in (Passkey, TOTPDevice) for device in model.objects.filter(user=user).order_by("pk")]


def app_address(user: User, key: str) -> str:
    """Return what an app reads from a QR code. `key` is hexadecimal."""
    issuer = venue.name().replace(":", "")
    query = urlencode({"secret": b32encode(bytes.fromhex(key)).decode(), "issuer": issuer}, quote_via=quote)
    return f"otpauth://totp/{quote(f'{issuer}:{user.username}')}?{query}"


def add_app(user: User, *, name: str, key: str, code: str) -> list[str]:
    """Return recovery codes. Raises CodeRefused if the app shows another code."""
    with transaction.atomic():
        if not key or not TOTPDevice(user=user, name=name, key=key).verify_token(_plain(code)):  # which saves it
            raise CodeRefused
        return _renew_recovery_codes(user)


def _renew_recovery_codes(user: User) -> list[str]:
    """Return ten codes in place of earlier ones; only their hashes are stored."""
    codes = [passwords.generate() for _number in range(10)]
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user)
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_hashed(each)) for each in codes)
    _log(user, user, _("Second step added."))
    return codes


def remove(user: User, *ids: str, by: User) -> int:
    """Remove the factors with these `persistent_id`, or all, and return how many.

    The last takes the recovery codes with it.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        chosen = [factor for factor in factors(user) if not ids or factor.persistent_id in ids]
        for factor in chosen:
            factor.delete()
        if chosen:
            _log(user, by, _("Second step removed."))
        if not factors(user):
            StaticDevice.objects.filter(user=user).delete()
    return len(chosen)


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


# --- passkeys ---------------------------------------------------------------------------------------


def are_passkeys_possible() -> bool:
    """Return whether browsers allow them at APP_BASE_URL: they need HTTPS, or localhost, and a name."""
    host = own_host()
    return (own_origin().startswith("https:") or host == "localhost") and not re.fullmatch(r"[\d.]+|.*:.*", host)


def passkey_options(user: User, *, is_new: bool) -> tuple[str, str]:
    """Return what a browser has to know, as JSON, and the challenge in it."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    ids = Passkey.objects.filter(user=user).order_by("pk").values_list("credential_id", flat=True)
    known = [PublicKeyCredentialDescriptor(id=bytes(each)) for each in ids]
    options: Any = webauthn.generate_authentication_options(rp_id=own_host(), allow_credentials=known)
    if is_new:
        options = webauthn.generate_registration_options(
            rp_id=own_host(),
            rp_name=venue.name(),
            user_id=str(user.pk).encode(),
            user_name=user.username,
            exclude_credentials=known,
        )
    return webauthn.options_to_json(options), bytes_to_base64url(options.challenge)


def add_passkey(user: User, *, name: str, credential: str, challenge: str) -> list[str]:
    """Return recovery codes. Raises CodeRefused."""
    import webauthn

    with _refusing(), transaction.atomic():
        made = webauthn.verify_registration_response(credential=credential, **_expected(challenge))
        passkey = Passkey(user=user, name=name, credential_id=made.credential_id, sign_count=made.sign_count)
        passkey.public_key = made.credential_public_key
        passkey.set_last_used_timestamp()
        return _renew_recovery_codes(user)


def check_passkey(user: User, *, credential: str, challenge: str) -> None:
    """Raises CodeRefused."""
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json

    with _refusing(), transaction.atomic():
        raw_id = parse_authentication_credential_json(credential).raw_id
        passkey = Passkey.objects.select_for_update().get(user=user, credential_id=raw_id)
        used = webauthn.verify_authentication_response(
            credential=credential,
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            **_expected(challenge),
        )
        passkey.sign_count = used.new_sign_count
        passkey.set_last_used_timestamp()


@contextmanager
def _refusing() -> Iterator[None]:
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except (WebAuthnException, ValueError, IntegrityError, Passkey.DoesNotExist) as error:
        raise CodeRefused(_("This passkey can't be used here.")) from error


def _expected(challenge: str) -> dict[str, Any]:
    from webauthn import base64url_to_bytes

    if not challenge:
        raise ValueError("Nothing was asked for.")
    challenge_bytes = base64url_to_bytes(challenge)
    return {"expected_challenge": challenge_bytes, "expected_rp_id": own_host(), "expected_origin": own_origin()}
