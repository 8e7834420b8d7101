"""What `serve` does when something that it started dies, stands still or does not answer: `make faults` runs it.

A socket server and a database that die take part in every test run: tests/config/test_serve.py.
"""

import os
import signal
import subprocess
import sys

import psutil
import psycopg
import pytest
import requests
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.servers import NOWHERE, PATIENCE, ROOT, Installation, is_listening, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def installation(tmp_path, used):
    made = Installation(tmp_path / "data", options=("--workers", "2")).copy_data(used)
    yield made
    if made.process and made.process.poll() is None:
        for process in psutil.Process(made.process.pid).children(recursive=True):
            process.resume()
        made.stop(signal.SIGTERM)


def test_an_http_server_that_dies_is_started_again_with_its_workers(installation):
    installation.start()
    victim = installation.server("http")
    workers = [child.pid for child in victim.children()]
    assert len(workers) >= 2
    victim.kill()
    # Not for an answer alone: its workers may give one before they notice that they are alone. Nor for any server: the
    # one that was killed is listed for a moment.
    wait_for(lambda: set(installation.servers("http")) - {victim}, "another server")
    wait_for(lambda: installation.status() == 404, "pages")
    assert not [pid for pid in workers if psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie"]
    assert installation.stop() == 0
    assert installation.left_behind() == []


def test_the_fifth_death_within_a_minute_ends_it_all(installation):
    installation.start()
    for _ in range(5):
        wait_for(installation.has_sockets, "the sockets")
        installation.server("sockets").kill()
        wait_for(lambda: not is_listening(installation.kitchen_port), "its end")
    assert installation.process.wait(PATIENCE) != 0
    assert "for the fifth time within a minute" in installation.output
    assert installation.left_behind() == []


@pytest.mark.parametrize("has_loaded", [True, False])
def test_a_worker_that_stands_still_is_replaced(installation, has_loaded):
    installation.start()
    if has_loaded:
        wait_for(lambda: installation.status() == 404, "an answer")
        stopped = installation.server("http").children()[0]
    else:
        known = installation.server("http").children()
        known[0].kill()
        wait_for(lambda: set(installation.server("http").children()) - set(known), "another worker")
        [stopped] = set(installation.server("http").children()) - set(known)
    stopped.suspend()
    wait_for(lambda: not stopped.is_running() or stopped.status() == "zombie", "its end")
    wait_for(lambda: [installation.status(timeout=2) for _ in range(12)] == [404] * 12, "all requests")
    assert "gave no sign of life" in installation.output
    assert installation.stop() == 0


def test_a_socket_server_that_stands_still_is_replaced(installation):
    installation.start()
    stopped = installation.server("sockets")
    stopped.suspend()
    wait_for(lambda: not stopped.is_running() or stopped.status() == "zombie", "its end")
    wait_for(installation.has_sockets, "the sockets")
    assert installation.stop() == 0


def test_while_a_database_is_silent_requests_get_503_and_displays_are_sent_away(installation):
    installation.start()
    code = "from django.contrib.auth.models import User; User.objects.create_superuser('owner', password='x')"
    installation.shell(code)
    token = installation.token("owner")
    with connect(f"{installation.sockets}/?token={token}") as display:
        silent = [installation.postmaster(), *installation.postmaster().children(recursive=True)]
        for process in silent:
            process.suspend()
        try:
            with pytest.raises(ConnectionClosed) as closed:
                display.recv(timeout=PATIENCE)
            assert closed.value.rcvd.code == 4503
            for _ in range(10):
                response = requests.get(installation.base + NOWHERE, timeout=PATIENCE)
                assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        finally:
            for process in silent:
                process.resume()
    wait_for(lambda: installation.status() == 404, "an answer")
    # The connection that the socket server had may fail once more; displays try again by themselves.
    wait_for(lambda: accepts_displays(installation, token), "the displays")
    wait_for(lambda: installation.status("/readyz") == 200, "readiness")
    assert installation.stop() == 0


def accepts_displays(installation: Installation, token: str) -> bool:
    try:
        with connect(f"{installation.sockets}/?token={token}"):
            return True
    except InvalidStatus:
        return False


def test_a_database_that_is_away_at_the_start_is_waited_for(installation, tmp_path):
    installation.start()
    url = installation.database_url()
    other = Installation(tmp_path / "other", options=(), environment={"DATABASE_URL": url, "SECRET_KEY": "x" * 50})
    database = installation.postmaster()
    everyone = [database, *database.children(recursive=True)]
    for process in everyone:
        process.suspend()
    other.data_dir.mkdir()
    command = [sys.executable, "manage.py", "serve", "--port", str(other.port)]
    command += ["--kitchen-port", str(other.kitchen_port)]
    with other.log.open("w") as log:
        other.process = subprocess.Popen(command, cwd=ROOT, env=other.env(), stdout=log, stderr=subprocess.STDOUT)
    wait_for(lambda: "Waiting for the database" in other.output, "its words")
    for process in everyone:
        process.resume()
    wait_for(lambda: "Ctrl-C" in other.output, "its start")
    assert "Traceback" not in other.output
    assert other.stop() == 0
    assert installation.stop() == 0


def test_a_database_that_stays_away_at_the_start_is_a_sentence(tmp_path):
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql://a:b@127.0.0.1:9/none"}
    run = subprocess.run(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "Waiting for the database, up to 30 seconds" in run.stderr
    assert "The database can't be reached" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_connection_of_a_cut_database_is_opened_again(installation):
    installation.start()
    url = installation.database_url()
    answers = [installation.status()]
    with psycopg.connect(url, autocommit=True) as database:
        for _ in range(10):
            database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            answers += [installation.status() for _ in range(3)]
    assert set(answers) == {404}
