"""The front page: where it leads staff, visitors and a new owner."""

import pytest
from django.test import Client

from config.models import Setup
from restaurant.models import Table
from tests.config.front_page.evening import at, begin, page_of
from tests.conftest import PAGE, make_item, make_user
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _friday_evening(clock, settings):
    begin(clock, settings)


def tile_addresses(page: Part) -> list[str]:
    return [address for _name, address in page.one("navigation", "Where to?").links()]


def test_the_tiles_are_those_that_somebody_may_open(session):
    make_item()
    assert tile_addresses(page_of("Cashiers")) == ["/till", "/drawers"]
    assert tile_addresses(page_of("Floor")) == ["/menu/availability", "/tables/print"]
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Managers"))
    page = read(client.get("/"))
    assert tile_addresses(page) == ["/menu/availability", "/tables/print", "/setup"]
    for address in tile_addresses(page):
        assert client.get(address).status_code == 200, address


def test_a_tile_tells_its_state(session):
    floor, manager = (Client(headers={"accept": PAGE}) for _ in range(2))
    floor.force_login(make_user("Floor"))
    manager.force_login(make_user("Managers"))

    def tile_texts(client: Client) -> list[str]:
        return read(client.get("/")).one("navigation", "Where to?").texts("item")

    cards = "Table cards QR codes to print for the tables"
    assert tile_texts(floor) == ["Sold out Everything is available", cards]
    for name in ("Tiramisu", "Anchovy Toast", "Ragu", "Gnocchi"):
        make_item(name=name, available=False)
    assert tile_texts(floor) == ["Sold out · 4 Anchovy Toast, Gnocchi, Ragu …", cards]
    assert tile_texts(manager)[2] == "Setup · 3 steps left What is left before the doors open"
    setup = Setup.objects.create(pk=1, cards_printed_at=at(20, 18, 30))
    Table.objects.update(created_at=at(20, 12))
    assert tile_texts(floor)[1] == cards
    setup.cards_printed_at = at(19, 12)
    setup.save()
    assert tile_texts(floor)[1] == "Table cards · 1 new Tables added since the cards were printed"


def test_a_new_installation_leads_to_the_setup():
    visitor = read(Client(headers={"accept": PAGE}).get("/"))
    assert "This restaurant is being set up" in visitor
    assert visitor.one("link", "Staff sign-in")["href"] == "/sign-in"
    page = page_of("Managers")
    assert page.region("Before the doors open").links() == [("Go on with the setup", "/setup")]
    assert "Before the doors open" not in page_of("Floor")


def test_the_description_of_the_api_is_no_business_of_the_front_page(session):
    assert "/api/docs" not in [address for _name, address in page_of("Managers").links()]


def test_guests_are_told_to_scan_and_staff_to_sign_in(session):
    page = read(Client(headers={"accept": PAGE}).get("/"))
    assert "Scan the code on your table" in page
    assert page.one("link", "Staff sign-in")["href"] == "/sign-in"
    assert (page.names("navigation"), page.names("group")) == ([], [])  # without the header of staff


def test_who_has_no_rights_is_told_whom_to_ask():
    from django.contrib.auth.models import User

    client = Client(headers={"accept": PAGE})
    client.force_login(User.objects.create_user("nobody", password="a long pass phrase"))
    page = client.get("/")
    assert page.status_code == 200
    assert "have no rights yet" in read(page)
