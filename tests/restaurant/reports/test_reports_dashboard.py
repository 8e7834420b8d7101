"""`GET /reports/restaurant`. See "Sales reports" in docs/behaviour/restaurant.md."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from restaurant.models import Order, OrderItem
from tests.conftest import PAGE, make_item, make_table, undone
from tests.reading import read
from tests.restaurant.reports.making import NOW, order, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

MIDNIGHT = NOW.replace(hour=0, minute=0)


def test_what_a_program_gets(report, table, soup, bread):
    start_session(table)
    order(table, NOW, (soup, 2), (bread, 1))
    order(table, NOW, (soup, 1))
    assert report("") == {
        "today": {"sessions": 1, "orders": 2, "revenue": 32.75, "avgOrderValue": 16.38},
        "topItems": [
            {"name": "Ribollita", "quantity": 3, "revenue": 28.5},
            {"name": "Sourdough & olive oil", "quantity": 1, "revenue": 4.25},
        ],
        "tableUtilization": [{"table_number": 7, "section": "Window", "sessions_today": 1, "revenue_today": 32.75}],
    }


def test_an_order_of_a_session_that_began_yesterday_is_today_s(report, table, soup):
    start_session(table, MIDNIGHT - timedelta(minutes=30))
    order(table, MIDNIGHT + timedelta(minutes=5), (soup, 1))
    body = report("")
    assert (body["today"]["sessions"], body["today"]["orders"]) == (0, 1)
    assert body["tableUtilization"][0]["revenue_today"] == 9.5


def test_the_average_order_has_two_decimals_and_halves_go_up(report, table):
    averages = {("0.01", "0.02"): 0.02, ("10", "10", "0"): 6.67, ("1", "0.01"): 0.51}
    found = {}
    for totals in averages:
        with undone():
            for total in totals:
                order(table, NOW, total=total)
            found[totals] = report("")["today"]["avgOrderValue"]
    assert found == averages


def test_of_eleven_items_the_tenth_is_named_and_the_eleventh_is_not(report, table):
    items = [make_item(f"Dish {number:02}") for number in range(11)]
    order(table, NOW, *((item, 20 - number) for number, item in enumerate(items)))
    assert [each["name"] for each in report("")["topItems"]] == [f"Dish {number:02}" for number in range(10)]


def test_ties_of_items_are_broken_by_revenue_then_name(report, table):
    items = [make_item("b", "4"), make_item("a", "4"), make_item("dear", "5")]
    order(table, NOW, *((item, 2) for item in items))
    assert [each["name"] for each in report("")["topItems"]] == ["dear", "a", "b"]


def test_an_item_is_one_whatever_it_was_called_when_it_was_ordered(report, table, soup):
    order(table, NOW, (soup, 1))
    soup.name = "Ribollita della casa"
    soup.price = 20
    soup.save()
    order(table, NOW, (soup, 1))
    assert report("")["topItems"] == [{"name": "Ribollita della casa", "quantity": 2, "revenue": 29.5}]


def test_two_items_of_one_name_stay_two(report, table):
    order(table, NOW, (make_item("Tea", "3"), 1), (make_item("Tea", "4"), 1))
    assert [each["revenue"] for each in report("")["topItems"]] == [4, 3]


def test_every_table_is_listed_by_revenue_then_number(report, soup):
    quiet, busy, idle, other = make_table(9), make_table(4), make_table(2), make_table(12, section="")
    order(quiet, NOW, (soup, 1))
    order(busy, NOW, (soup, 3))
    order(other, NOW, (soup, 1))
    start_session(idle)
    start_session(idle)
    assert [tuple(each.values()) for each in report("")["tableUtilization"]] == [
        (4, "Window", 0, 28.5), (9, "Window", 0, 9.5), (12, "", 0, 9.5), (2, "Window", 2, 0),
    ]  # fmt: skip


def test_the_page_has_revenue_by_category_and_by_who_ordered(report_page, report, table, soup):
    for placed_by, portions in (("", 1), ("managers", 2)):
        order(table, NOW, (soup, portions), (make_item("Tea", "1", category=""), 1))
        Order.objects.filter(total=soup.price * portions + 1).update(placed_by=placed_by)
    order(table, NOW - timedelta(days=1), (soup, 9))  # on another day
    shown = report_page("")
    assert shown.context["categories"].rows == [
        [soup.category, 3, 3 * soup.price, Decimal("93.4")], ["Other", 2, 2, Decimal("6.6")],
    ]  # fmt: skip
    assert shown.context["shares"][0].rows == [
        ["With staff", 1, 2 * soup.price + 1, Decimal("65.6")], ["On their phones", 1, soup.price + 1, Decimal("34.4")],
    ]  # fmt: skip
    assert len(shown.context["shares"]) == 1  # of one section there is nothing to tell
    assert read(shown).one("heading", "Sales by category")
    assert "Rewards are not taken off" in read(shown)
    assert not shown.context["tiles"][0].note  # nothing was sold at a rate
    assert "/admin/" not in "".join(shown.context["items"].links)
    OrderItem.objects.filter(menu_item=soup).update(vat_rate=10)
    User.objects.update(is_staff=True)
    shown = report_page("")
    net = 3 * soup.price + 2 - (3 * soup.price / 11).quantize(Decimal("0.01"))
    assert shown.context["tiles"][0].note == f"€{net} net of VAT"
    assert (soup.name, f"/admin/restaurant/menuitem/{soup.pk}/change/") in read(shown).links()
    assert not report_page("?days=32").context["tiles"][0].note
    assert set(report("")) == {"today", "topItems", "tableUtilization"}  # programs get what they always got


def test_the_page_can_be_of_the_orders_of_one_channel_or_section(report_page, manager, report, table, soup):
    bar, beside = make_table(8, section="Bar & yard"), make_table(9)
    for place, placed_by, portions in ((table, "", 1), (beside, "managers", 2), (bar, "managers", 4)):
        start_session(place)
        made = order(place, NOW - timedelta(hours=1), (soup, portions))
        Order.objects.filter(pk=made.pk).update(placed_by=placed_by)

    def figures(query: str) -> tuple:
        shown = report_page(query)
        tiles = {each.label: each.value for each in shown.context["tiles"]}
        parts = (shown.context["hours"].rows, 1), (shown.context["places"].rows, 3)
        sums = [sum(row[column] for row in rows) for rows, column in parts]
        assert sums == [tiles["Sales"]] * 2
        assert sum(row[2] for row in shown.context["categories"].rows) == tiles["Sales"]
        titles = [each.title for each in shown.context["shares"]]
        return tiles["Sales"] / soup.price, tiles.get("Table sessions"), titles, shown.context["which"]

    both = ["How guests ordered", "Sales by section"]
    assert figures("") == (7, 3, both, "")
    assert report_page("").context["shares"][1].rows == [
        ["Bar & yard", 1, 4 * soup.price, Decimal("57.1")], ["Window", 2, 3 * soup.price, Decimal("42.9")],
    ]  # fmt: skip
    assert figures("?channel=all&section=") == figures("")
    assert figures("?channel=phone") == (1, None, both[1:], "On their phones")
    assert figures("?channel=staff") == (6, None, both[1:], "With staff")
    assert figures("?section=Bar+%26+yard") == (4, 1, both[:1], "Bar & yard")
    assert figures("?section=Window&channel=staff") == (2, None, [], "With staff · Window")
    shown = read(report_page("?section=Bar+%26+yard&channel=staff"))
    addresses = [address for _name, address in shown.links()]
    assert "?channel=staff&section=Bar+%26+yard&format=csv" in addresses
    assert shown.field("section")["value"] == "Bar & yard"
    yesterday = [each for each in addresses if each.startswith("?") and "to=2026-03-06&" in each]
    assert yesterday
    assert [each for each in yesterday if not each.endswith("&channel=staff&section=Bar+%26+yard")] == []
    file = manager.get("/reports/restaurant?format=csv&channel=staff&section=Bar+%26+yard")
    assert 'filename="restaurant-staff-bar-yard-2026-03-07.csv"' in file.headers["Content-Disposition"]
    assert '"Only orders: With staff, Bar & yard."' in file.content.decode()
    assert report("?channel=staff") == report("")
    for query, status in (("channel=mail", 400), ("section=Roof", 404), ("section=%00", 404)):
        refused = manager.get(f"/reports/restaurant?{query}", headers={"accept": PAGE})
        assert refused.status_code == status, query


def test_that_a_chart_shows_all_of_the_day_before_is_said_where_it_does(report_page, table, soup):
    words = "the hourly chart shows all of that day"
    assert words not in report_page("").content.decode()
    order(table, NOW - timedelta(days=7), (soup, 1))
    assert words in report_page("").content.decode()
