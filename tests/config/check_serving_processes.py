"""The processes that `serve` starts besides pages, for real: printing, tidying at night, sockets. By `make sweep`."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from config.serving import nightly, printing
from config.serving.heartbeat import FOLDER
from restaurant.models import Order, OrderItem, Printer, PrintJob, TableSession
from tests.conftest import make_item, make_table
from tests.restaurant.fake_printer import FakePrinter
from tests.servers import PATIENCE, ROOT, database_url, wait_for

SERVER = """
import os, time
true_time, is_set_back = time.time, os.environ["IS_SET_BACK"]
time.time = lambda: true_time() - 3600 * os.path.exists(is_set_back)
from config.serving import websockets
websockets.serve(None, "tcp:0:interface=127.0.0.1")
"""


@pytest.fixture
def _on_the_test_database(transactional_db, monkeypatch):
    monkeypatch.setenv("TESTED_SERVER", "yes")  # so that its database is the one that is named here
    monkeypatch.setenv("DATABASE_URL", database_url())


@pytest.fixture
def device():
    made = FakePrinter()
    yield made
    made.off()


def order_something() -> PrintJob:
    table = make_table()
    session = TableSession.objects.create(table=table)
    order = Order.objects.create(table=table, session=session, total="9.50")
    OrderItem.objects.create(order=order, menu_item=make_item(), name="Soup", price="9.50")
    return PrintJob.objects.create(order=order, printer=Printer.objects.get())


@pytest.mark.usefixtures("_on_the_test_database")
def test_printing_runs_while_a_printer_is_active_and_is_started_again_when_it_dies(
    device, monkeypatch, tmp_path, caplog
):
    monkeypatch.setattr(printing, "CHECK_EVERY", 0.1)
    with printing.printing_while_needed(str(tmp_path)) as process:

        def runs() -> bool:
            process.check()
            return process.process is not None

        assert not runs()
        Printer.objects.create(name="Pass", host="127.0.0.1", port=device.port)
        wait_for(runs, "printing to start")
        first = psutil.Process(process.process.pid)
        first.kill()
        wait_for(lambda: runs() and process.process.pid != first.pid, "another one")
        order_something()
        assert "Soup" in device.wait_for(1, PATIENCE)[0]
        assert (tmp_path / str(process.process.pid)).exists()  # it beats
        Printer.objects.update(active=False)
        wait_for(lambda: not runs(), "printing to end")
    assert caplog.messages == ["Printing stopped by itself (status -9). Starting it again in 0 s."]


@pytest.mark.usefixtures("_on_the_test_database")
def test_the_night_s_command_runs_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(nightly, "AFTER_START", timedelta(0))
    monkeypatch.setattr(nightly, "CHECK_EVERY", 0.1)
    TableSession.objects.create(table=make_table(), started_at=datetime(2020, 1, 1, tzinfo=UTC))
    with nightly.tidying_every_night():
        wait_for(lambda: not TableSession.objects.exists(), "the session to be deleted")


def test_a_socket_server_s_heart_beats_on_when_the_clock_is_set_back_by_an_hour(tmp_path):
    beats, is_set_back = tmp_path / "beats", tmp_path / "is_set_back"
    beats.mkdir()
    environment = {FOLDER: str(beats), "IS_SET_BACK": str(is_set_back), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, env=os.environ | environment) as server:
        try:
            wait_for(lambda: any(beats.iterdir()), "the first beat")
            [file] = beats.iterdir()
            is_set_back.touch()
            for _ in range(3):
                latest = file.stat().st_mtime_ns
                wait_for(lambda latest=latest: file.stat().st_mtime_ns != latest, "another beat")
        finally:
            server.kill()
