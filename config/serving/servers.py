"""The two servers, each in a process of its own: `python -m config.serving.servers http|sockets`.

`serve` starts both with a pipe as standard input. When the pipe closes they stop, also when `serve` was killed.
"""

import argparse
import contextlib
import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from config.serving import heartbeat

GRACE = 10.0  # seconds to finish current requests
CONNECTIONS = 8192  # of one HTTP process
HEADERS_WITHIN = 15_000  # milliseconds; also how long a connection may be unused


def stop_with_parent() -> None:
    """Stop this process when its parent is gone."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def raise_file_limit() -> None:
    """Let this process open as many files and connections as the system allows."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _load_application(_target: str) -> Callable[..., Any]:
    """Return the application, in a worker that has just started."""
    heartbeat.start()  # first: a worker may as well stop while it imports
    gc.disable()  # what is imported stays: looking for garbage in it is a sixth of the start
    from config.serving.http import server

    gc.freeze()
    gc.enable()
    return server


def run_http(host: str, port: int, workers: int) -> None:
    """Serve pages and JSON with Granian."""
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.log import LogLevels

    heartbeat.start()
    os.register_at_fork(after_in_child=heartbeat.beat)  # a worker is watched from its birth on
    Granian(
        "config.serving.http:server",
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,  # a proxy speaks HTTP/2 with browsers
        workers=workers,
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_WITHIN),
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=True,
        workers_kill_timeout=int(GRACE),
    ).serve(target_loader=_load_application)


def run_sockets(host: str, port: int, *, with_background: bool) -> None:
    """Serve the kitchen's WebSockets with Daphne."""
    from config.asgi import websocket
    from config.serving import background, websockets

    bracketed = host.replace(":", r"\:")
    with background.work() if with_background else contextlib.nullcontext():
        websockets.serve(websocket, f"tcp:port={port}:interface={bracketed}:backlog=1024")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", choices=["http", "sockets"])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input ends")
    parser.add_argument("--with-background", action="store_true", help="and what `serve` does beside; sockets only")
    options = parser.parse_args()
    if options.with_parent:
        stop_with_parent()
    raise_file_limit()
    if options.server == "http":
        run_http(options.host, options.port, options.workers)
    else:
        run_sockets(options.host, options.port, with_background=options.with_background)


if __name__ == "__main__":
    main()
