"""Tables and their codes."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from qrservice import gateway
from restaurant.errors import TableNumberTaken
from restaurant.tables import queries
from restaurant.tables.models import Table

# A table without a code that is older than this waits for nobody: the codes of a range take 40 seconds at most.
WAITS_FOR_CODE = timedelta(minutes=1)
CODE_FIELDS = ("qr_analytics_id", "qr_code_url", "short_url")


@dataclass(frozen=True, slots=True)
class AddedTables:
    """The numbers of a range, in order. Those of `refused` could get no code and are not stored; `error` says why."""

    added: list[int]
    kept: list[int]
    refused: list[int]
    error: gateway.QRServiceError | None = None


def _to_create(table: Table) -> gateway.CodeToCreate:
    """Return the code that leads to the table's menu."""
    return gateway.CodeToCreate(
        redirect_url=f"{settings.APP_BASE_URL}/table/{table.table_number}",
        metadata={"table_number": table.table_number, "section": table.section, "type": "restaurant_table"},
    )


def new_code(table: Table) -> gateway.NewCode:
    """Create a code that leads to the table's menu. Raises gateway.QRServiceError."""
    code = _to_create(table)
    return gateway.create_code(redirect_url=code.redirect_url, metadata=code.metadata)


def _set_code(table: Table, code: gateway.NewCode) -> None:
    table.qr_analytics_id, table.qr_code_url, table.short_url = code.analytics_id, code.qr_code_url, code.short_url


def create(*, table_number: int, section: str = "", capacity: int | None = None) -> Table:
    """Store a table with its code. Raises TableNumberTaken, gateway.QRServiceError; then nothing was stored."""
    if Table.objects.filter(table_number=table_number).exists():
        raise TableNumberTaken
    table = Table(table_number=table_number, section=section, capacity=capacity)
    _set_code(table, new_code(table))
    try:
        with transaction.atomic():
            table.save(force_insert=True)
    except IntegrityError as error:  # it was created since the check
        raise TableNumberTaken from error
    return table


def create_range(*, first: int, last: int, section: str = "", capacity: int | None = None) -> AddedTables:
    """Store the tables from `first` to `last` that don't exist, with their codes; the others stay as they are.

    A table is stored before its code is made, so of two requests at once one makes it. Those that get none are taken
    back. Raises gateway.QRServiceError if that is all of them.
    """
    numbers = range(first, last + 1)
    new = [Table(table_number=number, section=section, capacity=capacity) for number in numbers]
    with transaction.atomic():
        Table.objects.bulk_create(new, ignore_conflicts=True)
        stored = Table.objects.filter(pk__in=[table.pk for table in new])
        own = list(stored)
    # Whoever stored these has ended without making their codes.
    abandoned = Table.objects.filter(
        table_number__range=(first, last), qr_analytics_id="", created_at__lt=timezone.now() - WAITS_FOR_CODE
    )
    made = _give_codes([*own, *abandoned])
    if made.error is not None:
        stored.filter(qr_analytics_id="", sessions=None).delete()
        if not made.codes:
            raise made.error
    added = list(stored.values_list("table_number", flat=True))
    refused = sorted({table.table_number for table in own} - set(added))
    kept = [number for number in numbers if number not in {*added, *refused}]
    return AddedTables(added, kept, refused, made.error)


def _give_codes(tables: list[Table]) -> gateway.NewCodes:
    """Make their codes and store them, those that were made before an error too."""
    made = gateway.create_codes([_to_create(table) for table in tables])
    unused = []
    with transaction.atomic():
        for table, code in zip(tables, made.codes, strict=False):
            without_code = Table.objects.filter(pk=table.pk, qr_analytics_id="")
            if not without_code.update(
                qr_analytics_id=code.analytics_id, qr_code_url=code.qr_code_url, short_url=code.short_url
            ):
                unused.append(code)
    for code in unused:  # somebody saved the table in the admin meanwhile
        with suppress(gateway.QRServiceError):
            gateway.update_code(analytics_id=code.analytics_id, status="disabled")
    return made


def give_code(*, table: Table) -> None:
    """Make the table's code if it has none yet: after a save in the admin. Raises gateway.QRServiceError."""
    if not table.qr_analytics_id:
        _set_code(table, new_code(table))
        table.save(update_fields=CODE_FIELDS)


def replace_code(*, table_number: int) -> Table:
    """Give the table a new code; the old one leads nowhere any more. Raises TableUnknown, gateway.QRServiceError."""
    table = queries.table(table_number)
    code = new_code(table)
    if table.qr_analytics_id:
        gateway.update_code(analytics_id=table.qr_analytics_id, status="disabled")
    _set_code(table, code)
    table.save(update_fields=CODE_FIELDS)
    return table
