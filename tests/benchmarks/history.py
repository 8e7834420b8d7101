"""Two years of a busy restaurant, written with COPY into an empty installation: what the reports are measured on.

    .venv/bin/python -m tests.benchmarks.history

It fills DATABASE_URL, or the embedded database of DATA_DIR, which is migrated and empty. The local hours are those of
TIME_ZONE. Indexes and constraints are put aside while the rows come in, and made again at the end, as when a backup is
restored: what is stopped midway leaves a database to throw away.
"""

import itertools
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import psycopg

from config.demo.scale.indexes import without_indexes
from tests.benchmarks.history_rows import MEMBERS_WITH_A_CODE, SEED, SIGNS, TABLES, Calendar, Programme, Restaurant

COLUMNS = {
    "qrservice_code": "id, account_id, analytics_id, slug, redirect_url, base_url, metadata, status, created_at,"
    " updated_at",
    "qrservice_scan": "code_id, scanned_at, city, country, device_type",
    "loyalty_location": "id, name, address, earn_qr_analytics_id, qr_code_url, short_url",
    "loyalty_reward": "id, name, description, points_required, reward_type, reward_value, available, created_at",
    "loyalty_member": "id, email, name, phone, qr_analytics_id, points_balance, lifetime_points, awards, spend, tier,"
    " created_at, last_activity_at, qr_code_url, short_url, signed_in_at, card_key",
    "loyalty_pointtransaction": "id, customer_id, type, points, description, order_total, location_id, staff_id,"
    " created_at, request_digest, result",
    "loyalty_redemption": "id, customer_id, reward_id, points_spent, redemption_code, qr_analytics_id, status,"
    " expires_at, used_at, created_at, qr_code_url, short_url",
    "restaurant_table": "id, table_number, section, capacity, qr_analytics_id, qr_code_url, short_url, created_at",
    "restaurant_menuitem": "id, name, description, price, category, image_url, available, created_at, allergens, diet",
    "restaurant_tablesession": "id, table_id, started_at, ended_at, total_scans, total_orders, total_revenue",
    "restaurant_order": "id, table_id, session_id, status, total, created_at, completed_at, request_digest",
    "restaurant_orderitem": "id, order_id, menu_item_id, position, name, quantity, special_instructions, price",
}


def copy(stack: ExitStack, settings: str, table: str) -> psycopg.Copy:
    """An open COPY on a connection of its own, so that several can be written in turn."""
    database = stack.enter_context(psycopg.connect(settings))
    return stack.enter_context(database.cursor().copy(f"COPY {table} ({COLUMNS[table]}) FROM STDIN"))


def fill(database_url: str, *, share: float = 1.0, time_zone: str = "UTC") -> dict[str, int]:
    """Fill an empty database with the latest `share` (up to 1) of the history; the number of rows of each table.

    Members, the menu and the tables are there with every share, and so is what happened in the days that it keeps.
    Raises RuntimeError where there is something already.
    """
    calendar = Calendar(time_zone=time_zone, share=share)
    settings = psycopg.conninfo.make_conninfo(
        database_url, options=f"-c TimeZone={time_zone} -c synchronous_commit=off"
    )
    with psycopg.connect(settings, autocommit=True) as database:
        for table in COLUMNS:
            if database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608
                raise RuntimeError(f"The database is not empty: there is something in {table}.")
        database.execute(
            "INSERT INTO qrservice_account (name, created_at) VALUES ('built-in', now()) ON CONFLICT DO NOTHING"
        )
        account = database.execute("SELECT id FROM qrservice_account WHERE name = 'built-in'").fetchone()[0]
        database.execute("SET maintenance_work_mem = '256MB'")
        with without_indexes(database, list(COLUMNS)):
            write(settings, calendar, account)
        database.execute("SELECT setval(pg_get_serial_sequence('qrservice_code', 'id'), max(id)) FROM qrservice_code")
        database.execute("VACUUM ANALYZE")
        return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COLUMNS}  # noqa: S608


def write(settings: str, calendar: Calendar, account: int) -> None:
    restaurant, rng, began = Restaurant(calendar), Random(SEED), calendar.text(0)
    count = TABLES + MEMBERS_WITH_A_CODE
    codes = ["".join(rng.choices(SIGNS, k=22)) for _ in range(count)]
    with ExitStack() as stack:
        heavy = ("restaurant_tablesession", "restaurant_order", "restaurant_orderitem", "qrservice_scan")
        copies = [copy(stack, settings, table) for table in heavy]
        for rows in restaurant.days():
            for one, text in zip(copies, rows, strict=True):
                one.write(text)
    programme = Programme(calendar, codes[TABLES:])
    rows_of = {
        "qrservice_code": (
            f"{n + 1}\t{account}\t{code}\t{code[:8]}\thttp://127.0.0.1:8000/\t\t{{}}\tactive\t{began}\t{began}\n"
            for n, code in enumerate(codes)
        ),
        "loyalty_location": (f"{each}\tHouse {n}\t\t\t\t\n" for n, each in enumerate(programme.locations, 1)),
        "loyalty_reward": (
            f"{each}\t{name}\t\t{cost}\tfree_item\t{{}}\tt\t{began}\n" for each, (name, cost) in programme.rewards
        ),
        "restaurant_table": (
            f"{each}\t{n}\t{'Garden' if n % 3 else 'Hall'}\t4\t{code}\t\t\t{began}\n"
            for n, (each, code) in enumerate(zip(restaurant.tables, codes, strict=False), 1)
        ),
        "restaurant_menuitem": (
            f"{each}\t{name}\t\t{price / 100:.2f}\tCourse {int(name[5:]) % 8}\t\tt\t{began}\t{{}}\t\n"
            for each, name, price in restaurant.dishes
        ),
        "loyalty_member": programme.member_rows(),
        "loyalty_pointtransaction": (row for _, row in programme.ledger),
        "loyalty_redemption": (row for _, row in programme.redemptions),
    }
    for table, rows in rows_of.items():
        with ExitStack() as stack:
            one = copy(stack, settings, table)
            for batch in iter(lambda rows=rows: "".join(itertools.islice(rows, 2000)), ""):
                one.write(batch)


def main() -> None:
    from config.serving.embedded import start_embedded

    start = time.perf_counter()
    url = os.environ.get("DATABASE_URL") or start_embedded(Path(os.environ.get("DATA_DIR", "var")).resolve())
    try:
        counts = fill(url, time_zone=os.environ.get("TIME_ZONE", "UTC"))
    except psycopg.errors.UndefinedTable:
        sys.exit("The database has no tables yet: python manage.py migrate")
    except RuntimeError as error:
        sys.exit(str(error))
    for table, count in counts.items():
        print(f"{count:>10,}  {table}")
    print(f"in {time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()
