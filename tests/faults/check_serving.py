"""`serve` killed hard and stopped by every signal at any moment: `make faults` runs it.

What a change breaks most easily is part of every test run: tests/config/test_serve.py.
"""

import os
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest
import requests

from tests.servers import PATIENCE, ROOT, Installation, is_listening, wait_for


@pytest.fixture
def new(tmp_path):
    """Without the demonstration: it starts faster, and its loading has tests of its own."""
    made = Installation(tmp_path / "data", options=())
    yield made
    if made.process and made.process.poll() is None:
        made.process.send_signal(signal.SIGTERM)
        made.process.wait(PATIENCE)


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
        f"{installation.base}/tables",
        json={"tableNumber": 1},
        headers={"Authorization": f"Token {token}"},
        timeout=PATIENCE,
    )
    assert made.status_code == 201
    return token, item


def place(installation: Installation, item: str) -> str:
    session = requests.get(f"{installation.base}/table/1", timeout=PATIENCE).json()["session"]["id"]
    body = {"sessionId": session, "items": [{"menuItemId": item}]}
    answer = requests.post(f"{installation.base}/table/1/order", json=body, timeout=PATIENCE)
    assert answer.status_code == 200
    return answer.json()["orderId"]


def open_orders(installation: Installation, token: str) -> list[str]:
    answer = requests.get(f"{installation.base}/kitchen", headers={"Authorization": f"Token {token}"}, timeout=PATIENCE)
    return [order["orderId"] for order in answer.json()["orders"]]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything_and_leaves_no_process_behind(installation, number):
    installation.start()
    assert requests.get(f"{installation.base}/", timeout=PATIENCE).status_code == 200
    assert requests.get(f"http://127.0.0.1:{installation.kitchen_port}/", timeout=PATIENCE).status_code == 426
    assert len(installation.left_behind()) > 3
    assert installation.stop(number) == 0
    assert installation.left_behind() == []
    assert not is_listening(installation.port)


@pytest.mark.parametrize("which", ["port", "kitchen_port"])
def test_a_taken_port_is_a_sentence_and_leaves_no_process_behind(installation, which):
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", getattr(installation, which)))
        squatter.listen()
        installation.start()
        assert installation.process.wait(PATIENCE) == 1
    assert f"Port {getattr(installation, which)}" in installation.output
    assert "Traceback" not in installation.output
    assert installation.left_behind() == []


def test_a_hard_kill_loses_no_committed_order_and_the_next_start_cleans_up(installation):
    installation.start()
    token, item = with_a_table(installation)
    placed = [place(installation, item) for _ in range(20)]
    os.kill(installation.process.pid, signal.SIGKILL)
    installation.process.wait(PATIENCE)
    wait_for(
        lambda: not is_listening(installation.port) and not is_listening(installation.kitchen_port),
        "the servers to notice that nobody holds them",
    )
    installation.start()
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
    installation.process.wait(PATIENCE)
    installation.start()
    assert open_orders(installation, token) == placed
    assert installation.stop() == 0


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
    new.process.wait(PATIENCE)
    wait_for(lambda: new.left_behind() == [], "every process to end")
