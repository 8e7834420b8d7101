"""What `serve` does when something that it started dies, stands still or does not answer: real processes."""

import re
import signal
import time

import psutil
import pytest
import requests

from tests.servers import Installation, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def installation(tmp_path, used):
    made = Installation(tmp_path / "data", options=("--workers", "2")).copy_data(used)
    yield made
    if made.process and made.process.poll() is None:
        for process in psutil.Process(made.process.pid).children(recursive=True):
            process.resume()
        made.stop(signal.SIGTERM)


def test_a_socket_server_that_dies_is_started_again_and_pages_never_stop(installation):
    installation.start()
    assert requests.get(f"{installation.base}/readyz", timeout=5).status_code == 200
    victim = installation.server("sockets")
    victim.kill()
    answers = []
    wait_for(lambda: answers.append(installation.status()) or installation.has_sockets(), "the sockets", 15)
    assert set(answers) == {404}
    assert installation.server("sockets").pid != victim.pid
    assert "kitchen's socket server stopped by itself" in installation.output
    assert installation.stop() == 0
    assert installation.left_behind() == []


def test_a_database_that_dies_is_started_again_and_requests_get_503_meanwhile(installation):
    installation.start()
    assert installation.status() == 404
    victim = installation.postmaster()
    for process in [victim, *victim.children(recursive=True)]:
        process.kill()
    began = time.monotonic()
    answers = []
    wait_for(lambda: answers.append(installation.status()) or answers[-3:] == [404] * 3, "the database", 15)
    assert time.monotonic() - began < 10  # on a busy machine; `make faults` prints the time
    assert set(answers) <= {503, 404}
    assert installation.postmaster().pid != victim.pid
    assert not re.search("^Traceback", installation.output, re.MULTILINE), installation.output
    assert installation.stop() == 0
    assert installation.left_behind() == []
