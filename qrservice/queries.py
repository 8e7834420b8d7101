"""Reading codes, keys and scans."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.db import connection
from psycopg import sql

from qrservice.addresses import is_slug, normalise_slug
from qrservice.backends.base import ScanRecord
from qrservice.models import Account, Code, Scan


def code_by_slug(slug: str) -> Code | None:
    slug = normalise_slug(slug)
    return Code.objects.filter(slug=slug).first() if is_slug(slug) else None


def code_of_account(account: Account, analytics_id: str) -> Code | None:
    """The account's code; another account's is as good as none (decision 3.8)."""
    if "\0" in analytics_id:
        return None
    return Code.objects.filter(account=account, analytics_id=analytics_id).first()


def scans(code: Code, *, since: datetime | None = None) -> Iterator[ScanRecord]:
    """The code's scans after `since`, oldest first, in bounded memory."""
    found = Scan.objects.filter(code=code).order_by("scanned_at", "id")
    if since is not None:
        found = found.filter(scanned_at__gt=since)
    for row in found.values_list("scanned_at", "device_type", "city", "country").iterator(chunk_size=5000):
        yield ScanRecord(*row)


def scan_count(code: Code) -> int:
    return Scan.objects.filter(code=code).count()


# PostgreSQL writes the JSON itself: in Python a million scans would take ten times as long. `to_json` escapes what
# needs it, control characters included, so that no row ever holds what ends or quotes a field of this CSV.
_AS_JSON = r"""
COPY (
    SELECT ',{{"scanned_at":"' || to_char(scanned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        || '","city":' || to_json(city) || ',"country":' || to_json(country)
        || ',"device_type":' || to_json(device_type) || '}}'
      FROM qrservice_scan WHERE code_id = {code} AND scanned_at > {since}
     ORDER BY scanned_at, id
) TO STDOUT (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')
"""
_BLOCK = 64 * 1024  # bytes
_BEGINNING = datetime(1, 1, 2, tzinfo=UTC)


def analytics_json(code: Code, *, since: datetime | None = None) -> Iterator[bytes]:
    """The analytics record (document 1) as JSON text, in blocks; memory does not grow with the scans.

    `total_scans` is the code's total, whatever `since` (decision 3.10). It comes last, because without `since` it
    is the number of scans that went before it, whatever was scanned meanwhile. Holds the thread's database
    connection until it is read to its end or closed.
    """
    statement = sql.SQL(_AS_JSON).format(code=sql.Literal(code.pk), since=sql.Literal(since or _BEGINNING))
    count, block, size = 0, [b'{"scans":['], 0
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in copy:
            line = bytes(row)
            block.append(line if count else line[1:])  # no comma before the first
            count += 1
            size += len(line)
            if size >= _BLOCK:
                yield b"".join(block)
                block, size = [], 0
    total = count if since is None else scan_count(code)
    yield b"".join(block) + b'],"total_scans":%d}' % total
