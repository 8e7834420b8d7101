"""Drops indexes and constraints while rows are inserted, as when a backup is restored."""

from collections.abc import Sequence

import psycopg

# Foreign keys go first and come back last.
_CONSTRAINTS = """
SELECT conrelid::regclass::text,
       'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || quote_ident(conname),
       'ALTER TABLE ' || conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(conname) || ' '
                      || pg_get_constraintdef(oid)
  FROM pg_constraint
 WHERE contype = ANY (%(kinds)s)
       AND (conrelid = ANY (%(tables)s::regclass[]) OR confrelid = ANY (%(tables)s::regclass[]))
 ORDER BY contype
"""
_INDEXES = """
SELECT indrelid::regclass::text, 'DROP INDEX ' || indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
 WHERE indrelid = ANY (%(tables)s::regclass[])
       AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE contype IN ('p', 'u'))
"""


class DroppedIndexes:
    """Drops the indexes and constraints of these tables. They are restored table by table, foreign keys last."""

    def __init__(self, database: psycopg.Connection, tables: Sequence[str]) -> None:
        names = {"tables": list(tables)}
        self._foreign_keys = list(database.execute(_CONSTRAINTS, {**names, "kinds": ["f"]}))
        self._others = [
            *database.execute(_INDEXES, names),
            *database.execute(_CONSTRAINTS, {**names, "kinds": ["p", "u"]}),
        ]
        for _, drop, _ in [*self._foreign_keys, *reversed(self._others)]:
            database.execute(drop)

    def indexes_of(self, table: str) -> list[str]:
        """Return statements that restore the table's indexes, primary keys and unique constraints."""
        return [make for owner, _, make in self._others if owner == table]

    def foreign_keys(self) -> list[str]:
        """Return statements that restore the foreign keys of these tables and to them."""
        return [make for _, _, make in self._foreign_keys]
