"""Indexes that migrations create while guests order."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently


class ResumableAddIndex(AddIndexConcurrently):
    """Creates an index concurrently, also after a migration that was killed halfway.

    An index whose creation was interrupted exists but is invalid: it is created again. A finished one is kept.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        name = schema_editor.quote_name(self.index.name)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
            is_valid = (cursor.fetchone() or (None,))[0]
        if is_valid is False:
            self.database_backwards(app_label, schema_editor, to_state, from_state)
        if not is_valid:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
