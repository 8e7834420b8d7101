"""`GET /tables/print`: what the page of the cards is made from, and what it refuses."""

import pytest

from restaurant.models import Table
from tests.conftest import PAGE, make_table

pytestmark = pytest.mark.django_db


def test_the_tables_come_by_number_with_large_pictures_of_their_codes(floor, table):
    make_table(2, "")
    data = floor.get("/tables/print").json()
    assert data["paper"] == "a4"
    assert [each["tableNumber"] for each in data["tables"]] == [2, 7]
    assert data["tables"][1]["qrCodeUrl"] == f"{table.qr_code_url}?size=1280"


@pytest.mark.parametrize("query", ["paper=a3", "numbers=x", "numbers=1;2", "numbers=1,,2", "numbers=٣"])
def test_what_can_not_be_printed_is_400_and_named(floor, query):
    response = floor.get(f"/tables/print?{query}")
    assert response.status_code == 400
    assert query.partition("=")[0] in response.json()["fields"]


def test_a_table_without_a_code_is_named_on_the_page(floor, table):
    Table.objects.create(table_number=99)
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert "These tables have no QR code" in page
    assert "99" in page
    assert "paper_a4" in page
    assert "paper_letter" in floor.get("/tables/print?paper=letter", headers={"accept": PAGE}).content.decode()


def test_an_installation_without_tables_says_so(floor, db):
    assert "no table has a QR code yet" in floor.get("/tables/print", headers={"accept": PAGE}).content.decode()


def test_a_large_number_is_written_in_words_without_separators(floor, db):
    make_table(12345)
    page = floor.get("/tables/print", headers={"accept": PAGE}).content.decode()
    assert "twelve thousand, three hundred and forty-five" in page
    assert ">12345<" in page
