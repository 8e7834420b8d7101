"""The kitchen's socket server is killed and started again under a display; for `make sweep`."""

import contextlib
import subprocess
import sys

import pytest

from tests.browser.kitchen import start_clock, stop_clock, wait_until_shown
from tests.browser.test_kitchen_connection_lost import expect_calm, expect_red
from tests.servers import PATIENCE, ROOT, Installation, free_port, is_listening, wait_for

pytestmark = pytest.mark.browser


class Servers:
    """The two servers of one more machine, each on its own, on the installation's database."""

    def __init__(self, installation: Installation, processes: contextlib.ExitStack) -> None:
        self.processes, self.port, self.socket_port = processes, free_port(), free_port()
        self.environment = installation.env() | {
            "DATABASE_URL": installation.database_url(),
            "APP_BASE_URL": f"http://127.0.0.1:{self.port}",
            "KITCHEN_SOCKET_PORT": str(self.socket_port),
        }

    def start(self, kind: str) -> subprocess.Popen:
        port = self.port if kind == "http" else self.socket_port
        command = [sys.executable, "-m", "config.serving.servers", kind, "--port", str(port)]
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment)
        self.processes.callback(process.wait, 15)
        self.processes.callback(process.terminate)
        wait_for(lambda: is_listening(port), f"the {kind} server")
        return process


def test_the_socket_server_is_killed_and_started_again(windows, installation, orders):
    orders.serve_all()
    orders.sit_down()
    orders.place_many(3)
    with contextlib.ExitStack() as processes:
        servers = Servers(installation, processes)
        servers.start("http")
        sockets = servers.start("sockets")
        page = windows.open()
        start_clock(page)
        page.goto(f"http://127.0.0.1:{servers.port}/kitchen")
        page.fill("[name=username]", "floor")
        page.fill("[name=password]", installation.passwords["floor"])
        page.click("main form .button")
        wait_until_shown(page, orders.by_status())
        expect_calm(page)

        sockets.kill()
        sockets.wait(PATIENCE)
        orders.place_many(30)
        expect_red(page, "New orders may appear up to 5 s late")
        wait_until_shown(page, orders.by_status())

        servers.start("sockets")
        expect_calm(page)
        stop_clock(page)
        orders.place()
        wait_until_shown(page, orders.by_status())  # by the socket, not by asking
