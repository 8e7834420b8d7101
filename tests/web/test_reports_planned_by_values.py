"""Reports, lists and searches aren't answered by plans that PostgreSQL made for other values."""

import pytest
from django.db import connection

from tests.conftest import PAGE

pytestmark = pytest.mark.django_db

TIMES = 7  # more than what psycopg waits for before it prepares a statement


def prepared() -> int:
    found = connection.connection.execute("SELECT count(*) FROM pg_prepared_statements", prepare=False)
    return found.fetchone()[0]


@pytest.fixture
def opened(admin_client):
    def opened(path: str) -> int:
        """How many statements are prepared by opening this page over and over."""
        before = prepared()
        for _ in range(TIMES):
            assert admin_client.get(path, headers={"Accept": PAGE}).status_code == 200
        return prepared() - before

    return opened


PATHS = [
    "/reports", "/reports/restaurant/menu?days=365", "/reports/loyalty", "/admin/", "/admin/loyalty/member/?q=a",
    "/till?q=anna",
]  # fmt: skip


@pytest.mark.slow
def test_statements_of_reports_lists_and_searches_are_not_prepared(opened):
    assert {path: opened(path) for path in PATHS} == dict.fromkeys(PATHS, 0)


@pytest.mark.slow
def test_statements_of_other_pages_are_prepared(opened, table):
    assert opened(f"/table/{table.table_number}") > 0
    assert opened("/reports") == 0
    assert opened("/floor") > 0
