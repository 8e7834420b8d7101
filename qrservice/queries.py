"""Codes and their scans."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from psycopg import sql

from qrservice.addresses import is_slug, normalise_slug
from qrservice.backends.base import Counts, ScanCounts, ScanKeys, ScanRecord, ScanSummary, scan_key
from qrservice.models import Code, Scan
from web import hosts
from web.quarter_hours import by_quarter_hour


def code_by_slug(slug: str) -> Code | None:
    slug = normalise_slug(slug)
    return Code.objects.filter(slug=slug).first() if is_slug(slug) else None


# Not by the ORM, which takes four times as long: each code that is being scanned is looked up more than once a second.
_TO_FOLLOW = ["id", "analytics_id", "redirect_url", "base_url", "metadata", "status"]  # in the model's order
_CODE_TO_FOLLOW = f"SELECT {', '.join(_TO_FOLLOW)} FROM qrservice_code WHERE slug = %s"  # noqa: S608


def code_to_follow(slug: str) -> Code | None:
    """Return the code with this normalised slug, with what a redirect needs; its target's host is in ASCII."""
    if not is_slug(slug):
        return None
    with connection.cursor() as cursor:
        cursor.execute(_CODE_TO_FOLLOW, [slug])
        row = cursor.fetchone()
    if row is None:
        return None
    *values, metadata, status = row
    code = Code.from_db(connection.alias, _TO_FOLLOW, [*values, json.loads(metadata), status])
    code.redirect_url, code.base_url = hosts.with_host_in_dns(code.target), ""
    return code


def code_of_account(analytics_id: str, *, account_name: str) -> Code | None:
    """Return None for an unknown id, and for a code of another account."""
    return _codes([analytics_id], account_name).first()


def scans(code: Code) -> list[ScanRecord]:
    """Return the code's scans, oldest first."""
    rows = Scan.objects.filter(code=code).order_by("scanned_at", "id")
    return [ScanRecord(*row) for row in rows.values_list("scanned_at", "device_type", "city", "country")]


def scan_count(code: Code) -> int:
    return Scan.objects.filter(code=code).count()


# PostgreSQL writes the JSON, because Python takes ten times as long for a million scans. `to_json` escapes control
# characters, so that no row contains this CSV's quote or delimiter.
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
    """Yield the analytics record as blocks of JSON text, in bounded memory.

    `total_scans` counts all scans, also with `since`. It comes last: without `since` it is the number of scans written
    before it, so that the two agree while more arrive. Holds the thread's database connection until it is read to its
    end or closed.
    """
    statement = sql.SQL(_AS_JSON).format(code=sql.Literal(code.pk), since=sql.Literal(since or _BEGINNING))
    count, block, size = 0, [b'{"scans":['], 0
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")  # a slow client is no slow statement
        try:
            with cursor.copy(statement) as copy:
                for row in copy:
                    line = bytes(row)
                    block.append(line if count else line[1:])  # no comma before the first
                    count += 1
                    size += len(line)
                    if size >= _BLOCK:
                        yield b"".join(block)
                        block, size = [], 0
        finally:  # also when the client goes away in the middle
            cursor.execute("RESET statement_timeout")
    total = count if since is None else scan_count(code)
    yield b"".join(block) + b'],"total_scans":%d}' % total


# --- for reports ----------------------------------------------------------------------------------


def scan_summary(analytics_id: str, *, account_name: str) -> ScanSummary | None:
    """Return None where the account has no such code."""
    cities = ArrayAgg("scans__city", filter=Q(scans__city__gt=""), distinct=True, default=[])
    codes = _codes([analytics_id], account_name).annotate(total=Count("scans"), cities=cities)
    row = codes.values_list("total", "cities").first()
    return row and ScanSummary(total_scans=row[0], cities=sorted(row[1]))


def count_scans(
    analytics_ids: Sequence[str], *, account_name: str, by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
) -> ScanCounts:
    """Count as `gateway.count_scans`; codes of other accounts are unknown."""
    codes = dict(_codes(analytics_ids, account_name).values_list("pk", "analytics_id"))
    periods = [
        _count(Scan.objects.filter(code__in=list(codes), scanned_at__gt=since, scanned_at__lte=until), by, zone)
        for since, until in pairwise(edges)
    ]
    return ScanCounts(periods=periods, unknown=frozenset(analytics_ids).difference(codes.values()))


def _codes(analytics_ids: Iterable[str], account_name: str) -> QuerySet[Code]:
    # Ours are ASCII. Other texts, such as NUL and halves of surrogate pairs, the database may not accept.
    possible = [analytics_id for analytics_id in analytics_ids if analytics_id.isascii() and "\0" not in analytics_id]
    return Code.objects.filter(account__name=account_name, analytics_id__in=possible)


def _count(scans: QuerySet[Scan], by: ScanKeys, zone: ZoneInfo) -> Counts:
    """Count by quarters of an hour in UTC: local times take the database four times as long as counting."""
    counts: Counts = Counter()
    columns = [key for key in by if key == "device_type"]
    for second, *device, number in by_quarter_hour(scans, "scanned_at", *columns, scans=Count("*")):
        counts[scan_key(by, datetime.fromtimestamp(second, zone), "".join(device))] += number
    return dict(counts)


# --- for the admin --------------------------------------------------------------------------------

MAX_COUNTED = 10_000  # scans of a code or a list; counting ends there, so that its time is bounded


class _CountOf(Subquery):
    """The number of rows of a subquery, up to its limit."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def with_scans(codes: QuerySet[Code]) -> QuerySet[Code]:
    """Annotate codes with `scans_counted` (MAX_COUNTED + 1 stands for any larger number) and `last_scan`.

    Both are read from the index on code and time, for the fetched rows only: the time for a page of codes is bounded,
    whatever the number of scans.
    """
    own = Scan.objects.filter(code=OuterRef("pk"))
    return codes.annotate(
        scans_counted=_CountOf(own.order_by().values("code_id")[: MAX_COUNTED + 1]),
        last_scan=Subquery(own.order_by("-scanned_at").values("scanned_at")[:1]),
    )
