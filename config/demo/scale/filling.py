"""Fills the demonstration restaurant's past with the rows of `rows`."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
from django.db import connection
from django.utils import timezone
from tqdm import tqdm

from config.demo import people
from config.demo.scale import rows
from config.demo.scale.indexes import Aside
from loyalty.models import Programme
from loyalty.points.services import sums
from restaurant.reports.services import sales

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


def fill(count: int, *, progress: bool) -> None:
    """Add `count` orders and as many members, ten times as many scans, and their other rows.

    The tables' indexes and constraints are dropped meanwhile: a database in which this was stopped is unfinished.
    """
    # `disable=None`: not shown unless standard error is a terminal.
    bar = tqdm(total=12 * count, desc="Rows", unit=" rows", unit_scale=True, disable=None if progress else True)
    with bar, _connect() as database:
        aside = Aside(database, _TABLES)
        filling = _Filling(count, aside, bar)
        with ThreadPoolExecutor(2) as pool:  # each has a connection, and so a processor of PostgreSQL's
            _wait_for([pool.submit(task) for task in (filling.scans, filling.visits, filling.members)])
        bar.set_description("Foreign keys")
        for statement in aside.foreign_keys():
            database.execute(statement)
        bar.set_description("Sums of days")
    # As `tidy` does every night. The sums of the demonstration's days lack these rows, and nothing says so.
    for service in (sales, sums):
        service.sum_up(now=timezone.now(), again_since=date.min)


def _wait_for(futures: list[Future[None]]) -> None:
    """Raise the first error of the futures, and cancel those that still wait."""
    try:
        for future in futures:
            future.result()
    except BaseException:
        for future in futures:
            future.cancel()
        raise


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
    aside: Aside
    bar: "tqdm[Any]"

    @property
    def days(self) -> int:
        return min(_LONGEST, max(_SHORTEST, self.count // _ORDERS_A_DAY))

    def scans(self) -> None:
        with self._prepared() as database:
            for part in self._parts(10 * self.count, 10 * _AT_ONCE):
                database.execute(rows.SCANS, {**part, "visits": self.count // rows.ORDERS_PER_VISIT, "days": self.days})
                self.bar.update(part["last"] - part["first"] + 1)
            self._finish(database, "qrservice_scan")

    def visits(self) -> None:
        visits = self.count // rows.ORDERS_PER_VISIT
        with self._prepared() as database:
            for part in self._parts(visits, _AT_ONCE // rows.ORDERS_PER_VISIT):
                database.execute(rows.VISITS, {**part, "visits": visits, "days": self.days})
                self.bar.update((part["last"] - part["first"] + 1) * rows.ORDERS_PER_VISIT)
            self._finish(database, "restaurant_order", "restaurant_orderitem", "restaurant_tablesession")

    def members(self) -> None:
        programme = Programme()
        values = {
            "members": self.count,
            "days": self.days,
            "first_names": list(people.FIRST_NAMES),
            "first_name_count": len(people.FIRST_NAMES),
            "last_names": list(people.LAST_NAMES),
            "last_name_count": len(people.LAST_NAMES),
            "bonus": programme.signup_bonus,
            "silver": programme.silver_from,
            "gold": programme.gold_from,
            "platinum": programme.platinum_from,
        }
        with self._prepared() as database:
            for part in self._parts(self.count, _AT_ONCE):
                database.execute(rows.MEMBERS, {**part, **values})
                self.bar.update(part["last"] - part["first"] + 1)
            database.execute(rows.LEDGER)
            self._finish(database, "loyalty_member", "loyalty_pointtransaction", "loyalty_redemption")

    @staticmethod
    def _prepared() -> psycopg.Connection:
        database = _connect()
        database.execute(rows.PREPARE)
        return database

    @staticmethod
    def _parts(count: int, size: int) -> Iterator[dict[str, int]]:
        return ({"first": first, "last": min(first + size, count) - 1} for first in range(0, count, size))

    def _finish(self, database: psycopg.Connection, *tables: str) -> None:
        for table in tables:
            self.bar.set_description(f"Indexes of {table}")
            for statement in self.aside.indexes_of(table):
                database.execute(statement)
            database.execute(f"VACUUM (ANALYZE) {table}")
