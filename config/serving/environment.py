"""The environment of `python manage.py serve`, completed before the settings are read.

On a restaurant's own machine nothing is set: the servers then run with DEBUG off, a secret key of this installation,
and the addresses at which they can be reached. What is set, in the environment or in `.env`, stays.
"""

import argparse
import os
import socket
from pathlib import Path

import environ

from config.demo import VENUE_NAME
from config.serving import stopping
from config.serving.secret_key import local_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent.parent
ALL_INTERFACES = {"0.0.0.0", "::"}  # noqa: S104 (compared with, not bound to)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0: phones in the same network can connect")
    parser.add_argument("--port", type=_port, default=8000, help="of pages and JSON (8000)")
    parser.add_argument("--kitchen-port", type=_port, help="of the kitchen's sockets (KITCHEN_SOCKET_PORT, or 8080)")
    parser.add_argument("--workers", type=_workers, default=1, help="HTTP processes (1)")
    parser.add_argument("--demo", action="store_true", help="load the demonstration restaurant into an empty database")


def _port(text: str) -> int:
    return _number(text, "port number", 65535)


def _workers(text: str) -> int:
    return _number(text, "number", 64)


def _number(text: str, name: str, most: int) -> int:
    if not text.isdigit() or not 0 < int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a {name} from 1 to {most}")
    return int(text)


def lan_address() -> str:
    """Return this machine's address in its network, or 127.0.0.1 without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def bound_address(host: str) -> str:
    """Return the address of a host name such as `localhost`: the servers bind addresses. Raises SystemExit."""
    try:
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
    except OSError as error:
        raise SystemExit(f"--host {host}: there is no such address on this machine ({error.strerror}).") from error


def public_host(host: str) -> str:
    """Return the host that others would use to reach a server bound to `host`."""
    reachable = lan_address() if host in ALL_INTERFACES else host
    return f"[{reachable}]" if ":" in reachable else reachable


def complete_environment(arguments: list[str]) -> None:
    """Set what `serve` needs and nobody has set. Raises CannotStart."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, _ = parser.parse_known_args(arguments)
    environ.Env.read_env(BASE_DIR / ".env")
    host = public_host(options.host)
    data_dir = Path(os.environ.get("DATA_DIR") or BASE_DIR / "var").expanduser().resolve()
    os.environ["DATA_DIR"] = str(data_dir)  # the servers have another working directory
    defaults = {
        "DEBUG": "false",
        "SECRET_KEY": local_secret_key(data_dir),
        "APP_BASE_URL": f"http://{host}:{options.port}",
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(["localhost", "127.0.0.1", "[::1]", host])),
    }
    if options.demo:
        defaults["VENUE_NAME"] = VENUE_NAME
    for name, value in defaults.items():
        os.environ[name] = os.environ.get(name) or value
    if options.kitchen_port:
        os.environ["KITCHEN_SOCKET_PORT"] = str(options.kitchen_port)
    if not os.environ.get("DATABASE_URL"):
        _start_database(data_dir)


def _start_database(data_dir: Path) -> None:
    """Start the embedded one. This process alone holds it; the servers get its URL. Raises CannotStart."""
    from config.serving import embedded  # loads the wheel, which other installations don't need

    with stopping.deferred():  # an interrupted start would leave a database running that nothing stops
        os.environ["DATABASE_URL"] = embedded.start_embedded(data_dir)
        os.environ[embedded.FOLDER] = str(data_dir)
