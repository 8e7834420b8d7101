"""The QR codes of members, locations and redemptions."""

import logging
from typing import Any
from uuid import UUID

from django.conf import settings

from loyalty.members.models import Member
from qrservice import gateway

log = logging.getLogger(__name__)


def create_for_member(member: Member) -> gateway.NewCode:
    """Raises gateway.QRServiceError, as the two below."""
    return _create(f"member/{member.pk}", {"customer_id": str(member.pk), "type": "loyalty_member"})


def create_for_location(location_id: UUID, name: str) -> gateway.NewCode:
    metadata = {"location_id": str(location_id), "location_name": name, "type": "earn_points"}
    return _create(f"checkin/{location_id}", metadata)


def create_for_redemption(code: str, *, redemption_id: UUID, member_id: UUID, reward_id: UUID) -> gateway.NewCode:
    metadata = {
        "redemption_id": str(redemption_id),
        "customer_id": str(member_id),
        "reward_id": str(reward_id),
        "type": "reward_redemption",
    }
    return _create(f"use/{code}", metadata)


def _create(path: str, metadata: dict[str, Any]) -> gateway.NewCode:
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
