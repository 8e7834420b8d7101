"""The interface of a backend, with the types and errors that it shares with `qrservice.gateway`."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _

from web.errors import ServiceUnavailable

TOGETHER_DEADLINE = 25.0  # seconds: no code of several is begun later


class QRServiceError(ServiceUnavailable):
    """A failure of the QR code service. `str(error)` is for the log, `error.sentence` for people."""

    sentence = _("The QR code service sent a response that this installation can't use.")


class Unavailable(QRServiceError):
    """The service can't be reached, or does not respond in time."""

    sentence = _("The QR code service can't be reached at the moment.")


class RefusedKey(QRServiceError):
    """The service does not accept the API key, or not for this call."""

    sentence = _("The QR code service does not accept this installation's key.")


class BadRequest(QRServiceError):
    """The service does not accept the values of the call."""


class UnknownCode(BadRequest):
    """The service has no code with this analytics id."""

    sentence = _("The QR code service does not know this code.")


class BadResponse(QRServiceError):
    """The response is incomplete or not valid."""


@dataclass(frozen=True, slots=True)
class NewCode:
    analytics_id: str
    qr_code_url: str
    short_url: str


@dataclass(frozen=True, slots=True)
class CodeToCreate:
    redirect_url: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewCodes:
    """The codes that were created, in order, up to `error`; all of them if it is None."""

    codes: list[NewCode]
    error: QRServiceError | None = None


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """A scan. `scanned_at` is aware; texts are empty when unknown."""

    scanned_at: datetime
    device_type: str
    city: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class Analytics:
    """The scans of a code, oldest first."""

    total_scans: int
    scans: list[ScanRecord]


@dataclass(frozen=True, slots=True)
class ScanSummary:
    """The number of a code's scans, and their known cities in alphabetical order."""

    total_scans: int
    cities: list[str]


ScanKey = Literal["weekday", "hour", "device_type"]
ScanKeys = tuple[ScanKey, ...]
Counts = dict[tuple[Any, ...], int]


def scan_key(by: ScanKeys, local: datetime, device_type: str) -> tuple[Any, ...]:
    """Return the key of a scan at this local time. Weekdays are numbered from 0, a Sunday."""
    values = {"weekday": local.isoweekday() % 7, "hour": local.hour, "device_type": device_type}
    return tuple(values[key] for key in by)


@dataclass(frozen=True, slots=True)
class ScanCounts:
    """Scans by period and key. `unknown`: the analytics ids that the service does not know."""

    periods: list[Counts]
    unknown: frozenset[str]


class Backend(ABC):
    """The interface of a source of codes. Methods raise QRServiceError, and then have created or changed nothing.

    One exception is inherent to networks: when the response of a hosted service is lost, the code may have been
    created. It then belongs to nothing.
    """

    @abstractmethod
    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode: ...

    def create_codes(self, to_create: Sequence[CodeToCreate]) -> NewCodes:
        """Create the codes one by one. Raises nothing: those created before an error are usable."""
        created: list[NewCode] = []
        end = monotonic() + TOGETHER_DEADLINE
        for values in to_create:
            if monotonic() > end:
                return NewCodes(created, Unavailable("The QR code service did not create all codes in time."))
            try:
                created.append(self.create_code(redirect_url=values.redirect_url, metadata=values.metadata))
            except QRServiceError as error:
                return NewCodes(created, error)
        return NewCodes(created)

    @abstractmethod
    def analytics(self, *, analytics_id: str) -> Analytics: ...

    @abstractmethod
    def scan_summary(self, *, analytics_id: str) -> ScanSummary: ...

    @abstractmethod
    def count_scans(
        self, *, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
    ) -> ScanCounts:
        """See `gateway.count_scans`."""

    @abstractmethod
    def update_code(
        self, *, analytics_id: str, redirect_url: str | None, metadata: dict[str, Any] | None, status: str | None
    ) -> None:
        """Change the values that are not None."""

    @abstractmethod
    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        """See `gateway.image_url`."""
