"""The contract of a backend, and what crosses the gateway."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any


class QRServiceError(Exception):
    """Something went wrong with the QR code service."""


class Unavailable(QRServiceError):
    """It can't be reached, or does not answer in time."""


class RefusedKey(QRServiceError):
    """It does not accept our API key."""


class BadRequest(QRServiceError):
    """It understood the call and refused what was asked."""


class BadResponse(QRServiceError):
    """It answered what the interface does not allow."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """Answer to the creation of a code (document 1)."""

    analytics_id: str
    qr_code_url: str
    short_url: str


class Backend(ABC):
    @abstractmethod
    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode:
        """Raises QRServiceError; then nothing was made."""

    @abstractmethod
    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        """The current address of the image whose address at creation was `qr_code_url`."""
