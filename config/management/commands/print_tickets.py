"""`python manage.py print_tickets`: prints what waits for the kitchen's printers. `serve` runs it if there are any."""

import signal
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.serving import heartbeat
from config.serving.servers import stop_with_parent
from restaurant.kitchen.printing.workers import Printing


class Command(BaseCommand):
    help = "Prints dockets on the active printers until Ctrl-C. It may run on several machines: others stand by."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--with-parent", action="store_true", help="stop when standard input ends")

    def handle(self, *args: Any, **options: Any) -> None:
        printing = Printing()

        def stop(number: int, frame: FrameType | None) -> None:
            printing.stop()

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)
        if options["with_parent"]:
            stop_with_parent()
        heartbeat.start()
        printing.run()
