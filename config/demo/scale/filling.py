"""Fills the demonstration restaurant's past with rows that PostgreSQL makes from numbers: see the .sql files here.

`INSERT … SELECT` takes two thirds of the time of COPY, which has to be fed by Python (2.0 and 2.9 seconds for a million
scans), and leaves Python's processor to the database.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from django.utils import timezone
from tqdm import tqdm

from config.demo import people
from loyalty.models import Programme
from loyalty.points.services import sums
from restaurant.reports.services import sales
from web.money import decimals

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


_LEDGER = """
WITH written AS (
    INSERT INTO web_journalentry (kind, at, user_name, subject, content)
    SELECT CASE type WHEN 'earn' THEN 'award' ELSE 'redemption' END, created_at, staff_id, id,
           json_build_object('location', location_id, 'member', customer_id, 'order_total', order_total::text,
                             'points', points, 'reverses', NULL)::text
      FROM transaction ORDER BY created_at
)
INSERT INTO loyalty_pointtransaction SELECT * FROM transaction ORDER BY created_at
"""
_ORDERS_PER_VISIT = 2
_LONGEST, _SHORTEST = 730, 60  # days, until yesterday
_ORDERS_A_DAY = 20  # at least, unless that is shorter than the shortest
_AT_ONCE = 20_000  # orders or members in a statement, and ten times as many scans
_TABLES = (
    "qrservice_scan",
    "restaurant_order",
    "restaurant_orderitem",
    "restaurant_tablesession",
    "loyalty_member",
    "loyalty_pointtransaction",
    "loyalty_redemption",
)


def fill(count: int) -> None:
    """Add `count` orders and as many members, ten times as many scans, and their other rows.

    The tables' indexes and constraints are dropped meanwhile: a database in which this was stopped is unfinished.
    """
    # `disable=None`: not shown unless standard error is a terminal.
    bar = tqdm(total=11 * count + count // _ORDERS_PER_VISIT, desc="Rows", unit=" rows", unit_scale=True, disable=None)
    with bar, _connect() as database:
        dropped = DroppedIndexes(database, _TABLES)
        filling = _Filling(count, dropped, bar)
        with ThreadPoolExecutor(2) as pool:  # each has a connection, and so a processor of PostgreSQL's
            list(pool.map(lambda fill_tables: fill_tables(), (filling.scans, filling.visits, filling.members)))
        bar.set_description("Foreign keys")
        for statement in dropped.foreign_keys():
            database.execute(statement)
        bar.set_description("Sums of days")
    # As `tidy` does every night. The sums of the demonstration's days lack these rows, and nothing says so.
    for service in (sales, sums):
        service.sum_up(now=timezone.now(), again_since=date.min)


def _connect() -> psycopg.Connection:
    # Unlike Django's own connections, which choose a plan that fits every value.
    settings = {**connection.get_connection_params(), "cursor_factory": psycopg.Cursor, "prepare_threshold": None}
    database = psycopg.connect(**settings, autocommit=True)
    for statement in (
        "SET statement_timeout = 0",
        "SET synchronous_commit = off",
        "SET work_mem = '64MB'",
        "SET maintenance_work_mem = '512MB'",
    ):
        database.execute(statement)
    return database


@dataclass(frozen=True, slots=True)
class _Filling:
    count: int
    dropped: DroppedIndexes
    bar: "tqdm[Any]"

    @property
    def days(self) -> int:
        return min(_LONGEST, max(_SHORTEST, self.count // _ORDERS_A_DAY))

    @property
    def number_of_visits(self) -> int:
        return self.count // _ORDERS_PER_VISIT

    def scans(self) -> None:
        values = {"visits": self.number_of_visits, "days": self.days}
        with self._prepared() as database:
            self._insert(database, "scans", values, 10 * self.count, 10 * _AT_ONCE)
            self._finish(database, "qrservice_scan")

    def visits(self) -> None:
        values = {"visits": self.number_of_visits, "days": self.days}
        with self._prepared() as database:
            self._insert(database, "visits", values, self.number_of_visits, _AT_ONCE // _ORDERS_PER_VISIT)
            self._finish(database, "restaurant_order", "restaurant_orderitem", "restaurant_tablesession")

    def members(self) -> None:
        programme = Programme()
        values = {
            "members": self.count,
            "days": self.days,
            "first_names": people.FIRST_NAMES,
            "first_name_count": len(people.FIRST_NAMES),
            "last_names": people.LAST_NAMES,
            "last_name_count": len(people.LAST_NAMES),
            "bonus": programme.signup_bonus,
            "silver": programme.silver_from,
            "gold": programme.gold_from,
            "platinum": programme.platinum_from,
            "decimals": decimals(),
        }
        with self._prepared() as database:
            self._insert(database, "members", values, self.count, _AT_ONCE)
            # A ledger grows in the order of time: the rows of a month lie side by side.
            database.execute(_LEDGER)
            self._finish(database, "loyalty_member", "loyalty_pointtransaction", "loyalty_redemption")

    @staticmethod
    def _prepared() -> psycopg.Connection:
        database = _connect()
        database.execute(_statement("prepare"))
        return database

    def _insert(self, database: psycopg.Connection, name: str, values: dict[str, Any], count: int, size: int) -> None:
        """Insert the rows of the numbers from 0 to below `count`, `size` of them at a time."""
        statement = _statement(name)
        for first in range(0, count, size):
            last = min(first + size, count) - 1
            database.execute(statement, {**values, "first": first, "last": last})
            self.bar.update(last - first + 1)

    def _finish(self, database: psycopg.Connection, *tables: str) -> None:
        for table in tables:
            self.bar.set_description(f"Indexes of {table}")
            for statement in self.dropped.indexes_of(table):
                database.execute(statement)
            database.execute(f"VACUUM (ANALYZE) {table}")


def _statement(name: str) -> bytes:
    return Path(__file__).with_name(f"{name}.sql").read_bytes()
