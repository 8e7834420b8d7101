"""Printing as `print_tickets` does, in a thread of the test."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psutil

from restaurant.kitchen.printing import Patience
from restaurant.kitchen.printing.workers import Printing
from restaurant.models import PrintJob
from tests.servers import PATIENCE, ROOT, database_url, wait_for

QUICK = Patience(
    connect=PATIENCE,
    answer=PATIENCE,
    line=0.0,
    poll=0.1,
    pause=0.05,
    longest_pause=0.1,
    longest_after_copy=0.1,
    stop=1.0,
)
# For printers that say nothing.
IMPATIENT = replace(QUICK, answer=2.0)


@contextmanager
def printing(patience: Patience = QUICK) -> Iterator[Printing]:
    own = Printing(patience)
    thread = threading.Thread(target=own.run)
    thread.start()
    try:
        yield own
    finally:
        own.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def state(job: PrintJob) -> tuple[str, int, str]:
    job.refresh_from_db()
    return job.state, job.attempts, job.error


def wait_until_printed(*jobs_: PrintJob) -> None:
    ids = [job.pk for job in jobs_]
    wait_for(lambda: not PrintJob.objects.filter(pk__in=ids).exclude(state="printed").exists(), "the dockets")


def wait_for_error(job: PrintJob, sentence: str) -> None:
    wait_for(lambda: sentence in state(job)[2], sentence)


def print_tickets() -> subprocess.Popen[bytes]:
    own = {"DATABASE_URL": database_url(), "TESTED_SERVER": "yes", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    return subprocess.Popen([sys.executable, "manage.py", "print_tickets"], cwd=ROOT, env=os.environ | own)


def is_connected(pid: int, port: int) -> bool:
    return any(each.raddr and each.raddr.port == port for each in psutil.Process(pid).net_connections("tcp"))


def cancel(job: PrintJob, quantity: int) -> PrintJob:
    item = job.order.items.get()
    item.cancelled_quantity += quantity
    item.save()
    parts = [{"position": item.position, "quantity": quantity}]
    return PrintJob.objects.create(order=job.order, printer=job.printer, kind="cancelled", cancelled_items=parts)
