"""The ports of the two servers."""

import socket

_REACHABLE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared with, not bound to)


def reachable(host: str) -> str:
    """Return the address at which this machine reaches a server bound to `host`."""
    return _REACHABLE.get(host, host)


def trouble(host: str, port: int) -> str:
    """Return a sentence if the port can't be bound, otherwise ""."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return (
                f"Port {port} of {host} can't be used ({error.strerror}). Stop what uses it, or choose another one "
                "with --port or --kitchen-port (make run PORT=8001 KITCHEN_PORT=8081)."
            )
    return ""


def accepts(host: str, port: int) -> bool:
    try:
        socket.create_connection((reachable(host), port), timeout=1).close()
    except OSError:
        return False
    return True
