"""Lists with more rows than are counted: orders, of which every kind of list has the parts."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from web.long_lists import BoundedPaginator

from restaurant.models import Order
from tests.conftest import make_item, own_queries
from tests.reading import read
from tests.restaurant.admin.pages import ORDERS, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock):
    clock(datetime(2026, 11, 22, 12, tzinfo=UTC))


@pytest.fixture
def many(session) -> list[Order]:
    """Seven orders, the newest first; the first has 1 item and 1.00, the next 2 and so on."""
    soup, now = make_item("Soup", "1.00"), timezone.now()
    orders = []
    for number in range(1, 8):
        order = Order.objects.create(
            table=session.table, session=session, total=number, created_at=now - timedelta(days=200 * number)
        )
        order.items.create(menu_item=soup, name="Soup", price=1, quantity=number)
        order.items.create(menu_item=soup, name="Soup", price=1, quantity=3, cancelled_quantity=3)
        orders.append(order)
    return orders


def listed(client, **by) -> list[tuple[int, int]]:
    """The total of each order, and how many items the list counts."""
    rows = client.get(ORDERS, by).context["cl"].result_list
    return [(int(row.total), row.quantities) for row in rows]


def test_every_row_has_the_number_of_its_items(managers_browser, many):
    assert listed(managers_browser) == [(number, number) for number in range(1, 8)]
    assert listed(managers_browser, o="-5") == [(number, number) for number in range(7, 0, -1)]


def test_a_list_of_more_rows_than_are_counted_says_so_and_has_pages_of_the_first(managers_browser, many, monkeypatch):
    monkeypatch.setattr(BoundedPaginator, "most", 5)
    monkeypatch.setattr("restaurant.billing.admin.orders.OrderAdmin.list_per_page", 2)
    page = words_of(managers_browser.get(ORDERS))
    assert "Only the first 5 are listed. Search, filter or choose a date to see others." in page
    assert "More than 5 orders" in page
    assert listed(managers_browser, p=3) == [(5, 5)]
    assert managers_browser.get(ORDERS, {"p": 4}).status_code == 302
    year = timezone.localtime(many[-1].created_at).year
    of_year = [order for order in many if timezone.localtime(order.created_at).year == year]
    assert listed(managers_browser, created_at__year=year) == [
        (int(order.total), int(order.total)) for order in of_year
    ]


def test_a_list_of_as_many_rows_as_are_counted_is_whole(managers_browser, many, monkeypatch):
    monkeypatch.setattr(BoundedPaginator, "most", 7)
    page = words_of(managers_browser.get(ORDERS))
    assert "Orders 7 " in page
    assert "Only the first" not in page
    assert "More than" not in page


def test_years_and_months_are_offered_from_the_first_order_to_the_last(managers_browser, many):
    def choices(**by):
        return [each["title"] for each in managers_browser.get(ORDERS, by).context["cl"].periods["choices"]]

    first, last = (timezone.localtime(order.created_at) for order in (many[-1], many[0]))
    assert choices() == [str(year) for year in range(first.year, last.year + 1)]
    assert len(choices(created_at__year=last.year)) == last.month
    days = choices(created_at__year=last.year, created_at__month=last.month)
    assert len(days) == last.day
    one = {"created_at__year": last.year, "created_at__month": last.month, "created_at__day": last.day}
    assert listed(managers_browser, **one) == [(1, 1)]


def test_dates_are_one_filter_with_a_name_from_the_last_days_to_years(managers_browser, many):
    def filters(**by) -> list[str]:
        return read(managers_browser.get(ORDERS, by)).one("main").texts("details")

    first, last = (timezone.localtime(order.created_at) for order in (many[-1], many[0]))
    years = " ".join(str(year) for year in range(first.year, last.year + 1))
    assert [each for each in filters() if "Placed" in each] == [
        f"Placed Any date Today Past 7 days This month This year {years}"
    ]
    of_year = filters(created_at__year=last.year)
    assert len(of_year) == len(filters())
    assert f"Placed: {last.year} Any date Today Past 7 days This month This year All dates January" in of_year[-1]
    of_day = {"created_at__year": last.year, "created_at__month": last.month, "created_at__day": last.day}
    assert filters(**of_day)[-1].startswith(f"Placed: {last.day} {last:%B} Any date ")


def test_the_number_of_rows_stands_beside_the_name_of_the_list(managers_browser, many, monkeypatch):
    assert "Orders 7 " in words_of(managers_browser.get(ORDERS))
    monkeypatch.setattr(BoundedPaginator, "most", 5)
    assert "Orders over 5 " in words_of(managers_browser.get(ORDERS))


def test_the_items_of_a_page_are_counted_by_one_query(managers_browser, many):
    with own_queries() as queries:
        assert len(listed(managers_browser)) == 7
    assert len([query for query in queries if "restaurant_orderitem" in query]) == 1


def test_orders_are_not_sorted_by_what_has_no_index(managers_browser, many):
    page = read(managers_browser.get(ORDERS))
    assert [name for name, address in page.one("table").links() if address.startswith("?o=")] == ["Placed", "Total"]
