"""The migrations run once for all test databases: each is a copy of a template, made again when the code changes."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "loyalty", "qrservice", "restaurant", "web")  # their migrations, and the groups they grant
LIBRARIES = ("django", "django-rest-knox", "django-axes")  # with migrations of their own
PREFIX = "migrated_"


def use_template() -> None:
    """Have Django copy the test database. For all processes of a test run; call it before Django makes one."""
    name = os.environ.get("TEST_TEMPLATE") or f"{PREFIX}{_digest()}"  # the same for all of `make mutants`
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.DATA_DIR / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _make(name)
    connection.settings_dict["TEST"]["TEMPLATE"] = name


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Django works with this database instead of the test database, and knows its content types, not the other's."""
    own, known = connection.settings_dict["NAME"], ContentType.objects._cache
    connection.close()
    connection.settings_dict["NAME"], ContentType.objects._cache = name, {}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"], ContentType.objects._cache = own, known


@contextmanager
def another_database(purpose: str) -> Iterator[str]:
    """The name of a new one, as migrations leave it."""
    name = f"{connection.settings_dict['NAME']}_{purpose}"
    template = connection.settings_dict["TEST"]["TEMPLATE"]
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(**connection.get_connection_params() | {"dbname": "postgres"}, autocommit=True) as server:
        server.execute(drop)
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, template))))
        try:
            yield name
        finally:
            server.execute(drop)


def _digest() -> str:
    digest = hashlib.sha256(" ".join(map(version, LIBRARIES)).encode())
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _make(name: str) -> None:
    """Under another name first, so that one whose making was interrupted is not taken for whole."""
    unfinished = f"{PREFIX}unfinished"
    with psycopg.connect(**connection.get_connection_params() | {"dbname": "postgres"}, autocommit=True) as server:
        rows = server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{PREFIX}%"]).fetchall()
        if (name,) in rows:
            return
        for (old,) in rows:
            server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(unfinished)))
        with connected_to(unfinished):
            call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
        server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*map(sql.Identifier, (unfinished, name))))
