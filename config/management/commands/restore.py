"""`python manage.py restore FILE`: what `backup` wrote, in place of what the database holds."""

import subprocess
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.serving.pg_programs import command


class Command(BaseCommand):
    help = "Replaces everything in the database by what `backup` wrote. Stop the servers first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def _is_sure(self) -> bool:
        question = "Everything in the database will be replaced; the servers must be stopped. Go on? [yes/no] "
        try:
            return input(question).strip().lower() == "yes"
        except EOFError as error:
            raise CommandError("There is nobody to ask: say --yes.") from error

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if not options["yes"] and not self._is_sure():
            raise CommandError("Nothing was changed.")
        dump = [
            "--clean",
            "--if-exists",
            "--no-owner",
            "--single-transaction",
            "--exit-on-error",
            f"--dbname={connection.settings_dict['NAME']}",
        ]
        line, environment = command("pg_restore", *dump, str(file))
        run = subprocess.run(line, env=environment, check=False)
        if run.returncode != 0:
            raise CommandError("The backup could not be restored; nothing was changed.")
        self.stdout.write(f"The database is as {file} has it.")
