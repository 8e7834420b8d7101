"""`python manage.py backup FILE`: the whole database in one file, while everything runs."""

import os
import subprocess
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import doctor
from config.serving.pg_programs import command


class Command(BaseCommand):
    help = "Writes the whole database into one compressed file. Nothing needs to be stopped for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if file.exists():
            raise CommandError(f"{file} exists already; a backup overwrites nothing.")
        unfinished = file.with_name(file.name + ".part")
        unfinished.unlink(missing_ok=True)
        line, environment = command("pg_dump", "--format=custom", "--no-owner")
        # A backup has everybody's address in it: it is readable for its owner alone, from its first byte.
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            run = subprocess.run(line, env=environment, stdout=written, check=False)
        if run.returncode != 0:
            unfinished.unlink(missing_ok=True)
            raise CommandError("The database could not be read; there is no backup.")
        unfinished.rename(file)
        doctor.last_backup_note().touch()
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
