"""Counting scans that come as records, code by code, from a service that can't count them itself."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime
from zoneinfo import ZoneInfo

from qrservice.backends.base import Counts, QRServiceError, ScanCounts, ScanKeys, ScanRecord, UnknownCode

AT_ONCE = 8  # codes whose scans one report fetches at a time


def count_together(
    scans: Callable[[str], Iterable[ScanRecord]],
    analytics_ids: Sequence[str],
    *,
    by: ScanKeys,
    edges: Sequence[datetime],
    zone: ZoneInfo,
) -> ScanCounts:
    """See `gateway.count_scans`. `scans` reads a code's, in a thread; the first failure but UnknownCode is raised."""
    periods: list[Counts] = [Counter() for _ in edges[1:]]
    unknown = set()

    def count(analytics_id: str) -> list[Counts]:
        # Reduced in the threads, so that no more than AT_ONCE answers are held.
        return _count(scans(analytics_id), by=by, edges=edges, zone=zone)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(count, each): each for each in dict.fromkeys(analytics_ids)}
        for done in as_completed(asked):
            try:
                for whole, part in zip(periods, done.result(), strict=True):
                    whole.update(part)
            except UnknownCode:
                unknown.add(asked[done])
            except QRServiceError:
                # A sum without some of its parts would be a wrong figure: the others need not be asked for.
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return ScanCounts(periods=[dict(each) for each in periods], unknown=frozenset(unknown))


def _count(scans: Iterable[ScanRecord], *, by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo) -> list[Counts]:
    periods: list[Counts] = [Counter() for _ in edges[1:]]
    for scan in scans:
        # On an edge, a scan belongs to the period that ends there.
        place = bisect_left(edges, scan.scanned_at) - 1
        if 0 <= place < len(periods):
            local = scan.scanned_at.astimezone(zone)
            keys = {"weekday": local.isoweekday() % 7, "hour": local.hour, "device_type": scan.device_type}
            periods[place][tuple(keys[key] for key in by)] += 1
    return periods
