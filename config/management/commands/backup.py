"""`python manage.py backup FILE`: the whole database in one file, while everything runs."""

import subprocess
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import doctor
from config.serving.tools import command


class Command(BaseCommand):
    help = "Writes the whole database into one compressed file. Nothing needs to be stopped for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if file.exists():
            raise CommandError(f"{file} exists already; a backup overwrites nothing.")
        unfinished = file.with_name(file.name + ".part")
        line, environment = command("pg_dump", "--format=custom", "--no-owner", f"--file={unfinished}")
        run = subprocess.run(line, env=environment, check=False)
        if run.returncode != 0:
            unfinished.unlink(missing_ok=True)
            raise CommandError("The database could not be read; there is no backup.")
        unfinished.rename(file)
        doctor.last_backup_note().touch()
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
