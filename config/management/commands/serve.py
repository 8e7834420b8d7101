"""`python manage.py serve`: migrate, then run HTTP and the kitchen's socket server (decision 7.3)."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, connections

from config import demo
from config.serving import stopping
from config.serving.environment import add_options, bound_address
from config.serving.servers import GRACE
from qrservice import addresses, images
from restaurant.models import Table

READY_WITHIN = 30.0  # seconds
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
MIGRATION_LOCK = 7_305_001  # any number, as long as every start uses the same


class Command(BaseCommand):
    help = "Migrates, then runs the HTTP server and the kitchen's WebSocket server until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = bound_address(options["host"]), options["port"]
        kitchen_port = options["kitchen_port"] or settings.KITCHEN_SOCKET_PORT
        stopping.listen()
        with contextlib.suppress(stopping.Stop):
            stopping.check()
            _refuse_taken(host, port)
            _refuse_taken(host, kitchen_port)
            if port == kitchen_port:
                raise CommandError(f"Port {port} can't be used twice: give --kitchen-port another one than --port.")
            staff = self._prepare(with_demo=options["demo"])
            connections.close_all()
            stopping.check()
            self._say_who(staff, with_demo=options["demo"])
            common = ["--with-parent", "--host", host]
            with (
                _server("HTTP", ["http", *common, "--port", str(port), "--workers", str(options["workers"])]) as http,
                _server("kitchen's socket", ["sockets", *common, "--port", str(kitchen_port)]) as sockets,
            ):
                servers = {"HTTP": http, "kitchen's socket": sockets}
                _wait_until_ready(servers, [(host, port), (host, kitchen_port)])
                self._say_where(host, with_demo=options["demo"])
                connections.close_all()
                _watch(servers)
        self.stdout.write("Stopped.")

    def _prepare(self, *, with_demo: bool) -> demo.DemoStaff | None:
        """Migrations, the demonstration restaurant, static files. Several machines may start at once."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        call_command("migrate", verbosity=0)
        staff = demo.load() if with_demo else None
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        call_command("createcachetable", verbosity=0)  # if CACHE_URL names one
        if not settings.DEBUG:
            call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=["redoc"])
        return staff

    # --- what is printed ---

    def _say_where(self, host: str, *, with_demo: bool) -> None:
        base = settings.APP_BASE_URL
        table = Table.objects.order_by("table_number").first()
        card = demo.card() if with_demo else None
        say = self.stdout.write
        say(self.style.SUCCESS(f"{settings.VENUE_NAME} is open."))
        if table is None:
            say(f"  Tables and menu    {base}/admin/  (none yet: add them there)")
        else:
            say(f"  Guests' menu       {base}/table/{table.table_number}")
        say(f"  Kitchen display    {base}/kitchen")
        say(f"  Till               {base}/till")
        if card is not None:
            say(f"  A member's card    {card.address}")
        say(f"  Reports            {base}/reports")
        say(f"  Admin              {base}/admin/")
        say(f"  JSON endpoints     {base}/api/docs")
        say("")
        if card is not None:
            say(f"Open that card as {card.name} (this link works once, within the hour):")
            say(f"  {card.sign_in_address}")
            say("")
        if table is not None and host not in LOOPBACK and table.short_url:
            slug = table.short_url.rpartition("/")[2]
            say(f"Order at table {table.table_number}: scan this with a phone in the same network.")
            say(images.terminal(addresses.text_of_code(slug)))
        say("Ctrl-C stops everything.")
        self.stdout.flush()

    def _say_who(self, staff: demo.DemoStaff | None, *, with_demo: bool) -> None:
        """At once after they were made: whatever fails later, they are shown."""
        say = self.stdout.write
        if staff is not None:
            say("Sign in with one of these. The passwords are shown this once:")
            for line in str(staff).splitlines():
                say(f"  {line}")
        elif with_demo:
            say("The demonstration's passwords were shown at its first start. A new one:")
            say("  .venv/bin/python manage.py changepassword owner")
        elif not get_user_model().objects.exists():
            say("Nobody can sign in yet. Make the first user:  .venv/bin/python manage.py createsuperuser")
        say("")


# --- ports ----------------------------------------------------------------------------------------


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _refuse_taken(host: str, port: int) -> None:
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} can't be used ({error.strerror}). Stop what uses it, or choose another one "
                "with --port or --kitchen-port (make run PORT=8001 KITCHEN_PORT=8081)."
            ) from error


def _answers(host: str, port: int) -> bool:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    with socket.socket(_family(host), socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex((reachable, port)) == 0


# --- processes ------------------------------------------------------------------------------------


@contextlib.contextmanager
def _server(name: str, arguments: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A server as a child in a session of its own, so that Ctrl-C reaches it through us alone."""
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


def _wait_until_ready(servers: dict[str, subprocess.Popen[bytes]], ends: list[tuple[str, int]]) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not all(_answers(*end) for end in ends):
        stopping.check()
        _refuse_dead(servers)
        if time.monotonic() > deadline:
            raise CommandError(f"The servers did not answer within {READY_WITHIN:.0f} seconds.")
        time.sleep(0.05)


def _watch(servers: dict[str, subprocess.Popen[bytes]]) -> NoReturn:
    while True:
        stopping.check()
        _refuse_dead(servers)
        time.sleep(0.2)
