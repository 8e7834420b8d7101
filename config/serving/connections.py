"""The TCP connections of this process, which Granian gives no access to."""

import contextlib
import logging
import os
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import psutil

log = logging.getLogger(__name__)

PER_ADDRESS = 512  # connections of one address to one process; a full house on one Wi-Fi has fewer
_LAST_DATA_SENT = 8 + 9 * 4  # where Linux's `struct tcp_info` has the milliseconds since data was last sent
_SLACK = 0.05  # seconds

served_ports: set[int] = set()


def raise_limit() -> int:
    """Let this process open as many files and connections as the system allows; return how many."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _idle_seconds(connection: socket.socket) -> float:
    """Since data was last sent, or since the connection was accepted. 0 where the system does not say."""
    if sys.platform != "linux":
        return 0.0
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    milliseconds: int = struct.unpack_from("=I", info, _LAST_DATA_SENT)[0]
    return milliseconds / 1000


def _accepted() -> Iterator[Any]:
    for each in psutil.Process().net_connections("tcp"):
        if each.raddr and each.laddr.port in served_ports and each.fd >= 0:
            yield each


def _shut_down(found: Any, idle_for: float) -> bool:
    """End what a client sends, if the connection is still the one that was found and has been idle for that long."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(found.fd)) as connection:
        if connection.getpeername()[:2] == tuple(found.raddr) and _idle_seconds(connection) >= idle_for:
            connection.shutdown(socket.SHUT_RD)
            return True
    return False


def cut(address: str, *, idle_for: float) -> int:
    """End the connections from `address` on which nothing was sent for `idle_for` seconds; return how many.

    These are the ones whose request has taken as long, and unused ones, which their clients open again.
    """
    mine = [each for each in _accepted() if each.raddr.ip == address]
    return sum(_shut_down(each, max(idle_for - _SLACK, 0.0)) for each in mine)


def cut_crowds(is_proxy: Callable[[str], bool]) -> None:
    """End unused connections of every address that has more than PER_ADDRESS, proxies excepted."""
    if len(os.listdir("/proc/self/fd" if sys.platform == "linux" else "/dev/fd")) <= PER_ADDRESS:
        return
    counts = Counter(each.raddr.ip for each in _accepted())
    for address, count in counts.items():
        if count > PER_ADDRESS and not is_proxy(address):
            ended = cut(address, idle_for=1.0)
            log.warning("%d connections of one address: %d unused ones were ended", count, ended)
