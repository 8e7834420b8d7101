import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Index, Model

from tests.servers import PATIENCE

IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"


@pytest.mark.django_db
def test_models_and_migrations_agree(capsys):
    call_command("makemigrations", "--check", "--dry-run")
    assert "No changes detected" in capsys.readouterr().out


def _is_valid(index: str) -> bool | None:
    with connection.cursor() as cursor:
        cursor.execute(IS_VALID, [f'"{index}"'])
        return (cursor.fetchone() or (None,))[0]


def _begin_and_kill(model: type[Model], index: Index) -> None:
    """Kill the database's process that makes this index, while it waits for a row that is being written."""

    def make() -> None:
        with closing(connection), connection.schema_editor(atomic=False) as editor:
            editor.add_index(model, index, concurrently=True)

    with psycopg.connect(**connection.get_connection_params()) as writer, ThreadPoolExecutor(1) as pool:
        writer.execute(f'LOCK TABLE "{model._meta.db_table}" IN ROW EXCLUSIVE MODE')
        making = pool.submit(make)
        while _is_valid(index.name) is None and not making.done():
            time.sleep(0.01)
        writer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'"
        )
        with pytest.raises(OperationalError):
            making.result(PATIENCE)
    assert _is_valid(index.name) is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_start_goes_on_where_one_was_killed_that_made_an_index():
    loader = MigrationExecutor(connection).loader
    made = 0
    for (app, name), migration in loader.graph.nodes.items():
        additions = [operation for operation in migration.operations if isinstance(operation, AddIndexConcurrently)]
        for operation in additions:
            state = loader.project_state((app, name), at_end=False)
            model, index = state.apps.get_model(app, operation.model_name), operation.index
            with connection.schema_editor(atomic=False) as editor:
                editor.remove_index(model, index, concurrently=True)
                _begin_and_kill(model, index)
                migration.apply(state, editor)
            assert _is_valid(index.name), f"{app} {name} does not make {index.name} again"
            made += 1
    assert made
