"""`python manage.py serve`: migrate, then run HTTP and the kitchen's socket server."""

import contextlib
import os
import time
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection, connections

from config import doctor
from config.demo import example_member, loading
from config.demo.staff import Account
from config.serving import notifying, ports, static_files, stopping, supervision
from config.serving.environment import add_options, bound_address
from config.views.health import SOCKETS_AT
from qrservice import addresses, images
from restaurant.kitchen.printing import active_printers
from restaurant.models import Table
from web import metrics, venue

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
DATABASE_WITHIN = 30.0  # seconds
MIGRATION_LOCK = 7_305_001  # an arbitrary number, the same for every start


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
            if trouble := ports.trouble(host, port) or ports.trouble(host, kitchen_port):
                raise CommandError(trouble)
            if port == kitchen_port:
                raise CommandError(f"Port {port} can't be used twice: give --kitchen-port another one than --port.")
            self._wait_for_database()
            if trouble := notifying.trouble():
                raise CommandError(trouble)
            accounts = self._prepare(with_demo=options["demo"])
            stopping.check()
            self._print_users(accounts, with_demo=options["demo"])
            metrics.clear()
            os.environ[SOCKETS_AT] = f"{ports.reachable(host)} {kitchen_port}"
            os.environ[supervision.GREETING] = self._greeting(host, with_demo=options["demo"])
            os.chdir(settings.BASE_DIR)
            where = ["--host", host, "--port", str(port), "--kitchen-port", str(kitchen_port)]
            stopping.go_on_as("config.serving.supervision", *where, "--workers", str(options["workers"]))
        self.stdout.write("Stopped.")

    def _wait_for_database(self) -> None:
        """Wait for the database, and for the pooler in front of it if there is one. Raises CommandError."""
        deadline = time.monotonic() + DATABASE_WITHIN
        has_warned = False
        while True:
            try:
                for database in connections.all():
                    database.ensure_connection()
                return
            except OperationalError as error:
                reason = str(error).strip().partition("\n")[0]
                if time.monotonic() > deadline:
                    raise CommandError(f"The database can't be reached ({reason}). Check DATABASE_URL.") from error
            if not has_warned:
                self.stderr.write(f"Waiting for the database, up to {DATABASE_WITHIN:.0f} seconds ({reason}).")
                has_warned = True
            stopping.check()
            time.sleep(0.5)

    def _prepare(self, *, with_demo: bool) -> list[Account] | None:
        """Migrations, the demonstration restaurant, static files. Several machines may start at once."""
        self._lock_migrations()
        call_command("migrate", verbosity=0)
        accounts = loading.load() if with_demo else None
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        call_command("createcachetable", verbosity=0)  # if CACHE_URL names one
        if not settings.DEBUG:
            static_files.collect()
        return accounts

    @staticmethod
    def _lock_migrations() -> None:
        """Poll for the lock, because an index that another machine makes CONCURRENTLY waits for every statement."""
        with connection.cursor() as cursor:
            while True:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK])
                if cursor.fetchone()[0]:
                    return
                stopping.check()
                time.sleep(0.2)

    # --- what is printed ---

    def _greeting(self, host: str, *, with_demo: bool) -> str:
        """Return what is printed once the servers are ready."""
        base = settings.APP_BASE_URL
        table = Table.objects.order_by("table_number").first()
        card = example_member.card() if with_demo else None
        lines: list[str] = []
        write = lines.append
        doctor.write_findings(write)
        write(self.style.SUCCESS(f"{venue.name()} is open."))
        if table is None:
            write(f"  Setup              {base}/setup  (for whoever manage.py createsuperuser has made)")
        else:
            write(f"  Guests' menu       {base}/table/{table.table_number}")
        write(f"  Kitchen display    {base}/kitchen")
        if printers := active_printers():
            write(f"  Dockets            printed at {', '.join(sorted(printers.values()))}")
        write(f"  Till               {base}/till")
        if card is not None:
            write(f"  A member's card    {card.address}")
        write(f"  Reports            {base}/reports")
        write(f"  Admin              {base}/admin/")
        write(f"  JSON endpoints     {base}/api/docs")
        write("")
        if card is not None:
            write(f"Open that card as {card.name} (this link works once, within the hour):")
            write(f"  {card.sign_in_address}")
            write("")
        if table is not None and host not in LOOPBACK and table.short_url:
            slug = table.short_url.rpartition("/")[2]
            write(f"Order at table {table.table_number}: scan this with a phone in the same network.")
            write(images.terminal(addresses.text_of_code(slug)))
        write("Ctrl-C stops everything.")
        return "\n".join(lines)

    def _print_users(self, accounts: list[Account] | None, *, with_demo: bool) -> None:
        """Print the new users right after they were created, so that they are shown whatever fails later."""
        write = self.stdout.write
        if accounts is not None:
            write("Sign in with one of these. The passwords are shown this once:")
            for account in accounts:
                write(f"  {account}")
        elif with_demo:
            write("The demonstration's passwords were shown at its first start. A new one:")
            write("  .venv/bin/python manage.py changepassword owner")
        elif not get_user_model().objects.exists():
            write("Nobody can sign in yet. Make the first user:  .venv/bin/python manage.py createsuperuser")
        write("")
