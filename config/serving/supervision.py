"""The processes that `serve` starts: their ports, their start and their end."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NoReturn

from django.conf import settings
from django.core.management.base import CommandError

from config.serving import stopping
from config.serving.servers import GRACE

READY_WITHIN = 30.0  # seconds

# --- ports ----------------------------------------------------------------------------------------


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def refuse_taken(host: str, port: int) -> None:
    """Raise CommandError if the port can't be bound."""
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} can't be used ({error.strerror}). Stop what uses it, or choose another one "
                "with --port or --kitchen-port (make run PORT=8001 KITCHEN_PORT=8081)."
            ) from error


def _accepts(host: str, port: int) -> bool:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex((reachable, port)) == 0


# --- processes ------------------------------------------------------------------------------------


@contextlib.contextmanager
def server(name: str, arguments: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A server as a child process, in a session of its own so that Ctrl-C stops it through `serve`."""
    command = [sys.executable, "-m", "config.serving.servers", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd=settings.BASE_DIR, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _refuse_dead(servers: dict[str, subprocess.Popen[bytes]]) -> None:
    for name, process in servers.items():
        if process.poll() is not None:
            raise CommandError(f"The {name} server stopped by itself (status {process.returncode}).")


def wait_until_ready(servers: dict[str, subprocess.Popen[bytes]], ends: list[tuple[str, int]]) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not all(_accepts(*end) for end in ends):
        stopping.check()
        _refuse_dead(servers)
        if time.monotonic() > deadline:
            raise CommandError(f"The servers did not start within {READY_WITHIN:.0f} seconds.")
        time.sleep(0.05)


def watch(servers: dict[str, subprocess.Popen[bytes]]) -> NoReturn:
    while True:
        stopping.check()
        _refuse_dead(servers)
        time.sleep(0.2)
