"""Every change of the menu, in any process, shows on the next page and in the JSON."""

import os
import subprocess
import sys
from decimal import Decimal

import psycopg
import pytest
import requests
from django.db import connection, transaction
from django.test import Client

from restaurant.menu.services import menu
from restaurant.models import MenuItem
from tests.conftest import PAGE, make_item, make_table
from tests.servers import PATIENCE, ROOT, database_url


@pytest.fixture
def phone(table, soup) -> Client:
    """A phone that has seen the menu: the server has it ready."""
    phone = Client(headers={"accept": PAGE})
    assert "€9.50" in text_of(phone)
    return phone


def text_of(phone: Client) -> str:
    return phone.get("/table/7").content.decode()


def save(soup: MenuItem) -> None:
    soup.price = Decimal("10.75")
    soup.save()


def update(soup: MenuItem) -> None:
    with menu.changing():
        MenuItem.objects.update(price=Decimal("10.75"))


def update_in_bulk(soup: MenuItem) -> None:
    soup.price = Decimal("10.75")
    with menu.changing():
        MenuItem.objects.bulk_update([soup], ["price"])


def run_sql(soup: MenuItem) -> None:
    with menu.changing(), connection.cursor() as cursor:
        cursor.execute("UPDATE restaurant_menuitem SET price = 10.75")


def replace(soup: MenuItem) -> None:
    soup.delete()
    make_item(price="10.75")


@pytest.mark.django_db
def test_a_price(subtests, phone, soup):
    for change in [save, update, update_in_bulk, run_sql, replace]:
        with subtests.test(change=change.__name__):
            MenuItem.objects.update(price="9.50")
            menu.renew_version()
            assert "€9.50" in text_of(phone)
            change(soup)
            assert "€10.75" in text_of(phone)
            assert "€9.50" not in text_of(phone)
            assert phone.get("/table/7?format=json").json()["menu"]["Soups"][0]["price"] == 10.75


@pytest.mark.django_db
def test_every_field_and_what_comes_and_goes(phone, soup):
    for field, value in (("name", "Minestrone"), ("description", "With pesto."), ("category", "Primi"),
                         ("image_url", "https://example.com/soup.webp")):  # fmt: skip
        setattr(soup, field, value)
        soup.save()
        assert value in text_of(phone)
    menu.set_available(MenuItem.objects.all(), available=False)
    assert "Minestrone" not in text_of(phone)
    assert "nothing on the menu" in text_of(phone)
    menu.set_available(MenuItem.objects.all(), available=True)
    assert "Minestrone" in text_of(phone)
    make_item("Bread")
    assert "Bread" in text_of(phone)
    MenuItem.objects.all().delete()
    assert "nothing on the menu" in text_of(phone)


@pytest.mark.django_db
def test_twice_within_one_transaction_and_back(phone, soup):
    for price in ("1.25", "2.50", "1.25"):
        with menu.changing():
            MenuItem.objects.update(price=price)
        assert f"€{price}" in text_of(phone)
    with transaction.atomic():
        with menu.changing():
            MenuItem.objects.update(price="77.00")
        assert "€77.00" in text_of(phone)
        transaction.set_rollback(True)
    assert "€1.25" in text_of(phone)


@pytest.mark.django_db
def test_the_page_speaks_of_the_settings_of_now(phone, settings):
    settings.CURRENCY, settings.VENUE_NAME = "USD", "Chez Nous"
    assert "US$9.50" in text_of(phone)
    assert "Chez Nous" in text_of(phone)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_in_other_processes(http_port):
    """The server is one process, this another, a command and another client of the database two more."""
    make_table(7)
    soup = make_item()
    code = "from restaurant.models import MenuItem; item = MenuItem.objects.get(); item.price = '11.25'; item.save()"
    with requests.Session() as phone, psycopg.connect(database_url()) as database:
        phone.headers["Accept"] = PAGE

        def shown() -> str:
            return phone.get(f"http://127.0.0.1:{http_port}/table/7", timeout=PATIENCE).text

        assert [("€9.50" in shown()) for _ in range(3)] == [True] * 3
        with menu.changing():
            MenuItem.objects.update(price="10.75")
        assert "€10.75" in shown()
        command = [sys.executable, "manage.py", "shell", "-c", code]
        subprocess.run(command, cwd=ROOT, env=environment(), check=True, capture_output=True)
        assert "€11.25" in shown()
        database.execute("UPDATE restaurant_menuitem SET available = false")
        database.execute("UPDATE restaurant_menuversion SET number = number + 1")
        assert "€11.25" in shown()  # not committed yet
        database.commit()
        assert str(soup.pk) not in shown()


def environment() -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings", "TESTED_SERVER": "yes"
    }  # fmt: skip
