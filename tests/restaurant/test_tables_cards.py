"""`GET /tables/print`: what the page of the cards is made from, and what it refuses."""

import re

import pytest

from restaurant.models import Table
from tests.conftest import PAGE, make_table
from web import venue

pytestmark = pytest.mark.django_db


def test_the_tables_come_by_number_with_large_pictures_of_their_codes(floor, table):
    make_table(2, "")
    data = floor.get("/tables/print").json()
    assert (data["paper"], data["layout"]) == ("a4", "card")
    assert [each["tableNumber"] for each in data["tables"]] == [2, 7]
    assert data["tables"][1]["qrCodeUrl"] == f"{table.qr_code_url}?size=1221"


@pytest.mark.parametrize(
    "query",
    [
        "paper=a3",
        "layout=poster",
        "numbers=x",
        "numbers=1;2",
        "numbers=1,,2",
        "numbers=٣",
        "numbers=1-",
        "numbers=&tables=some",
        "tables=old",
        "since=yesterday",
        f"headline={'x' * 61}",
        "since=&tables=new",
        "start=0&layout=sticker",
        "start=22&layout=sticker",
        "start=11&layout=sticker&paper=letter",
        "start=-1&layout=sticker",
        "start=two&layout=sticker",
        "copies=0",
        "copies=10",
    ],
)
def test_what_can_not_be_printed_is_400_and_named(floor, query):
    response = floor.get(f"/tables/print?{query}")
    assert response.status_code == 400
    assert query.partition("=")[0] in response.json()["fields"]


def test_sheets_have_a_headline_of_the_owners_own(floor, table):
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert '<p class="face-sentence letters-5">Scan to see the menu and order</p>' in page
    query = {"headline": "  <b>Order</b>   here ", "layout": "tent", "copies": 3}
    page = floor.get("/tables/print", query, headers={"accept": PAGE}).content.decode()
    sentence = '<p class="face-sentence letters-12">&lt;b&gt;Order&lt;/b&gt; here</p>'
    assert page.count(sentence) == 2 * 3  # both sides of each copy
    assert "paper=letter&amp;tables=all&amp;copies=3&amp;headline=%3Cb%3EOrder%3C%2Fb%3E+here" in page
    long = floor.get("/tables/print", {"headline": "x" * 60}, headers={"accept": PAGE}).content.decode()
    assert f'<p class="face-sentence letters-60 face-sentence-long">{"x" * 60}</p>' in long


def test_a_table_without_a_code_is_named_on_the_page(floor, table):
    Table.objects.create(table_number=99)
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert "These tables have no QR code" in page
    assert "99" in page
    assert "paper_a4" in page
    assert "paper_letter" in floor.get("/tables/print?paper=letter", headers={"accept": PAGE}).content.decode()


@pytest.mark.parametrize(
    ("address", "is_warned"), [("http://127.0.0.1:8000", True), ("http://192.168.1.5:8000", False)]
)
def test_before_cards_are_printed_that_no_phone_can_open_it_is_said(floor, table, settings, address, is_warned):
    settings.APP_BASE_URL = address
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    warning = f"No phone can open these codes yet.</strong> They lead to {address}, the address of this computer alone."
    assert (warning in page) is is_warned
    assert 'id="print"' in page.split("No phone can open")[-1]  # the button comes after it


def test_while_no_phone_can_open_the_codes_the_address_comes_before_printing(manager, floor, table, settings):
    def buttons(client) -> list[tuple[str, str]]:
        page = client.get("/tables/print", headers={"accept": PAGE}).content.decode()
        return re.findall(r'class="(button[^"]* ?button-wide)"[^>]*>([^<]*)<', page)

    settings.APP_BASE_URL = "http://127.0.0.1:8000"
    address = ("button button-wide", "Check the address")
    # What would print cards that nobody can use is no button beside it.
    assert buttons(manager) == [address]
    assert buttons(floor) == []
    for client in (manager, floor):
        page = client.get("/tables/print", headers={"accept": PAGE}).content.decode()
        assert '<button class="print-anyway" id="print" type="button">Print 1 card anyway</button>' in page
        assert "No phone can open these codes yet." in page
    settings.APP_BASE_URL = "http://192.168.1.5:8000"
    assert buttons(manager) == [("button button-wide", "Print 1 card")]


@pytest.mark.parametrize(
    ("query", "sheets", "used", "next_label"),
    [
        ("", 1, 0, 20),
        ("&start=1", 1, 0, 20),
        ("&start=3", 1, 2, 0),  # that fills the sheet
        ("&start=15", 2, 14, 13),
        ("&start=10&paper=letter", 3, 9, 9),
    ],
)
def test_stickers_begin_at_the_first_label_that_is_left(floor, db, query, sheets, used, next_label):
    for number in range(1, 20):
        make_table(number)
    page = floor.get(f"/tables/print?layout=sticker{query}", headers={"accept": PAGE}).content.decode()
    assert page.count('<ul class="sheet ') == sheets
    labels = re.findall(r'<li class="place(-| |")', page)
    assert labels == [" "] * used + ['"'] * 19
    assert "Print 19 cards" in page
    assert (f"start at label {next_label}." in page) is bool(next_label)


def test_the_first_label_matters_to_stickers_alone(floor, table):
    page = floor.get("/tables/print?start=15", headers={"accept": PAGE}).content.decode()
    assert "place-used" not in page
    assert 'name="start"' not in page
    stickers = floor.get("/tables/print?layout=sticker&start=15", headers={"accept": PAGE}).content.decode()
    assert 'name="start" type="number" min="1" max="21" inputmode="numeric" value="15"' in stickers
    # A sheet of the other paper has other labels.
    assert 'href="?layout=sticker&amp;paper=letter&amp;tables=all"' in stickers


@pytest.mark.parametrize(
    ("query", "words", "is_open"),
    [
        ("", "All 2 tables, 1 of each", False),
        ("?numbers=7&copies=3", "1 table, 3 of each", False),
        ("?numbers=99", "No table", True),
        ("?copies=10", "Which tables", True),
    ],
)
def test_the_folded_choice_says_what_is_chosen_and_opens_where_it_has_to_change(floor, table, query, words, is_open):
    make_table(8)
    page = floor.get(f"/tables/print{query}", headers={"accept": PAGE}).content.decode()
    assert re.findall(r'class="which-fold"( open)?>\s*<summary><span class="which-said">(.*?)</span>', page) == [
        (" open" if is_open else "", words)
    ]


def test_an_installation_without_tables_says_so(floor, db):
    assert "no table has a QR code yet" in floor.get("/tables/print", headers={"accept": PAGE}).content.decode()


def test_a_large_number_is_written_in_words_without_separators(floor, db):
    make_table(12345, "")
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert "twelve thousand, three hundred and forty-five" in page
    assert ">12345<" in page


def test_beside_the_number_stands_the_section_or_else_the_number_in_words(floor, db):
    make_table(7, "Terrace")
    make_table(8, "")
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert re.findall(r'class="face-small [^>]*>([^<]*)<', page) == ["Terrace", "eight"]


def test_all_but_stickers_have_the_cover_picture_of_a_venue_that_has_one(floor, table):
    def pictures(layout: str) -> int:
        page = floor.get(f"/tables/print?layout={layout}", headers={"accept": PAGE}).content.decode()
        return page.count('<img class="face-cover" src="/cover.webp"')

    assert pictures("page") == 0
    venue.remember(venue.Venue(cover=venue.Cover("/cover.webp", "/cover.webp 480w", 480, 192)))
    assert [pictures(layout) for layout in ("page", "card", "tent", "sticker")] == [1, 1, 2, 0]


def test_all_but_stickers_have_the_address_for_phones_that_read_no_codes(floor, table):
    def addresses(layout: str) -> int:
        page = floor.get(f"/tables/print?layout={layout}", headers={"accept": PAGE}).content.decode()
        return page.count(f"Or open <b>{table.short_url.removeprefix('http://')}</b>")

    assert table.short_url.startswith("http://")
    assert [addresses(layout) for layout in ("page", "card", "tent", "sticker")] == [1, 1, 2, 0]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("numbers=2", [2]),
        ("numbers=1-3, 7", [2, 3, 7]),
        ("numbers=9–3", []),
        ("numbers=2&tables=all", [2, 3, 7]),
        ("since=2026-03-02", [3]),
        ("tables=new&since=2026-03-01&numbers=2", [3, 7]),
        ("tables=some&since=2026-03-02&numbers=2", [2]),
    ],
)
def test_tables_are_chosen_by_number_or_by_the_day_on_which_they_were_added(floor, table, query, numbers):
    for number, added in ((2, "2026-02-28T12:00Z"), (3, "2026-03-02T00:30Z"), (7, "2026-03-01T12:00Z")):
        table = Table.objects.filter(table_number=number).first() or make_table(number)
        Table.objects.filter(pk=table.pk).update(created_at=added)
    tables = floor.get(f"/tables/print?{query}").json()["tables"]
    assert [each["tableNumber"] for each in tables] == numbers


@pytest.mark.parametrize(
    ("query", "tables", "free"),
    [
        ("", 6, "room for 2 more cards"),
        ("", 7, "room for 1 more card."),
        ("", 8, ""),
        ("?layout=tent", 3, "1 more card."),
    ],
)
def test_the_page_says_what_is_free_on_the_last_sheet(floor, db, query, tables, free):
    for number in range(1, tables + 1):
        make_table(number)
    page = floor.get(f"/tables/print{query}", headers={"accept": PAGE}).content.decode()
    assert ("On the last sheet" in page) is bool(free)
    assert free in page


def test_all_that_is_chosen_comes_before_what_is_printed_and_that_before_printing(floor, table):
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    parts = ('id="layout-name"', 'name="headline"', 'name="tables"', 'name="copies"', 'class="sheets"', 'id="print"')
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize(("layout", "sheets"), [("card", 6), ("tent", 11), ("sticker", 2), ("page", 22)])
def test_a_layout_fills_as_few_sheets_as_it_can(floor, db, layout, sheets):
    Table.objects.bulk_create(
        Table(table_number=number, qr_code_url="https://qr.example/images/1.png") for number in range(1, 23)
    )
    page = floor.get(f"/tables/print?layout={layout}", headers={"accept": PAGE}).content.decode()
    assert page.count('<ul class="sheet ') == sheets
    assert f"{sheets} sheets" in page
    assert "Print 22 cards" in page


def test_what_was_refused_is_entered_again(floor, table):
    response = floor.get("/tables/print?layout=tent&tables=some&numbers=1;2", headers={"accept": PAGE})
    page = response.content.decode()
    assert response.status_code == 400
    assert 'value="1;2"' in page
    assert "such as 1-12, 15" in page
    assert 'href="?layout=tent&amp;paper=letter&amp;tables=some&amp;numbers=1%3B2"' in page


def test_the_day_of_the_newest_tables_is_suggested(floor, table):
    Table.objects.update(created_at="2026-03-01T12:00Z")
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert 'name="since" value="2026-03-01"' in page
