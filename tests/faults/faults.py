"""The faults: each function does the damage, and ends when it is over. From there the seconds are counted."""

import resource
import signal
import time
from collections.abc import Callable

import psutil
import psycopg

from tests.servers import Installation, socket_url, wait_for

SILENCE = 60.0  # seconds
FULL = 8.0  # seconds
Fault = Callable[[Installation], None]


def url(installation: Installation) -> str:
    """Of its database, without a process that would start one."""
    return installation.environment.get("DATABASE_DIRECT_URL") or socket_url(
        str(installation.data_dir / "postgres"), "regulars"
    )


def database(installation: Installation) -> list[psutil.Process]:
    """All its processes."""
    first = installation.postmaster()
    return [first, *first.children(recursive=True)]


def database_killed(installation: Installation) -> None:
    for process in database(installation):
        process.kill()


def disk_full(installation: Installation) -> None:
    """The database has stopped as it does when it can't write, and nothing that `serve` starts can make a file grow."""
    serve = psutil.Process(installation.process.pid)
    serve.rlimit(psutil.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
    try:
        installation.postmaster().send_signal(signal.SIGQUIT)
        time.sleep(FULL)
        assert not accepts_connections(installation), "the database runs on a full disk"
    finally:
        serve.rlimit(psutil.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def accepts_connections(installation: Installation) -> bool:
    """Whether the database accepts connections."""
    try:
        psycopg.connect(url(installation), connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def database_silent(installation: Installation) -> None:
    silent = database(installation)
    for process in silent:
        process.suspend()
    try:
        time.sleep(SILENCE)
    finally:
        for process in silent:
            process.resume()


def database_restarted(installation: Installation) -> None:
    pgdata = installation.data_dir / "postgres"
    installation.postmaster().send_signal(signal.SIGINT)  # "fast": it ends every connection
    wait_for(lambda: not (pgdata / "postmaster.pid").exists() or installation.postmaster(), "its end")


def connections_cut(installation: Installation) -> None:
    with psycopg.connect(url(installation), autocommit=True) as connection:
        for _ in range(20):
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            time.sleep(0.3)


def sockets_killed(installation: Installation) -> None:
    installation.server("sockets").kill()


def http_killed(installation: Installation) -> None:
    installation.server("http").kill()


def worker_killed(installation: Installation) -> None:
    installation.server("http").children()[0].kill()


def worker_stopped(installation: Installation) -> None:
    installation.server("http").children()[0].suspend()


def limits_fail(installation: Installation) -> None:
    with psycopg.connect(url(installation), autocommit=True) as connection:
        connection.execute("ALTER TABLE web_permits RENAME TO web_permits_away")
        try:
            time.sleep(8)
        finally:
            connection.execute("ALTER TABLE web_permits_away RENAME TO web_permits")


FAULTS: dict[str, Fault] = {
    "database killed": database_killed,
    "socket process killed": sockets_killed,
    f"disk full for {FULL:.0f} s": disk_full,
    "HTTP process killed": http_killed,
    "HTTP worker killed": worker_killed,
    f"database silent for {SILENCE:.0f} s": database_silent,
    "database restarted": database_restarted,
    "connections cut 20 times": connections_cut,
    "one worker stopped": worker_stopped,
    "limits can't be counted": limits_fail,
}
