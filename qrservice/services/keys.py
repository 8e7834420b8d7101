"""Creating, checking, rotating and revoking API keys."""

import hashlib
import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from qrservice.models import Account, ApiKey

_PREFIX = "rq_"  # by which people and secret scanners recognise a key
_SHOWN = 10  # characters that are stored in clear, for lists


class KeyAlreadyReplaced(ValueError):
    """The key has a successor already, or is no longer valid."""


def _digest(secret: str) -> str:
    # A slow hash protects passwords that can be guessed; 256 random bits can't be.
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def create(
    *,
    account: Account,
    name: str = "",
    can_generate: bool = True,
    can_read_analytics: bool = True,
    expires_at: datetime | None = None,
    replaces: ApiKey | None = None,
) -> tuple[ApiKey, str]:
    """Return a new key and its secret, which is not stored and can't be shown again."""
    secret = _PREFIX + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        account=account,
        name=name,
        prefix=secret[:_SHOWN],
        digest=_digest(secret),
        can_generate=can_generate,
        can_read_analytics=can_read_analytics,
        expires_at=expires_at,
        replaces=replaces,
    )
    return key, secret


def recognise(secret: str) -> ApiKey | None:
    """Return the valid key with this secret, or None."""
    key = ApiKey.objects.select_related("account").filter(digest=_digest(secret)).first()
    return key if key is not None and key.is_valid else None


def rotate(*, key: ApiKey) -> tuple[ApiKey, str]:
    """Return a new key with the same scopes, and its secret.

    `key` stays valid until the new one is rotated, so that two are valid at a time. Raises KeyAlreadyReplaced.
    """
    with transaction.atomic():
        locked = ApiKey.objects.select_for_update().get(pk=key.pk)
        if not locked.is_valid or ApiKey.objects.filter(replaces=locked).exists():
            raise KeyAlreadyReplaced("This key has a successor already, or is no longer valid.")
        if locked.replaces_id:
            ApiKey.objects.filter(pk=locked.replaces_id, revoked_at=None).update(revoked_at=timezone.now())
        return create(
            account=locked.account,
            name=locked.name,
            can_generate=locked.can_generate,
            can_read_analytics=locked.can_read_analytics,
            expires_at=locked.expires_at,
            replaces=locked,
        )


def revoke(*, key: ApiKey) -> None:
    """Make the key invalid. Revoking it again changes nothing."""
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())


def account_named(name: str) -> Account:
    """Return the account of this name, and create it if there is none."""
    account, _ = Account.objects.get_or_create(name=name)
    return account
