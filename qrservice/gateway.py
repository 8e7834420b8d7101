"""THE door to QR codes: what the other apps may call, and the errors that may come back.

Behind it stands the built-in service, called in-process (decision 3.1). It is never called inside a database
transaction and refuses to be: a call may be a network call, and a lock must not wait for a network.
"""

from collections.abc import Mapping
from functools import cache

from django.db import connection

from qrservice.backends.base import (
    Backend,
    BadRequest,
    BadResponse,
    NewCode,
    QRServiceError,
    RefusedKey,
    Unavailable,
)

__all__ = [
    "BadRequest",
    "BadResponse",
    "NewCode",
    "QRServiceError",
    "RefusedKey",
    "Unavailable",
    "create_code",
    "image_url",
]


@cache
def _backend() -> Backend:
    from qrservice.backends.embedded import EmbeddedBackend

    return EmbeddedBackend()


def _refuse_in_transaction() -> None:
    # The blocks in which a TestCase wraps a test are not the caller's.
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise RuntimeError("qrservice.gateway was called inside a database transaction. Call it before or after.")


def create_code(*, redirect_url: str, metadata: Mapping[str, str | int] | None = None) -> NewCode:
    """Make a dynamic code that leads to `redirect_url` (absolute, http or https). Raises QRServiceError."""
    _refuse_in_transaction()
    return _backend().create_code(redirect_url=redirect_url, metadata=dict(metadata or {}))


def image_url(qr_code_url: str, *, size: int | None = None) -> str:
    """The address of a code's image as it is now, from the one stored at its creation; `size` is its edge in pixels."""
    return _backend().image_url(qr_code_url, size=size)
