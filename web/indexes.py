"""Indexes that migrations make while guests order as always."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently


class ResumableAddIndex(AddIndexConcurrently):
    """Django's operation, for a migration that may have been killed before: nothing of such a one is rolled back.

    An index whose making was interrupted exists, but is invalid: it is made anew. One that was finished is kept.
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
