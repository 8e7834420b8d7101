"""The contract of a backend, and what crosses the gateway (document 1, decisions 3.1 and 3.11)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _

from web.errors import ServiceUnavailable


class QRServiceError(ServiceUnavailable):
    """Something went wrong with the QR code service."""

    sentence = _("The QR code service sent a response that this installation can't use.")


class Unavailable(QRServiceError):
    """It can't be reached, or does not respond in time."""

    sentence = _("The QR code service can't be reached at the moment.")


class RefusedKey(QRServiceError):
    """It does not accept our API key, or the key may not do this."""

    sentence = _("The QR code service does not accept this installation's key.")


class BadRequest(QRServiceError):
    """It understood the call and refused what was asked."""


class UnknownCode(BadRequest):
    """It has no code with this analytics id."""


class BadResponse(QRServiceError):
    """It answered what the interface does not allow."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """Answer to the creation of a code."""

    analytics_id: str
    qr_code_url: str
    short_url: str


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """One scan. `scanned_at` is aware; texts are empty when unknown."""

    scanned_at: datetime
    device_type: str
    city: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class Analytics:
    """All scans of a code, oldest first."""

    total_scans: int
    scans: list[ScanRecord]


@dataclass(frozen=True, slots=True)
class ScanSummary:
    """What a code's scans come to: their number, and the cities they came from, by name, empty ones left out."""

    total_scans: int
    cities: list[str]


ScanKey = Literal["weekday", "hour", "device_type"]
ScanKeys = tuple[ScanKey, ...]
Counts = dict[tuple[Any, ...], int]


@dataclass(frozen=True, slots=True)
class ScanCounts:
    """Scans by period and key. `unknown`: the analytics ids that the service does not know, which count nothing."""

    periods: list[Counts]
    unknown: frozenset[str]


class Backend(ABC):
    """Every method raises QRServiceError, and then nothing was made or changed.

    One exception lies in the nature of networks: a hosted service whose answer was lost on its way has done what it
    was asked, and nobody here knows. A code made like that belongs to nothing.
    """

    @abstractmethod
    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode: ...

    @abstractmethod
    def analytics(self, *, analytics_id: str) -> Analytics:
        """Raises UnknownCode beside the others."""

    @abstractmethod
    def scans(self, *, analytics_id: str, since: datetime) -> Iterator[ScanRecord]:
        """The scans after `since` (aware), oldest first. Raises when it is called, not while it is read."""

    @abstractmethod
    def scan_summary(self, *, analytics_id: str) -> ScanSummary:
        """Raises UnknownCode beside the others."""

    @abstractmethod
    def count_scans(
        self, *, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
    ) -> ScanCounts:
        """The scans of all these codes together; see `gateway.count_scans`."""

    @abstractmethod
    def update_code(
        self, *, analytics_id: str, redirect_url: str | None, metadata: dict[str, Any] | None, status: str | None
    ) -> None:
        """Change what is not None. Raises UnknownCode beside the others."""

    @abstractmethod
    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        """The current address of the image whose address at creation was `qr_code_url`."""

    def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of connections."""
