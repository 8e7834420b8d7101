"""`manage.py serve` as a newcomer starts it: real processes in data folders of their own.

Hard kills, every signal, and a signal at every moment of the start are in tests/faults/check_serving.py: `make faults`.
"""

import re
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import psycopg
import pytest
import requests

from tests import decoder
from tests.servers import ROOT, Installation, is_listening, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def new(tmp_path):
    """Without the demonstration: it starts faster, and its loading has tests of its own."""
    made = Installation(tmp_path / "data", options=())
    yield made
    if made.process and made.process.poll() is None:
        made.stop(signal.SIGTERM)


@pytest.fixture
def installation(new, used) -> Installation:
    """One that was started before."""
    return new.copy_data(used)


def test_it_starts_by_a_host_s_name_says_where_everything_is_and_ends_with_all_processes(installation):
    installation.host = "localhost"
    installation.start()
    for text in (
        f"{installation.base}/kitchen",
        f"{installation.base}/reports",
        f"{installation.base}/admin/",
        "createsuperuser",
    ):
        assert text in installation.output
    assert requests.get(f"http://127.0.0.1:{installation.port}/", timeout=10).status_code == 200
    assert requests.get(f"http://127.0.0.1:{installation.kitchen_port}/", timeout=10).status_code == 426
    with psycopg.connect(installation.database_url()) as database:  # plans for memory and SSDs
        assert database.execute("SHOW random_page_cost").fetchone() == ("1.1",)
    assert len(installation.left_behind()) > 3
    assert installation.stop(signal.SIGINT) == 0
    assert installation.left_behind() == []
    assert not is_listening(installation.port)


@pytest.mark.parametrize("which", ["port", "kitchen_port"])
def test_a_taken_port_is_an_error_that_names_it(installation, which):
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", getattr(installation, which)))
        squatter.listen()
        installation.start()
        assert installation.process.wait(30) == 1
    assert f"Port {getattr(installation, which)}" in installation.output
    assert "Traceback" not in installation.output
    assert installation.left_behind() == []


def test_one_port_for_both_is_refused(installation):
    installation.kitchen_port = installation.port
    installation.start()
    assert installation.process.wait(30) == 1
    assert f"Port {installation.port} can't be used twice" in installation.output


def test_a_signal_during_the_start_leaves_no_process_behind(new):
    new.data_dir.mkdir()
    new.process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(new.port),
         "--kitchen-port", str(new.kitchen_port)],
        cwd=ROOT, env=new.env(), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(1.2)  # somewhere between making the database and the servers
    new.process.send_signal(signal.SIGTERM)
    new.process.wait(30)
    wait_for(lambda: new.left_behind() == [], "every process to end", 15)


def picture_of(text: str) -> np.ndarray:
    """The half-block characters of a terminal, as pixels."""
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines() if "\x1b[30;107m" in line]
    upper = [[c in "▀█" for c in row] for row in rows]
    lower = [[c in "▄█" for c in row] for row in rows]
    dark = np.array([line for pair in zip(upper, lower, strict=True) for line in pair])
    return np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), dtype=np.uint8))


def test_codes_follow_to_another_address_whose_terminal_shows_one_that_a_phone_can_read(installation):
    code = (
        "from django.contrib.auth.models import User; User.objects.create_superuser('owner', password='x')\n"
        "from django.core.management import call_command; call_command('create_token', 'owner')\n"
        "from restaurant.services import tables; print(tables.create(table_number=1, section='').qr_code_url)"
    )
    token, made_at = installation.manage("shell", "-v0", "-c", code).split()[-2:]
    assert made_at.startswith("http://127.0.0.1:8000/")
    # 127.0.0.2 is a loopback address too, but not the one that stands for "this machine alone".
    installation.host = "127.0.0.2"
    installation.start()
    read = decoder.read(picture_of(installation.output))
    assert read.startswith(f"HTTP://127.0.0.2:{installation.port}/Q/")
    answer = requests.get(read.replace("HTTP://", "http://"), allow_redirects=False, timeout=10)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{installation.base}/table/1")
    made = requests.post(
        f"{installation.base}/tables",
        json={"tableNumber": 2},
        headers={"Authorization": f"Token {token}"},
        timeout=10,
    )
    assert made.json()["qrCodeUrl"].startswith(installation.base)
