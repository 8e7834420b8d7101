"""A database that is away for a while is one line in the log of a real process."""

import contextlib
import socket
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from django.db import connection

from tests.conftest import PAGE, make_table
from tests.servers import PATIENCE, http_server, socket_url, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

NAME = ".s.PGSQL.5432"
REQUESTS = 30  # to each address, during the outage


class Wire:
    """A socket file that leads to the database until it is cut."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._to = f"{connection.settings_dict['OPTIONS']['host']}/{NAME}"
        self._open: list[socket.socket] = []
        self.mend()

    def mend(self) -> None:
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(64)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._to)
                self._open += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=ends, daemon=True).start()

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while block := source.recv(65536):
                target.sendall(block)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


def test_a_while_without_a_database_is_one_line(tmp_path):
    make_table()
    log = tmp_path / "log"
    with tempfile.TemporaryDirectory() as folder:
        wire = Wire(Path(folder))
        database = socket_url(folder, connection.settings_dict["NAME"])
        with http_server(log=log, DATABASE_URL=database) as port:
            address = f"http://127.0.0.1:{port}"
            assert get(f"{address}/table/7") == 200
            wire.cut()
            statuses = []
            with ThreadPoolExecutor(4) as pool:
                paths = ["/table/7", "/signup", "/q/AAAAAAAA", "/kitchen"]
                for found in pool.map(lambda path: load(address + path), paths):
                    statuses += found
            wire.mend()
            wait_for(lambda: get(f"{address}/table/7") == 200, "the database")
        wire.cut()
    assert statuses.count(500) + statuses.count(503) > 50
    [line] = log.read_text().splitlines()
    assert "connection" in line


def load(address: str) -> list[int]:
    return [get(address) for _ in range(REQUESTS)]


def get(address: str) -> int:
    return requests.get(address, timeout=PATIENCE, allow_redirects=False, headers={"Accept": PAGE}).status_code
