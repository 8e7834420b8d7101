"""What holds for every report: who may read it, as JSON, page or CSV, for how many days, and which orders it counts."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from config.models import StaffToken
from restaurant.models import Order
from tests.conftest import PAGE, make_item, make_user, undone
from tests.reading import read
from tests.restaurant.reports.making import NOW, of_the_contract, order, scan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

REPORT = "/reports/restaurant"
WITH_DAYS = [f"{REPORT}/peak-hours", f"{REPORT}/menu", f"{REPORT}/tables/7"]
PAGES = [REPORT, *WITH_DAYS, f"{REPORT}/day"]
TICK = timedelta(microseconds=1)


@pytest.fixture
def program():
    """A manager's, with a token."""
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    return APIClient(headers={"authorization": f"Token {token}"})


# --- who may read it, and as what --------------------------------------------------------------------


def test_managers_may_and_others_may_not(api, floor, cashier, program, table):
    paths = [*PAGES, f"{REPORT}/lines"]
    refused = {path: [client.get(path) for client in (api, floor, cashier)] for path in paths}
    answers = {path: [(each.status_code, set(each.json())) for each in those] for path, those in refused.items()}
    assert answers == {path: [(401, {"error"}), (403, {"error"}), (403, {"error"})] for path in paths}
    served = {path: program.get(path) for path in PAGES}
    heads = {path: (each["Content-Type"], each["Cache-Control"]) for path, each in served.items()}
    assert heads == dict.fromkeys(PAGES, ("application/json", "private, no-cache"))
    assert [path for path, each in served.items() if "Accept" not in each["Vary"]] == []


def test_a_browser_gets_the_page_or_is_led_to_the_sign_in(browser_client, manager, table):
    ways = {path: browser_client.get(path)["Location"] for path in PAGES}
    assert ways == {path: f"/sign-in?next={path.replace('/', '%2F')}" for path in PAGES}
    pages = {path: manager.get(path, headers={"accept": PAGE}) for path in PAGES}
    heads = {path: (each["Content-Type"], each["Cache-Control"]) for path, each in pages.items()}
    assert heads == dict.fromkeys(PAGES, ("text/html; charset=utf-8", "private, no-cache"))


def test_the_last_word_is_the_format_in_the_address(manager, table):
    for asked, accept, served in (
        ("html", "application/json", "text/html; charset=utf-8"),
        ("json", PAGE, "application/json"),
        ("csv", PAGE, "text/csv; charset=utf-8"),
    ):
        kinds = {path: manager.get(f"{path}?format={asked}", headers={"accept": accept}) for path in PAGES}
        assert {path: each["Content-Type"] for path, each in kinds.items()} == dict.fromkeys(PAGES, served)


def test_a_name_is_text_wherever_it_stands(report_page, table):
    table.section = "<u>"
    table.save()
    order(table, NOW, (make_item("<b>Pie</b>", category="<i>"), 1))
    for path in ("", "/menu", "/tables/7"):
        text = report_page(path).text
        assert [tag for tag in ("<b>Pie", "<i>", "<u>") if tag in text] == [], path


# --- of how many days --------------------------------------------------------------------------------


def test_days_are_whole_numbers_from_1_to_365(manager, table):
    accepted = ["1", "365", "007"]
    odd = ["0", "366", "-1", "1.5", "7.0", "x", "", " 7", "+7", "7\n", "\0", "٧", "1e2", "9" * 5000]
    statuses = {(path, days): manager.get(path, {"days": days}).status_code for path in WITH_DAYS for days in accepted}
    assert set(statuses.values()) == {200}, statuses
    for path in WITH_DAYS:
        refused = {days: manager.get(path, {"days": days}) for days in odd}
        answers = {days: (each.status_code, set(each.json()["fields"])) for days, each in refused.items()}
        assert answers == dict.fromkeys(odd, (400, {"days"})), path
        for form in ("html", "csv"):  # a page for a browser and never a file
            response = manager.get(path, {"days": "0", "format": form}, headers={"accept": PAGE})
            assert (response.status_code, "Content-Disposition" in response) == (400, False)
            assert "A whole number from 1 to 365 is needed." in read(response)


def test_a_period_begins_after_its_edge_however_long_it_is_and_ends_now(report, table, soup):
    for days in (1, 7, 30, 120, 121, 365):
        edge = NOW - timedelta(days=days)
        with undone():
            for moment, quantity in ((edge, 1), (edge + TICK, 2), (NOW, 4), (NOW + TICK, 8)):
                order(table, moment, (soup, quantity))
                scan(table, moment)
            [item] = report(f"/menu?days={days}")["items"]
            hours = report(f"/peak-hours?days={days}")["peakTimes"]
            scans = report(f"/tables/7?days={days}")["totalScans"]
        assert (item["times_ordered"], item["total_quantity"], item["total_revenue"]) == (2, 6, 57), days
        assert [sum(each[name] for each in hours) for name in ("orders", "scans", "revenue")] == [2, 2, 57], days
        assert scans == 2, days


def test_it_is_of_thirty_days_or_for_a_table_of_seven(report, table, soup):
    for days in (6, 8, 29, 31):
        order(table, NOW - timedelta(days=days), (soup, 1))
        scan(table, NOW - timedelta(days=days))
    assert (report("/menu")["days"], report("/menu")["items"][0]["total_quantity"]) == (30, 3)
    assert sum(each["orders"] for each in report("/peak-hours")["peakTimes"]) == 3
    assert report("/tables/7")["totalScans"] == 1


def test_the_period_is_shown_and_can_be_chosen(manager, table):
    for path in WITH_DAYS:
        for days in (30, 45):
            shown = manager.get(f"{path}?days={days}", headers={"accept": PAGE})
            assert (shown.context["since"], shown.context["until"]) == (NOW - timedelta(days=days), NOW), path
            page = read(shown)
            chosen = page.one("link", f"Last {days} days")
            assert (chosen["href"], chosen["aria-current"]) == (f"?days={days}", "true"), path
            assert page.one("link", "Last 28 days")["href"] == "?from=2026-02-08&to=2026-03-07", path
            assert f"?days={days}&format=csv" in [address for _name, address in page.links()], path


# --- which orders ------------------------------------------------------------------------------------


def test_without_anything_figures_are_nothing(report, table):
    assert report("/menu?days=7") == {"days": 7, "items": []}
    assert of_the_contract(report("/peak-hours")) == {"peakTimes": [], "slowestTimes": []}
    assert of_the_contract(report("/tables/7")) == {
        "tableNumber": 7, "totalScans": 0, "avgScansPerDay": 0, "peakHours": [],
        "deviceBreakdown": {"ios": 0, "android": 0, "other": 0},
    }  # fmt: skip
    table.delete()
    assert report("") == {
        "today": {"sessions": 0, "orders": 0, "revenue": 0, "avgOrderValue": 0}, "topItems": [], "tableUtilization": [],
    }  # fmt: skip


def test_an_order_counts_whatever_its_step_and_sums_are_those_of_decimals(report, table):
    mint = make_item("Mint", "0.10")
    for status in Order.STEPS:
        order(table, NOW, (mint, 1), status=status)
    for _ in range(3):
        order(table, NOW, (mint, 2))
    sums = len(Order.STEPS) + 3, len(Order.STEPS) + 6, round(0.1 * len(Order.STEPS) + 0.6, 2)
    assert sums[2] == 1.1  # which is another number where ten cents are added as floats
    today, items = report("")["today"], report("")["topItems"]
    assert (today["orders"], items[0]["quantity"], today["revenue"]) == sums
    assert items[0]["revenue"] == report("")["tableUtilization"][0]["revenue_today"] == sums[2]
    [item] = report("/menu")["items"]
    assert (item["times_ordered"], item["total_quantity"], item["total_revenue"]) == sums
    [peak] = report("/peak-hours")["peakTimes"]
    assert (peak["orders"], peak["revenue"]) == (sums[0], sums[2])
    assert (report("/day")["orders"], report("/day")["gross"]) == (sums[0], sums[2])


def test_pages_and_files_say_that_cancelled_orders_are_left_out(manager):
    with_orders = [path for path in PAGES if "tables" not in path]
    silent = [
        (path, form)
        for path in with_orders
        for form in ("html", "csv")
        if "Cancelled and held orders are left out." not in manager.get(path, {"format": form}).text
    ]
    assert silent == []


def test_the_page_names_the_time_zone_once(report_page, settings, table):
    settings.TIME_ZONE = "Europe/Vienna"
    times = {
        path: read(report_page(path)).text.partition("About these figures")[2].count("Vienna time")
        for path in ("", "/day", "/menu", "/peak-hours", "/tables/7")
    }
    assert set(times.values()) == {1}, times
