"""`GET /tables/print`: what the page of the cards is made from, and what it refuses."""

import re

import pytest

from restaurant.models import Table
from tests.conftest import PAGE, make_table
from tests.reading import Part, read
from web import venue

pytestmark = pytest.mark.django_db


def cards_page(client, query: str = "", **values) -> Part:
    return read(client.get(f"/tables/print{query}", values, headers={"accept": PAGE}))


def sheets_of(page: Part) -> list[list[Part]]:
    """What is on each sheet: its cards."""
    sheets = [paper.one("list") for paper in _children(page.one("list", "What is printed"))]
    return [_children(sheet) for sheet in sheets]


def _children(found: Part) -> list[Part]:
    return [Part(each) for each in found.element.xpath("./li")]


def make_tables(count: int) -> None:
    Table.objects.bulk_create(
        Table(table_number=number, qr_code_url="https://qr.example/images/1.png") for number in range(1, count + 1)
    )


def test_the_tables_come_by_number_with_large_pictures_of_their_codes(floor, table):
    make_table(2, "")
    data = floor.get("/tables/print").json()
    assert (data["paper"], data["layout"]) == ("a4", "card")
    assert [each["tableNumber"] for each in data["tables"]] == [2, 7]
    assert data["tables"][1]["qrCodeUrl"] == f"{table.qr_code_url}?size=1221"


def test_what_can_not_be_printed_is_400_and_named(subtests, floor):
    for query in [
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
    ]:
        with subtests.test(query=query):
            response = floor.get(f"/tables/print?{query}")
            assert response.status_code == 400
            assert query.partition("=")[0] in response.json()["fields"]


def test_sheets_have_a_headline_of_the_owners_own(floor, table):
    usual = "Scan to see the menu and order"
    assert usual in sheets_of(cards_page(floor))[0][0]
    query = {"headline": "  <b>Order</b>   here ", "layout": "tent", "copies": 3}
    response = floor.get("/tables/print", query, headers={"accept": PAGE})
    # On both sides of each copy; what is on the other side is no second text for screen readers.
    assert response.content.decode().count("&lt;b&gt;Order&lt;/b&gt; here</p>") == 2 * 3
    page = read(response)
    letter = page.one("link", re.compile("Letter"))
    assert letter["href"].endswith("paper=letter&tables=all&copies=3&headline=%3Cb%3EOrder%3C%2Fb%3E+here")
    assert "x" * 60 in sheets_of(cards_page(floor, headline="x" * 60))[0][0]


def test_a_table_without_a_code_is_named_on_the_page(floor, table):
    Table.objects.create(table_number=99)
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert "These tables have no QR code" in page
    assert "99" in page
    assert "paper_a4" in page
    assert "paper_letter" in floor.get("/tables/print?paper=letter", headers={"accept": PAGE}).content.decode()


def test_before_cards_are_printed_that_no_phone_can_open_it_is_said(subtests, floor, table, settings):
    for address, is_warned in [("http://127.0.0.1:8000", True), ("http://192.168.1.5:8000", False)]:
        with subtests.test(address=address, is_warned=is_warned):
            settings.APP_BASE_URL = address
            page = cards_page(floor)
            warning = f"No phone can open these codes yet. They lead to {address}, which only computers here know."
            assert (warning in page) is is_warned
            assert page.text.rfind("Print 1 card") > page.text.rfind("No phone can open")  # the button comes after it


def test_while_no_phone_can_open_the_codes_the_address_comes_before_printing(manager, floor, table, settings):
    settings.APP_BASE_URL = "http://127.0.0.1:8000"
    checks = cards_page(manager).one("link", "Check the address")["class"]
    for client in (manager, floor):
        page = cards_page(client)
        # What would print cards that nobody can use is no button beside it.
        assert page.one("button", "Print 1 card anyway")["class"] != checks
        assert "No phone can open these codes yet." in page
    assert "Check the address" not in page
    settings.APP_BASE_URL = "http://192.168.1.5:8000"
    page = cards_page(manager)
    assert page.one("button", "Print 1 card")["class"] == checks
    assert "Check the address" not in page


def test_stickers_begin_at_the_first_label_that_is_left(subtests, floor):
    make_tables(19)
    for query, sheets, used, next_label in [
        ("", 1, 0, 20),
        ("&start=1", 1, 0, 20),
        ("&start=3", 1, 2, 0),  # that fills the sheet
        ("&start=15", 2, 14, 13),
        ("&start=10&paper=letter", 3, 9, 9),
    ]:
        with subtests.test(query=query, sheets=sheets, used=used, next_label=next_label):
            page = cards_page(floor, f"?layout=sticker{query}")
            found = sheets_of(page)
            assert len(found) == sheets
            places = [place.get("aria-hidden") for sheet in found for place in sheet[:-1]]  # the last says what it is
            assert places == ["true"] * used + [None] * 19
            assert "Print 19 cards" in page
            assert (f"start at label {next_label}." in page) is bool(next_label)


def test_the_first_label_matters_to_stickers_alone(floor, table):
    page = cards_page(floor, "?start=15")
    assert len(sheets_of(page)[0]) == 1
    assert "Start at label" not in page
    stickers = cards_page(floor, "?layout=sticker&start=15")
    start = stickers.one("field", "Start at label")
    assert (start["name"], start["min"], start["max"], start["value"]) == ("start", "1", "21", "15")
    # A sheet of the other paper has other labels.
    assert "?layout=sticker&paper=letter&tables=all" in dict(map(reversed, stickers.links()))


def test_the_folded_choice_says_what_is_chosen_and_opens_where_it_has_to_change(subtests, floor, table):
    make_table(8)
    for query, words, is_open in [
        ("", "All 2 tables, 1 of each", False),
        ("?numbers=7&copies=3", "1 table, 3 of each", False),
        ("?numbers=99", "No table", True),
        ("?copies=10", "Which tables", True),
    ]:
        with subtests.test(query=query, words=words, is_open=is_open):
            choice = cards_page(floor, query).one("details", f"{words} Change")
            assert (choice.get("open") is not None) is is_open


def test_an_installation_without_tables_says_so(floor, db):
    assert "no table has a QR code yet" in cards_page(floor)


def test_a_large_number_is_written_in_words_without_separators(floor, db):
    make_table(12345, "")
    page = cards_page(floor)
    assert "twelve thousand, three hundred and forty-five" in page
    assert " 12345 " in page


def test_beside_the_number_stands_the_section_or_else_the_number_in_words(floor, db):
    make_table(7, "Terrace")
    make_table(8, "")
    seven, eight = sheets_of(cards_page(floor))[0]
    assert ("Terrace" in seven, "seven" in seven, "eight" in eight) == (True, False, True)


def test_all_but_stickers_have_the_cover_picture_of_a_venue_that_has_one(floor, table):
    def pictures(layout: str) -> int:
        page = floor.get(f"/tables/print?layout={layout}", headers={"accept": PAGE}).content.decode()
        return page.count('src="/cover.webp"')  # also on the other sides, which are hidden from screen readers

    assert pictures("page") == 0
    venue.remember(venue.Venue(cover=venue.Cover("/cover.webp", "/cover.webp 480w", 480, 192)))
    assert [pictures(layout) for layout in ("page", "card", "tent", "sticker")] == [1, 1, 2, 0]


def test_all_but_stickers_have_the_address_for_phones_that_read_no_codes(floor, table):
    def addresses(layout: str) -> int:
        page = floor.get(f"/tables/print?layout={layout}", headers={"accept": PAGE}).content.decode()
        return page.count(f"Or open <b>{table.short_url.removeprefix('http://')}</b>")

    assert table.short_url.startswith("http://")
    assert [addresses(layout) for layout in ("page", "card", "tent", "sticker")] == [1, 1, 2, 0]


def test_tables_are_chosen_by_number_or_by_the_day_on_which_they_were_added(subtests, floor, table):
    for query, numbers in [
        ("numbers=2", [2]),
        ("numbers=1-3, 7", [2, 3, 7]),
        ("numbers=9–3", []),
        ("numbers=2&tables=all", [2, 3, 7]),
        ("since=2026-03-02", [3]),
        ("tables=new&since=2026-03-01&numbers=2", [3, 7]),
        ("tables=some&since=2026-03-02&numbers=2", [2]),
    ]:
        with subtests.test(query=query, numbers=numbers):
            for number, added in ((2, "2026-02-28T12:00Z"), (3, "2026-03-02T00:30Z"), (7, "2026-03-01T12:00Z")):
                table = Table.objects.filter(table_number=number).first() or make_table(number)
                Table.objects.filter(pk=table.pk).update(created_at=added)
            tables = floor.get(f"/tables/print?{query}").json()["tables"]
            assert [each["tableNumber"] for each in tables] == numbers


def test_the_page_says_what_is_free_on_the_last_sheet(subtests, floor, db):
    for query, tables, free in [
        ("", 6, "room for 2 more cards"),
        ("", 7, "room for 1 more card."),
        ("", 8, ""),
        ("?layout=tent", 3, "1 more card."),
    ]:
        with subtests.test(query=query, tables=tables, free=free):
            Table.objects.all().delete()
            make_tables(tables)
            page = cards_page(floor, query)
            assert ("On the last sheet" in page) is bool(free)
            assert free in page


def test_all_that_is_chosen_comes_before_what_is_printed_and_that_before_printing(floor, table):
    text = cards_page(floor).text
    parts = (
        "Layout",
        "Headline",
        "All tables",
        "Copies of each",
        "Scan to see the menu and order No app",
        "Print 1 card",
    )
    places = [text.rindex(part) for part in parts]
    assert places == sorted(places)


def test_a_layout_fills_as_few_sheets_as_it_can(subtests, floor):
    make_tables(22)
    for layout, sheets in [("card", 6), ("tent", 11), ("sticker", 2), ("page", 22)]:
        with subtests.test(layout=layout, sheets=sheets):
            page = cards_page(floor, f"?layout={layout}")
            assert len(sheets_of(page)) == sheets
            assert f"{sheets} sheets" in page
            assert "Print 22 cards" in page


def test_what_was_refused_is_entered_again(floor, table):
    response = floor.get("/tables/print?layout=tent&tables=some&numbers=1;2", headers={"accept": PAGE})
    page = read(response)
    assert response.status_code == 400
    assert page.one("field", "Table numbers, such as 1-12, 15")["value"] == "1;2"
    assert "?layout=tent&paper=letter&tables=some&numbers=1%3B2" in dict(map(reversed, page.links()))


def test_the_day_of_the_newest_tables_is_suggested(floor, table):
    Table.objects.update(created_at="2026-03-01T12:00Z")
    assert cards_page(floor).field("since")["value"] == "2026-03-01"
