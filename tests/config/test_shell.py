"""The header of staff's pages: where somebody may go, what needs attention, and who is signed in."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from config import shell as composed
from restaurant.models import Order, Printer, PrintJob, TableCall, TableSession
from tests.conftest import PAGE, make_table, make_user, own_queries
from tests.reading import read
from web import shell

pytestmark = pytest.mark.django_db

HEADINGS = {
    "/floor": "Floor",
    "/till": "Till",
    "/kitchen": "Kitchen",
    "/reports": "Reports",
    "/staff": "Staff",
    "/setup": "Setup",
    "/menu/availability": "Sold out",
    "/tables/print": "Table cards",
}


def browser_of(group: str, name: str = "") -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user(group, name))
    return client


@pytest.fixture(autouse=True)
def _evening(clock):
    clock(datetime(2026, 11, 20, 18, 30, tzinfo=UTC))


def places(page) -> list[str]:
    return [address for _name, address in read(page).one("navigation", "Places").links()]


def attention(page) -> tuple[str, list[str]]:
    """Return the name of the button, and the sentences that it opens."""
    shown = read(page)
    return shown.one("button", re.compile("attention")).name, shown.one("group", "What needs attention").texts("item")


def wait_for_everything() -> None:
    """Make a call, a request for the bill, an order to approve, a late ticket and a printer that is behind."""
    now = timezone.now()
    for number, kind in ((7, "waiter"), (3, "bill")):
        TableCall.objects.create(session=TableSession.objects.create(table=make_table(number)), kind=kind)
    session = TableSession.objects.create(table=make_table(4))
    orders = {
        status: Order.objects.create(
            table=session.table, session=session, status=status, total=Decimal("5"), created_at=now - timedelta(hours=1)
        )
        for status in ("held", "preparing", "ready", "served")
    }
    Order.objects.create(table=session.table, session=session, total=Decimal("5"))  # in time
    # Forgotten yesterday: the kitchen lists it apart.
    Order.objects.create(table=session.table, session=session, total=Decimal("5"), created_at=now - timedelta(days=2))
    printer = Printer.objects.create(name="Bar", host="127.0.0.1")
    PrintJob.objects.create(order=orders["preparing"], printer=printer, created_at=now - timedelta(minutes=2))


@pytest.mark.slow
def test_everybody_is_led_where_they_may_go_and_nowhere_else():
    for group, expected in (
        ("Kitchen", ["/", "/kitchen"]),
        ("Cashiers", ["/", "/till", "/drawers"]),
        ("Floor", ["/", "/floor", "/till", "/kitchen"]),
        ("Managers", ["/", "/floor", "/till", "/drawers", "/kitchen", "/reports", "/staff", "/setup"]),
    ):
        browser = browser_of(group)
        for address in expected:
            page = read(browser.get(address))
            assert places(browser.get(address)) == expected, (group, address)
            marked = [link["href"] for link in page.one("navigation", "Places").all("link") if link.get("aria-current")]
            assert marked == [address], group
            assert page.one("button", "Sign out"), (group, address)
            assert page.one("link", "Your account")["href"] == "/account", (group, address)


def test_a_place_has_one_word():
    browser = browser_of("Managers")
    make_table(7)
    titles = {item.url: item.title for item in composed.nav_items(make_user("Managers", "other"))}
    for address, word in HEADINGS.items():
        response = browser.get(address)
        assert titles[address] == word
        assert read(response).names("heading")[0] == word
        assert f"<title>{word} · " in response.text


def test_what_needs_attention_is_counted_and_said_with_a_link():
    wait_for_everything()
    label, sentences = attention(browser_of("Floor").get("/kitchen"))
    assert label == "6 need attention"
    assert sentences[:4] == [
        "Table 7 calls",
        "Table 3 wants the bill",
        "1 order to approve: table 4",
        "1 ticket is late: table 4",
    ]
    assert sentences[4].startswith("Printer Bar: 1 docket waits since ")
    assert sentences[5] == "1 order to carry: table 4"
    body = browser_of("Managers").get("/attention", headers={"accept": "application/json"}).json()
    assert [(need["kind"], need["url"]) for need in body["needs"]] == [
        ("waiter", "/floor#now"),
        ("bill", "/floor#now"),
        ("held", "/floor#now"),
        ("late", "/kitchen"),
        ("dockets", "/floor"),
        ("ready", "/floor#ready"),
    ]
    TableSession.objects.filter(table__table_number=4).update(started_at=timezone.now() - timedelta(hours=5))
    assert attention(browser_of("Managers", "other").get("/staff"))[1][6] == "1 bill left open: table 4"


def test_many_tables_are_named_the_longest_wait_first():
    at = timezone.now()
    for number in (5, 3, 9, 12, 1):
        session = TableSession.objects.create(table=make_table(number))
        TableCall.objects.create(session=session, kind="waiter", created_at=at + timedelta(seconds=number))
    assert attention(browser_of("Floor").get("/"))[1] == ["Tables 1, 3, 5, 9 … call"]


def test_orders_to_carry_are_named_by_how_long_they_have_been_ready():
    now = timezone.now()
    for number, placed, ready in ((5, 25, 1), (3, 23, 9)):
        session = TableSession.objects.create(table=make_table(number))
        times = {"created_at": now - timedelta(minutes=placed), "ready_at": now - timedelta(minutes=ready)}
        Order.objects.create(table=session.table, session=session, status="ready", total=Decimal("5"), **times)
    assert attention(browser_of("Floor").get("/"))[1] == ["2 orders to carry: tables 3, 5"]


def test_orders_of_one_table_and_of_several_are_told_apart():
    browser, at = browser_of("Managers"), timezone.now() - timedelta(hours=1)
    one, other = (TableSession.objects.create(table=make_table(number)) for number in (11, 2))
    for status, expected in (
        (
            "held",
            ["1 order to approve: table 11", "2 orders to approve: table 11", "3 orders to approve: tables 11, 2"],
        ),
        ("pending", ["1 ticket is late: table 11", "2 tickets are late: table 11", "3 tickets are late: tables 11, 2"]),
    ):
        for minute, session in enumerate((one, one, other)):
            Order.objects.create(
                table=session.table, session=session, status=status, total=5, created_at=at + timedelta(minutes=minute)
            )
            assert attention(browser.get("/"))[1] == [expected[minute]]
        Order.objects.all().delete()


def test_only_what_somebody_has_the_right_to_is_said(browser_client):
    wait_for_everything()
    cashier = browser_of("Cashiers")
    assert "What needs attention" not in read(cashier.get("/till")).names("group")
    assert cashier.get("/attention").status_code == 403
    assert browser_client.get("/attention").status_code == 302
    cook = make_user("Cashiers", "cook")
    cook.user_permissions.add(_permission("work_kitchen"))
    browser_client.force_login(cook)
    _label, sentences = attention(browser_client.get("/kitchen"))
    assert [sentence.split()[0] for sentence in sentences] == ["1", "Printer"]  # no calls, and nothing to approve
    waiter = make_user("Cashiers", "waiter")
    waiter.user_permissions.add(_permission("close_session"))
    browser_client.force_login(waiter)
    _label, sentences = attention(browser_client.get("/floor"))
    assert [sentence.split()[0] for sentence in sentences] == ["Table", "Table", "1", "Printer", "1"]  # no late ticket
    assert not any("late" in sentence for sentence in sentences)


def _permission(codename: str) -> Permission:
    return Permission.objects.get(codename=codename)


def test_nothing_needs_attention():
    browser = browser_of("Floor")
    assert attention(browser.get("/floor")) == ("Nothing needs attention", [])
    assert "Nothing needs attention." in read(browser.get("/attention"))


def test_it_takes_one_query_on_pages_of_staff_and_none_on_those_of_guests(session):
    counted = 'FROM "restaurant_tablecall"'
    for browser, address, times in (
        (browser_of("Managers"), "/staff", 1),
        (browser_of("Cashiers"), "/till", 0),
        (Client(headers={"accept": PAGE}), "/", 0),
        (Client(headers={"accept": PAGE}), "/sign-in", 0),
        (Client(headers={"accept": PAGE}), f"/table/{session.table.table_number}", 0),
    ):
        with own_queries() as queries:
            assert browser.get(address).status_code == 200
        assert sum(counted in query and "UNION" in query for query in queries) == times, address


def test_a_page_that_can_not_count_is_shown_all_the_same(table):
    def fail(_user):
        raise OperationalError("too many connections")

    browser = browser_of("Floor")
    shell.register(composed.nav_items, fail)
    try:
        pages = [browser.get(address) for address in ("/", "/floor", "/kitchen")]
    finally:
        shell.register(composed.nav_items, composed.attention_items)
    for page in pages:
        assert page.status_code == 200
        assert attention(page) == ("What needs attention: not known", [])


def test_an_error_leaves_staff_the_header_to_go_on_from():
    browser = browser_of("Floor")
    for path, status in (("/nothing-here", 404), ("/staff", 403)):
        response = browser.get(path)
        assert response.status_code == status
        assert places(response) == ["/", "/floor", "/till", "/kitchen"]
    guest = read(Client(headers={"accept": PAGE}).get("/nothing-here"))
    assert "Places" not in guest.names("navigation")
    assert "The link is old or mistyped." in guest
    assert "At a table? Scan the code on its card to see the menu." in guest
