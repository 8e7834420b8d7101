"""The QR codes of members, locations and redemptions."""

import logging
from typing import Any

from django.conf import settings

from qrservice import gateway

log = logging.getLogger(__name__)


def to_create(path: str, metadata: dict[str, str]) -> gateway.CodeToCreate:
    return gateway.CodeToCreate(f"{settings.APP_BASE_URL}/{path}", metadata)


def create(path: str, metadata: dict[str, str]) -> gateway.NewCode:
    """Create a code that leads to this path. Raises gateway.QRServiceError."""
    return gateway.create_code(redirect_url=f"{settings.APP_BASE_URL}/{path}", metadata=metadata)


def assign(owner: Any, code: gateway.NewCode) -> None:
    """Set the code on a member or a redemption, without saving it."""
    owner.qr_analytics_id, owner.qr_code_url, owner.short_url = code.analytics_id, code.qr_code_url, code.short_url


def disable(code: gateway.NewCode) -> None:
    """Disable a code whose owner was not stored after all. A failure is logged: nothing leads to the code."""
    try:
        gateway.update_code(analytics_id=code.analytics_id, status="disabled")
    except gateway.QRServiceError as error:
        log.warning("The unused code %s could not be disabled: %s", code.analytics_id, error)
