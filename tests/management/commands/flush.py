"""What empties the database after each test with transactions of its own: Django's command, in a tenth of its time.

Django truncates every table and makes all permissions and groups again. Here only rows that are there are deleted, and
what the migrations have made is left, unless the test has changed it.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management.commands import flush
from django.db import connection, transaction

MADE_BY_MIGRATIONS = ("django_content_type", "auth_permission", "auth_group", "auth_group_permissions")


class Command(flush.Command):
    made: list[tuple[Any, ...]] | None = None  # by migrations, or by the latest flush that was Django's own

    def handle(self, **options: Any) -> None:
        if Command.made == _made_by_migrations():
            _delete_rows()
            return
        super().handle(**options)
        remember()


def remember() -> None:
    """What migrations have made, all content types included: none is asked for while a test counts queries."""
    Command.made = _made_by_migrations()
    ContentType.objects.get_for_models(*apps.get_models())


def _of_each(query: str, names: Iterable[str]) -> str:
    return " UNION ALL ".join(query % (name, name) for name in names)


def _made_by_migrations() -> list[tuple[Any, ...]]:
    """As many rows with the same contents are taken for the same rows."""
    with connection.cursor() as cursor:
        cursor.execute(_of_each("SELECT '%s', count(*), sum(hashtext(t::text)) FROM %s t", MADE_BY_MIGRATIONS))
        return sorted(cursor.fetchall())


def _delete_rows() -> None:
    names = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
    names -= set(MADE_BY_MIGRATIONS)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(sorted(names))} IN EXCLUSIVE MODE")  # a server may still be writing
        cursor.execute("SET LOCAL session_replication_role = replica")  # foreign keys are not looked at: all rows go
        cursor.execute(_of_each("SELECT '%s' WHERE EXISTS (SELECT FROM %s)", names))
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608 (a table of ours)
