import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from qrservice.models import Code
from restaurant.models import SESSION_WINDOW, Table, TableSession
from tests.conftest import make_table
from tests.reading import read
from tests.restaurant.admin.pages import TABLES, act, found, page_of, words_of

NOW = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)

ADD = f"{TABLES}add/"
FORM = {"table_number": "12", "section": "Terrace", "capacity": "4"}


@pytest.fixture(autouse=True)
def _afternoon(clock):
    clock(NOW)


def test_a_new_table_gets_its_code_once_it_is_saved(managers_browser, settings):
    assert "has no code" not in words_of(managers_browser.post(ADD, FORM, follow=True))
    table, code = Table.objects.get(), Code.objects.get()
    assert (table.qr_analytics_id, table.section, table.capacity) == (code.analytics_id, "Terrace", 4)
    assert code.target == f"{settings.APP_BASE_URL}/table/12"
    page = read(managers_browser.get(page_of(table)))
    assert any(each["src"].endswith(f"/qr/{code.slug}?size=512") for each in page.all("image"))
    assert "/tables/print?numbers=12" in page.addresses()


def test_a_number_is_given_once_and_stays(managers_browser, table):
    assert "already exists" in words_of(managers_browser.post(ADD, FORM | {"table_number": "7"}))
    managers_browser.post(page_of(table), {"table_number": "8", "section": "Bar", "capacity": ""})
    table.refresh_from_db()
    assert (table.table_number, table.section) == (7, "Bar")


def test_a_number_that_no_table_can_have_is_refused(managers_browser):
    for number in ("0", "100000", "-1", "x"):
        managers_browser.post(ADD, FORM | {"table_number": number})
    assert not Table.objects.exists()


def test_the_list_says_whether_a_table_has_its_code_and_guests(managers_browser, table, session):
    Table.objects.create(table_number=8, section="Bar", capacity=2)
    page = read(managers_browser.get(TABLES))
    assert re.search(r"7 Window – since [\d:]+ Print 8 Bar 2 – No QR code", page.text)
    cards = [link for link in page.links() if link[1].startswith("/tables/print")]
    assert cards == [("Print the card of table 7", "/tables/print?numbers=7")]


def test_only_a_session_that_guests_can_go_on_with_is_open(managers_browser, table):
    old, closed, other = make_table(8), make_table(9), make_table(10)
    now = timezone.now()
    TableSession.objects.create(table=table)
    TableSession.objects.create(table=old, started_at=now - SESSION_WINDOW - timedelta(minutes=1))
    TableSession.objects.create(table=closed, ended_at=now)
    assert found(managers_browser, TABLES, open="yes") == [table]
    assert found(managers_browser, TABLES, open="no") == [old, closed, other]


def test_tables_are_found_by_number_and_section(managers_browser, table):
    bare = Table.objects.create(table_number=70)
    bar = make_table(17, "Bar")
    assert found(managers_browser, TABLES, q="7") == [table]
    assert found(managers_browser, TABLES, q="wind") == [table]
    assert found(managers_browser, TABLES, q="9" * 30) == []
    assert found(managers_browser, TABLES, section="Bar") == [bar]
    assert found(managers_browser, TABLES, section="") == [bare]


# --- cards ----------------------------------------------------------------------------------------


def test_cards_of_chosen_tables_are_printed(managers_browser, table):
    twelve, nine = make_table(12), make_table(9)
    page = act(managers_browser, TABLES, "print_cards", twelve, nine)
    assert page.redirect_chain == [("/tables/print?numbers=9,12", 302)]
    assert [each["tableNumber"] for each in page.json()["tables"]] == [9, 12]


def test_cards_of_all_tables_are_printed_by_no_number_at_all(managers_browser, table):
    other = make_table(12)
    assert act(managers_browser, TABLES, "print_cards", table, other).redirect_chain == [("/tables/print", 302)]


def test_an_address_does_not_grow_without_end(managers_browser, db):
    Table.objects.bulk_create(Table(table_number=number) for number in range(1, 602))
    chosen = Table.objects.filter(table_number__lt=600)
    response = act(managers_browser, TABLES, "print_cards", *chosen)
    assert "At most 500 cards can be chosen at a time" in words_of(response)


def test_one_card_is_printed_from_the_list(managers_browser, table):
    assert "/tables/print?numbers=7" in read(managers_browser.get(TABLES)).addresses()
