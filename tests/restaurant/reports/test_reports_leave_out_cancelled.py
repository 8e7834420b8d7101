"""What is cancelled or held is in no report. See "Sales reports" in docs/behaviour/restaurant.md."""

from datetime import timedelta

import pytest

from restaurant.models import Order
from tests.conftest import PAGE, make_item, make_table
from tests.restaurant.reports.making import NOW, of_the_contract, order, scan, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

YESTERDAY = NOW - timedelta(days=1)
TABLE = "/reports/restaurant/tables/7"
WITH_ORDERS = ["/reports/restaurant", "/reports/restaurant/peak-hours", "/reports/restaurant/menu"]


def cancel(manager, placed: Order, *positions: tuple[int, int]) -> None:
    body: dict = {"reason": "sold_out"}
    if positions:
        body["items"] = [{"position": position, "quantity": quantity} for position, quantity in positions]
    response = manager.post(f"/orders/{placed.pk}/cancel", body, format="json")
    assert response.status_code == 200, response.content


@pytest.fixture
def shown(report, manager):
    """Everything that every report shows: its JSON, and the tiles and tables of its page."""

    def read() -> list:
        found: list = [report(path.removeprefix("/reports/restaurant")) for path in (*WITH_ORDERS, TABLE)]
        for path in (*WITH_ORDERS, TABLE):
            context = manager.get(path, headers={"accept": PAGE}).context
            found += [context["tiles"], [table.rows for table in context["tables"]]]
        return [*found, manager.get("/reports").json()["restaurant"]]

    return read


@pytest.fixture
def ordered(table, soup, bread):
    """What counts, today and yesterday."""
    start_session(table, YESTERDAY)
    for moment in (YESTERDAY, NOW):
        order(table, moment, (soup, 2), (bread, 1))
        scan(table, moment)


def test_a_cancelled_order_is_as_if_it_had_never_been_placed(shown, manager, ordered, table, soup, bread):
    before = shown()
    for moment in (YESTERDAY, NOW, NOW - timedelta(days=40)):
        cancel(manager, order(table, moment, (soup, 5), (bread, 3)))
    assert shown() == before


def test_a_held_order_counts_nowhere_until_it_is_approved(shown, ordered, table, soup):
    before = shown()
    for moment in (YESTERDAY, NOW, NOW - timedelta(days=40)):
        order(table, moment, (soup, 5), status="held")
    assert shown() == before


def test_a_line_that_is_cancelled_wholly_is_no_line(shown, manager, ordered, table, soup, bread):
    wine = make_item("Montepulciano", "7")
    kept = [order(table, moment, (wine, 2)) for moment in (YESTERDAY, NOW)]
    before = shown()
    for each in kept:
        each.delete()
    for moment in (YESTERDAY, NOW):
        cancel(manager, order(table, moment, (wine, 2), (soup, 3), (bread, 1)), (1, 3), (2, 1))
    assert shown() == before


def test_of_a_line_that_is_cancelled_in_part_the_rest_counts(report, manager, table, soup):
    cancel(manager, order(table, NOW, (soup, 5)), (0, 2))
    today = report("")
    assert (today["today"]["orders"], today["today"]["revenue"]) == (1, 28.5)
    assert today["topItems"] == [{"name": "Ribollita", "quantity": 3, "revenue": 28.5}]
    assert today["tableUtilization"][0]["revenue_today"] == 28.5
    [item] = report("/menu")["items"]
    assert (item["times_ordered"], item["total_quantity"], item["total_revenue"]) == (1, 3, 28.5)
    [peak] = report("/peak-hours")["peakTimes"]
    assert (peak["orders"], peak["revenue"]) == (1, 28.5)


def test_a_table_whose_orders_are_all_cancelled_is_listed_with_its_session(report, manager, table, soup):
    start_session(table, NOW)
    cancel(manager, order(table, NOW, (soup, 1)))
    make_table(8)
    assert report("")["tableUtilization"] == [
        {"table_number": 7, "section": "Window", "sessions_today": 1, "revenue_today": 0},
        {"table_number": 8, "section": "Window", "sessions_today": 0, "revenue_today": 0},
    ]
    assert of_the_contract(report("/peak-hours")) == {"peakTimes": [], "slowestTimes": []}
