"""Counts the scan records of several codes, for a service that returns them code by code."""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime
from zoneinfo import ZoneInfo

from qrservice.backends.base import Counts, QRServiceError, ScanCounts, ScanKeys, ScanRecord, UnknownCode, scan_key

CONCURRENCY = 8  # codes that one report reads at a time


def count_together(
    scans: Callable[[str], Iterable[ScanRecord]],
    analytics_ids: Sequence[str],
    *,
    by: ScanKeys,
    edges: Sequence[datetime],
    zone: ZoneInfo,
) -> ScanCounts:
    """Count as `gateway.count_scans`. `scans` reads one code's, in a thread. Raises its first error but UnknownCode."""
    periods: list[Counts] = [Counter() for _ in edges[1:]]
    unknown = set()
    has_failed = threading.Event()

    def count(analytics_id: str) -> list[Counts]:
        # A sum without the code that failed would be wrong, so the others are not read. Each thread looks for itself:
        # it may finish several codes before the caller learns of a failure.
        try:
            records = () if has_failed.is_set() else scans(analytics_id)
            # Reduced in the thread, so that at most CONCURRENCY responses are in memory.
            return _count(records, by=by, edges=edges, zone=zone)
        except QRServiceError as error:
            if not isinstance(error, UnknownCode):
                has_failed.set()
            raise

    with ThreadPoolExecutor(CONCURRENCY) as pool:
        futures = {pool.submit(count, analytics_id): analytics_id for analytics_id in dict.fromkeys(analytics_ids)}
        for future in as_completed(futures):
            try:
                for whole, part in zip(periods, future.result(), strict=True):
                    whole.update(part)
            except UnknownCode:
                unknown.add(futures[future])
    return ScanCounts(periods=[dict(counts) for counts in periods], unknown=frozenset(unknown))


def _count(scans: Iterable[ScanRecord], *, by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo) -> list[Counts]:
    periods: list[Counts] = [Counter() for _ in edges[1:]]
    for scan in scans:
        # A scan on an edge belongs to the period that ends there.
        index = bisect_left(edges, scan.scanned_at) - 1
        if 0 <= index < len(periods):
            periods[index][scan_key(by, scan.scanned_at.astimezone(zone), scan.device_type)] += 1
    return periods
