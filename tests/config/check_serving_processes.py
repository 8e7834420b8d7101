"""The processes that `serve` starts, for real: printing, tidying at night, those that die. By `make sweep`."""

import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from config.serving import background, nightly
from config.serving.heartbeat import FOLDER
from config.serving.nightly import Nightly
from config.serving.printing import Printing
from restaurant.models import Order, OrderItem, Printer, PrintJob, TableSession
from tests.conftest import make_item, make_table
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.servers import PATIENCE, ROOT, Installation, database_url, wait_for

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
    monkeypatch.setenv(FOLDER, str(tmp_path))
    process = Printing()

    def runs() -> bool:
        process.check()
        return process.process is not None

    with background.every(0.1, process.find_printers):
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
    TableSession.objects.create(table=make_table(), started_at=datetime(2020, 1, 1, tzinfo=UTC))
    with background.every(0.1, Nightly().check):
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


def test_a_socket_server_that_dies_is_started_again_and_pages_never_stop(installation):
    victim = installation.server("sockets")
    victim.kill()
    answers = []
    wait_for(lambda: answers.append(installation.status()) or installation.has_sockets(), "the sockets")
    assert set(answers) == {404}
    assert installation.server("sockets").pid != victim.pid
    assert "kitchen's socket server stopped by itself" in installation.output


def test_a_database_that_dies_is_started_again_and_requests_get_503_meanwhile(installation):
    assert installation.status() == 404
    victim, before = installation.postmaster(), len(installation.output)
    for process in [victim, *victim.children(recursive=True)]:
        process.kill()
    answers = []
    wait_for(lambda: answers.append(installation.status()) or answers[-3:] == [404] * 3, "the database")
    assert set(answers) <= {503, 404}
    assert installation.postmaster().pid != victim.pid
    assert not re.search("^Traceback", installation.output[before:], re.MULTILINE), installation.output[before:]


def test_a_signal_during_the_start_leaves_no_process_behind(tmp_path):
    new = Installation(tmp_path / "data", options=())
    new.data_dir.mkdir()
    command = [sys.executable, "manage.py", "serve", "--port", str(new.port), "--kitchen-port", str(new.kitchen_port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    new.process = subprocess.Popen(command, cwd=ROOT, env=new.env(), start_new_session=True, **quiet)
    wait_for((new.data_dir / "postgres" / "PG_VERSION").exists, "the database to be made")
    new.process.send_signal(signal.SIGTERM)
    new.process.wait(PATIENCE)
    wait_for(lambda: new.left_behind() == [], "every process to end")
