"""`load_demo --scale`, on an installation of its own: it works on several connections."""

import re
import subprocess
import sys

import pytest

from tests.servers import ROOT, Installation

pytestmark = pytest.mark.slow

ORDERS = 1_000
# What the schema is made of, whatever the order in which it was made.
SCHEMA = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
                   " UNION ALL SELECT conrelid::regclass || pg_get_constraintdef(oid) FROM pg_constraint"
                   " WHERE convalidated ORDER BY 1")
    print(*[row for row, in cursor.fetchall()], sep="\\n")
"""
COUNTS = """
from loyalty.models import *; from qrservice.models import *; from restaurant.models import *
print(*[model._default_manager.count() for model in (Order, Member, Scan)])
"""
ORDERS_THAT_DO_NOT_ADD_UP = """
from django.db.models import F, Sum
from restaurant.models import Order, TableSession
of_items = Sum(F("items__price") * (F("items__quantity") - F("items__cancelled_quantity")))
orders = Order.objects.filter(placed_by="", collector="").annotate(sum=of_items).exclude(sum=F("total"))
counted = TableSession.objects.annotate(sum=Sum("orders__total")).exclude(total_revenue=F("sum")).exclude(sum=None)
print(orders.exclude(status="cancelled").count(), counted.exclude(orders__status__in=["held", "cancelled"]).count())
"""
# Sixty, and one less until one o'clock: yesterday is summed up when it has been over for an hour.
DAYS = """
from loyalty.models import LedgerDay; from restaurant.models import SalesDay
print(*[model.objects.count() >= 59 for model in (SalesDay, LedgerDay)])
"""


def _meaning(schema: str) -> list[str]:
    """PostgreSQL writes the casts of a condition elsewhere once it is made again, also from a dump."""
    return sorted(re.sub(r"::(character varying|text)(\[\])?|[()]", "", schema).splitlines())


@pytest.fixture(scope="module")
def shop(tmp_path_factory, used):
    made = Installation(tmp_path_factory.mktemp("scale") / "data").copy_data(used)
    made.schema_before = made.shell(SCHEMA)
    made.printed = made.manage("load_demo", "--scale", str(ORDERS))
    yield made
    made.close_shell()


def test_it_fills_the_tables_and_prints_how_long_the_pages_take(shop):
    orders, members, scans = map(int, shop.shell(COUNTS).split())
    assert orders > ORDERS
    assert members > ORDERS
    assert scans > 10 * ORDERS
    lines = shop.printed.splitlines()
    for name in ("orders, last page", "members, search", "ledger", "kitchen", "report: segments"):
        assert [line for line in lines if line.startswith(f"{name} ")], name


def test_every_index_and_constraint_is_back(shop):
    assert _meaning(shop.shell(SCHEMA)) == _meaning(shop.schema_before)


def test_its_figures_add_up(shop):
    assert "balances" in shop.manage("check_ledger")
    assert shop.shell(ORDERS_THAT_DO_NOT_ADD_UP) == "0 0"
    assert shop.shell(DAYS) == "True True"
    assert "are what their orders and the ledger say" in shop.manage("check_sums")
    assert "The books are what the journal says" in shop.manage("verify_journal")


def test_a_database_with_a_restaurant_in_it_is_refused(shop):
    before = shop.shell(COUNTS)
    command = [sys.executable, "manage.py", "load_demo", "--scale", str(ORDERS)]
    refused = subprocess.run(command, cwd=ROOT, env=shop.env(), capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "There is a restaurant in this database already: --scale wants an empty one." in refused.stderr
    assert shop.shell(COUNTS) == before
