"""Print jobs: the next one of a printer, and its outcome.

Whoever calls `begin` holds the printer's lock (`hold`), so that two processes never print for one printer.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant.ordering.models import Printer, PrintJob

ABANDONED_AFTER = timedelta(hours=1)  # of a printer that is not active
TOO_OLD_AFTER = timedelta(hours=12)  # of any: nobody cooks last night's orders
PULSE_TOO_OLD_AFTER = timedelta(seconds=20)  # a drawer must not open when nobody stands before it
_LOCKS = 7_305_003  # an arbitrary number, the same in every process; the printer's id is beside it


@dataclass(frozen=True, slots=True)
class Job:
    """The next job of a printer.

    `covered_slips` are slips about the same order that wait too: the docket leaves out what they cancel, and has the
    new table.
    """

    row: PrintJob
    covered_slips: list[int]


def waiting() -> int:
    """The number of dockets that wait for a printer that is active."""
    return _waiting().filter(printer__active=True).count()


def active_printers() -> dict[int, str]:
    """The names of active printers, by their ids."""
    return dict(Printer.objects.filter(active=True).values_list("pk", "name"))


def hold(printer_id: int) -> bool:
    """Take this printer for this thread's connection, until it ends; False while another one has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s::int)", [_LOCKS, printer_id])
        return bool(cursor.fetchone()[0])


def printer_with_work(printer_id: int) -> Printer | None:
    return Printer.objects.filter(pk=printer_id, active=True, jobs__state=PrintJob.State.WAITING).first()


def following(printer_id: int) -> Job | None:
    """The oldest job that waits for this printer."""
    pulses = _waiting().filter(printer_id=printer_id, kind=PrintJob.Kind.PULSE)
    _drop(pulses.filter(created_at__lt=timezone.now() - PULSE_TOO_OLD_AFTER), _("It waited for too long."))
    jobs = _waiting().filter(printer_id=printer_id, printer__active=True).order_by("created_at", "pk")
    first = jobs.values("pk", "order_id", "kind", "attempts").first()
    if first is None:
        return None
    # Slips first: what they say is then in the order and its items for certain.
    covered: list[int] = []
    if first["kind"] == PrintJob.Kind.ORDER and not first["attempts"]:
        slips = _waiting().filter(printer_id=printer_id, order_id=first["order_id"]).exclude(pk=first["pk"])
        covered = list(slips.filter(attempts=0).values_list("pk", flat=True))
    rows = _waiting().select_related("printer", "order__table", "move__from_table", "move__to_table")
    row = rows.prefetch_related("order__items__menu_item", "order__items__station").filter(pk=first["pk"]).first()
    return Job(row, covered) if row else None


def begin(job: Job) -> bool:
    """Count an attempt, before its first byte is sent. False if the job isn't what it was any more."""
    # Outside a transaction: it is committed on return.
    rows = _waiting().filter(pk=job.row.pk, attempts=job.row.attempts)
    return bool(rows.update(attempts=F("attempts") + 1))


def set_printed(job_id: int, covered_slips: list[int], at: datetime) -> None:
    _waiting().filter(pk=job_id).update(state=PrintJob.State.PRINTED, printed_at=at, error="")
    if covered_slips:
        _drop(_waiting().filter(pk__in=covered_slips), _("The docket was right already."))


def set_needless(job: Job) -> None:
    """Drop a job of which nothing is left to print."""
    _drop(_waiting().filter(pk__in=[job.row.pk, *job.covered_slips]), _("Cancelled before it was printed."))


def set_failed(printer_id: int, error: str) -> None:
    """Note what is wrong on the oldest job of the printer."""
    oldest = _waiting().filter(printer_id=printer_id).order_by("created_at", "pk").values("pk")[:1]
    PrintJob.objects.filter(pk__in=oldest).exclude(error=error[:200]).update(error=error[:200])


def give_up(*, now: datetime | None = None) -> int:
    """Drop jobs that nobody waits for any more. Returns their number."""
    now = now or timezone.now()
    abandoned = Q(printer__active=False, created_at__lt=now - ABANDONED_AFTER)
    rows = _waiting().filter(abandoned | Q(created_at__lt=now - TOO_OLD_AFTER))
    ids = list(rows.values_list("pk", flat=True))
    return _drop(_waiting().filter(pk__in=ids), _("It waited for too long.")) if ids else 0


def _waiting() -> QuerySet[PrintJob]:
    return PrintJob.objects.filter(state=PrintJob.State.WAITING)


def _drop(rows: QuerySet[PrintJob], reason: str) -> int:
    return rows.update(state=PrintJob.State.DROPPED, error=reason)
