"""The two servers, each in a process of its own: `python -m config.serving.servers http|sockets`.

`serve` starts both with a pipe as standard input. When the pipe closes they stop, also when `serve` was killed.
"""

import argparse
import contextlib
import os
import signal
import threading
import time

GRACE = 10.0  # seconds to finish current requests


def _stop_with_parent() -> None:
    """Stop this process when its parent is gone."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def run_http(host: str, port: int, workers: int) -> None:
    """Pages and JSON: Granian, WSGI, four threads a worker."""
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces
    from granian.log import LogLevels

    Granian(
        "config.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,  # a proxy speaks HTTP/2 with browsers
        workers=workers,
        blocking_threads=4,
        websockets=False,
        log_level=LogLevels.warning,
        respawn_failed_workers=True,
        workers_kill_timeout=int(GRACE),
    ).serve()


def run_sockets(host: str, port: int) -> None:
    """The kitchen's WebSocket server: Daphne."""
    from daphne.server import Server  # first: it chooses Twisted's event loop

    from config.asgi import sockets_only

    bracketed = host.replace(":", r"\:")
    endpoint = f"tcp:port={port}:interface={bracketed}"
    Server(sockets_only, endpoints=[endpoint], server_name="regulars", application_close_timeout=2).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", choices=["http", "sockets"])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input ends")
    options = parser.parse_args()
    if options.with_parent:
        _stop_with_parent()
    if options.server == "http":
        run_http(options.host, options.port, options.workers)
    else:
        run_sockets(options.host, options.port)


if __name__ == "__main__":
    main()
