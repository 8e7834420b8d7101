"""Every line of the orders of some days as a CSV file."""

import csv
import io
from datetime import UTC, timedelta

import pytest

from restaurant.reports import lines
from tests.conftest import PAGE, make_item, own_queries
from tests.restaurant.reports.making import NOW, cancel, make_ordered, order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

MIDNIGHT = NOW.replace(hour=0, minute=0)


def rows_of(manager, **query) -> list[dict[str, str]]:
    response = manager.get("/reports/restaurant/lines", query)
    assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))


@pytest.fixture
def ordered(manager, session, soup, bread):
    return make_ordered(manager, session, soup, bread)


def test_every_line_is_in_it_with_its_status(manager, ordered, session, table, soup):
    cancel(manager, ordered, items=[{"position": 0, "quantity": 1}])
    held = order(table, NOW + timedelta(seconds=1), (soup, 3), status="held")
    first, second, third = rows_of(manager)
    common = {"date": "2026-03-07", "time": "14:30:00", "order": ordered, "table": "7", "session": str(session.pk)}
    assert first == common | {
        "item": "Ribollita", "options": "", "quantity": "2", "cancelled": "1", "unit_price": "9.50", "total": "9.50",
        "vat_rate": "13.50", "status": "pending", "placed_by": "managers",
    }  # fmt: skip
    assert (second["item"], second["vat_rate"], second["total"]) == ("Sourdough & olive oil", "9.00", "4.25")
    assert (third["order"], third["status"], third["vat_rate"], third["placed_by"]) == (str(held.pk), "held", "", "")


def test_both_days_are_in_it(manager, table, soup):
    for days in range(5):
        order(table, MIDNIGHT - timedelta(days=days), (soup, 1))
    assert [row["date"] for row in rows_of(manager, **{"from": "2026-03-04", "to": "2026-03-06"})] == [
        "2026-03-04", "2026-03-05", "2026-03-06",
    ]  # fmt: skip
    assert len(rows_of(manager)) == 1


def test_cells_are_harmless_in_a_spreadsheet(manager, table):
    placed = order(table, NOW, (make_item("=1+1", "1"), 1))
    type(placed).objects.update(placed_by="@cook")
    [row] = rows_of(manager)
    assert (row["item"], row["placed_by"]) == ("'=1+1", "'@cook")


def test_bad_days_are_refused(manager):
    for query, field in (
        ({"from": "x"}, "from"), ({"to": "2026-02-30"}, "to"), ({"from": "2026-03-07", "to": "2026-03-06"}, "to"),
    ):  # fmt: skip
        response = manager.get("/reports/restaurant/lines", query)
        assert (response.status_code, list(response.json()["fields"])) == (400, [field]), query
        assert manager.get("/reports/restaurant/lines", query, headers={"accept": PAGE}).status_code == 400, query


def test_it_is_streamed_some_orders_at_a_time(manager, table, soup, monkeypatch):
    for number in range(23):
        order(table, NOW + timedelta(seconds=number // 4), (soup, 1), (soup, 2))
    every = rows_of(manager)
    assert len(every) == 46
    monkeypatch.setattr(lines, "ORDERS", 5)
    with own_queries() as asked:
        rows = lines.rows(since=MIDNIGHT, until=MIDNIGHT + timedelta(days=1), zone=UTC)
        assert next(rows)
        first = len(asked)
        assert [str(row[2]) for row in rows] == [row["order"] for row in every[1:]]
    assert first == 2  # orders with tables, items with menu items
    assert len(asked) <= 5 * 2 + 1


def test_a_response_of_many_lines_comes_in_blocks(manager, table, soup):
    order(table, NOW, *((soup, 1) for _ in range(2500)))
    response = manager.get("/reports/restaurant/lines")
    assert response.streaming
    sizes = [block.count(b"\n") for block in response.streaming_content]
    assert sizes == [0, 1000, 1000, 501]
