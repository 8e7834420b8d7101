"""Scans of the tables' codes, as far as the QR code service knows them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from qrservice import gateway
from web.windows import TICK, YEAR_BEFORE, Period

log = logging.getLogger(__name__)

Keys = tuple[Literal["weekday", "hour", "device_type"], ...]


@dataclass(frozen=True, slots=True)
class Scans:
    """Scans of a window by key, and the number of those in the window before; None if they are not known."""

    counts: dict[tuple[Any, ...], int] | None = None
    before: int | None = None
    unknown: frozenset[str] = frozenset()  # codes that the service does not know
    warnings: list[str] = field(default_factory=list)

    @property
    def total(self) -> int | None:
        return None if self.counts is None else sum(self.counts.values())


def count(codes: Sequence[str], *, by: Keys, period: Period) -> Scans:
    """The scans of these codes in the period and in the one before.

    Both come from one call, because a hosted service is called code by code. Those of last year are not counted: a
    hosted service would have to send every scan since.
    """
    if not codes:
        return Scans(counts={}, before=0)
    with_before = period.compare != YEAR_BEFORE
    windows = [period.before, period.window] if with_before else [period.window]
    edges = sorted({edge for window in windows for edge in (window.start - TICK, window.until)})
    try:
        scans = gateway.count_scans(analytics_ids=codes, by=by, edges=edges, zone=period.zone)
    except gateway.QRServiceError as error:
        log.error("%s: %s", type(error).__name__, error)
        return Scans(warnings=[str(error.sentence)])
    before = sum(scans.periods[0].values()) if with_before else None
    return Scans(counts=scans.periods[-1], before=before, unknown=scans.unknown)
