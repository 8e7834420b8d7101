"""`manage.py serve` as a newcomer starts it: real processes in a data folder of their own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import psutil
import psycopg
import pytest
import requests

from tests import decoder
from tests.servers import ROOT, Installation, free_port, is_listening, wait_for

pytestmark = [pytest.mark.django_db(transaction=False), pytest.mark.slow]


@pytest.fixture
def new(tmp_path):
    """Without the demonstration: it starts faster, and its loading has tests of its own."""
    made = Installation(tmp_path / "data", options=())
    yield made
    if made.process and made.process.poll() is None:
        made.process.send_signal(signal.SIGTERM)
        made.process.wait(30)


@pytest.fixture
def installation(new, used) -> Installation:
    """One that was started before."""
    return new.copy_data(used)


def with_a_table(installation: Installation) -> tuple[str, str]:
    """A table and a menu item made from outside; returns staff's token and the item's id."""
    code = (
        "from django.contrib.auth.models import User; User.objects.create_superuser('owner', password='x');"
        "from restaurant.models import MenuItem; print(MenuItem.objects.create(name='Soup', price=5).pk)"
    )
    item = installation.manage("shell", "-v0", "-c", code).split()[-1]
    token = installation.manage("create_token", "owner").split()[-1]
    made = requests.post(
        f"{installation.base}/tables", json={"tableNumber": 1}, headers={"Authorization": f"Token {token}"}, timeout=10
    )
    assert made.status_code == 201
    return token, item


def place(installation: Installation, item: str) -> str:
    session = requests.get(f"{installation.base}/table/1", timeout=10).json()["session"]["id"]
    body = {"sessionId": session, "items": [{"menuItemId": item}]}
    answer = requests.post(f"{installation.base}/table/1/order", json=body, timeout=10)
    assert answer.status_code == 200
    return answer.json()["orderId"]


def open_orders(installation: Installation, token: str) -> list[str]:
    answer = requests.get(f"{installation.base}/kitchen", headers={"Authorization": f"Token {token}"}, timeout=10)
    return [order["orderId"] for order in answer.json()["orders"]]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything_and_leaves_no_process_behind(installation, number):
    installation.start()
    for text in (
        f"{installation.base}/kitchen",
        f"{installation.base}/reports",
        f"{installation.base}/admin/",
        "createsuperuser",
    ):
        assert text in installation.output
    assert requests.get(f"{installation.base}/", timeout=10).status_code == 200
    assert requests.get(f"http://127.0.0.1:{installation.kitchen_port}/", timeout=10).status_code == 426
    assert len(installation.left_behind()) > 3
    assert installation.stop(number) == 0
    assert installation.left_behind() == []
    assert not is_listening(installation.port)


def test_the_embedded_database_plans_for_memory_and_ssds(installation):
    installation.start()
    with psycopg.connect(installation.database_url()) as database:
        assert database.execute("SHOW random_page_cost").fetchone() == ("1.1",)


def test_a_hard_kill_loses_no_committed_order_and_the_next_start_cleans_up(installation):
    installation.start()
    token, item = with_a_table(installation)
    placed = [place(installation, item) for _ in range(20)]
    os.kill(installation.process.pid, signal.SIGKILL)
    installation.process.wait(10)
    wait_for(
        lambda: not is_listening(installation.port) and not is_listening(installation.kitchen_port),
        "the servers to notice that nobody holds them",
    )
    began = time.monotonic()
    installation.start()
    assert time.monotonic() - began < 20
    assert open_orders(installation, token) == placed
    assert installation.stop() == 0
    assert installation.left_behind() == []


def test_every_process_killed_hard_at_once_loses_no_committed_order(installation):
    installation.start()
    token, item = with_a_table(installation)
    placed = [place(installation, item) for _ in range(20)]
    everyone = [int(line.split()[0]) for line in installation.left_behind()]
    for pid in everyone:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)
    installation.process.wait(10)
    installation.start()
    assert open_orders(installation, token) == placed
    assert installation.stop() == 0


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


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DEBUG": "false", "SECRET_KEY": ""}, "set SECRET_KEY"),
        ({"DEBUG": "false", "SECRET_KEY": "x"}, "set ALLOWED_HOSTS"),
        ({"TIME_ZONE": "Mars/Olympus"}, "TIME_ZONE must be"),
        ({"TIME_ZONE": "CET"}, "TIME_ZONE must be"),
        ({"CURRENCY": "euro"}, "CURRENCY must be"),
        ({"APP_BASE_URL": "example.com"}, "APP_BASE_URL must be"),
        ({"DATABASE_URL": "sqlite:///x"}, "must name a PostgreSQL"),
        ({"TRUSTED_PROXIES": "me"}, "TRUSTED_PROXIES"),
        ({"LIMIT_PUBLIC_READS": "lots"}, "LIMIT_PUBLIC_READS must be"),
        ({"LIMIT_PUBLIC_READS": "600"}, "LIMIT_PUBLIC_READS must be"),
        ({"SIGN_IN_FAILURES_PER_ADDRESS": "0"}, "SIGN_IN_FAILURES_PER_ADDRESS must be"),
        ({"KITCHEN_SOCKET_PORT": "abc"}, "KITCHEN_SOCKET_PORT must be"),
        ({"DEBUG": "maybe"}, "DEBUG must be"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
        ({"QR_SERVICE_URL": "https://qr.example"}, "QR_SERVICE_API_KEY"),
    ],
)
def test_nonsense_in_the_environment_stops_the_start_with_a_sentence(tmp_path, environment, sentence):
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql:///nowhere"} | environment
    run = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("after", [0.4, 0.8, 1.2, 1.8, 2.5])
def test_a_signal_during_the_start_leaves_no_process_behind(new, after):
    new.data_dir.mkdir()
    new.process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(new.port),
         "--kitchen-port", str(new.kitchen_port)],
        cwd=ROOT, env=new.env(), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(after)
    new.process.send_signal(signal.SIGTERM)
    new.process.wait(30)
    wait_for(lambda: new.left_behind() == [], "every process to end", 15)


def test_a_host_name_is_resolved_and_one_port_for_both_is_refused(installation):
    installation.host = "localhost"
    installation.start()
    assert requests.get(f"http://127.0.0.1:{installation.port}/", timeout=10).status_code == 200
    assert installation.stop() == 0
    installation.kitchen_port = installation.port
    installation.start()
    assert installation.process.wait(30) == 1
    assert f"Port {installation.port} can't be used twice" in installation.output


def picture_of(text: str) -> np.ndarray:
    """The half-block characters of a terminal, as pixels."""
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines() if "\x1b[30;107m" in line]
    upper = [[c in "▀█" for c in row] for row in rows]
    lower = [[c in "▄█" for c in row] for row in rows]
    dark = np.array([line for pair in zip(upper, lower, strict=True) for line in pair])
    return np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), dtype=np.uint8))


def test_on_another_address_than_loopback_the_terminal_shows_a_code_that_a_phone_can_read(installation):
    # 127.0.0.2 is a loopback address too, but not the one that stands for "this machine alone".
    installation.host = "127.0.0.2"
    installation.start()
    with_a_table(installation)
    installation.stop()
    installation.start()
    read = decoder.read(picture_of(installation.output))
    assert read.startswith(f"HTTP://127.0.0.2:{installation.port}/Q/")
    answer = requests.get(read.replace("HTTP://", "http://"), allow_redirects=False, timeout=10)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{installation.base}/table/1")


def test_codes_follow_the_installation_to_another_address(installation):
    installation.start()
    token, _ = with_a_table(installation)
    installation.stop()
    installation.port = free_port()
    installation.start()
    made = requests.post(
        f"{installation.base}/tables",
        json={"tableNumber": 2},
        headers={"Authorization": f"Token {token}"},
        timeout=10,
    )
    assert made.json()["qrCodeUrl"].startswith(installation.base)
    short = installation.manage(
        "shell",
        "-v0",
        "-c",
        "from qrservice.models import Code; print(Code.objects.order_by('created_at')[0].slug)",
    ).split()[-1]
    answer = requests.get(f"{installation.base}/q/{short}", allow_redirects=False, timeout=10)
    assert answer.headers["Location"] == f"{installation.base}/table/1"
