"""The venue's name is kept in the database; the environment's is its default."""

import gzip

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import Error, connection
from django.test import Client

from config.models import Venue
from loyalty.members.services import members
from tests.conftest import PAGE, make_user
from tests.loyalty.making import make_member
from web import venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin_of_manager() -> Client:
    user = make_user("Managers")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    client = Client(headers={"accept": PAGE})
    client.force_login(user, backend="web.authentication.StaffBackend")
    return client


@pytest.fixture
def guest(table, soup) -> Client:
    return Client(headers={"accept": PAGE, "accept-encoding": "gzip"})


def menu_of(guest: Client) -> str:
    return gzip.decompress(guest.get("/table/7").content).decode()


def save(client: Client, path: str, **values):
    form = {"name": "Chez Nous", "address": "1 rue du Port", "vat_number": "FR123", "accent": "#123456"}
    return client.post(path, form | values)


def test_a_manager_names_the_venue_and_every_page_says_so(admin_of_manager, guest, settings):
    settings.VENUE_NAME = "Regulars"
    assert "Regulars" in menu_of(guest)
    response = admin_of_manager.get("/admin/config/venue/")
    assert response["Location"] == "/admin/config/venue/add/"
    assert save(admin_of_manager, response["Location"]).status_code == 302
    assert "/accent/123456.css" in menu_of(guest)
    assert "Chez Nous" in menu_of(guest)
    assert "Regulars" not in menu_of(guest)
    for path in ("/", "/sign-in", "/signup", "/nowhere"):
        assert "Chez Nous" in Client(headers={"accept": PAGE}).get(path).content.decode()
    response = admin_of_manager.get("/admin/config/venue/")
    assert response["Location"] == "/admin/config/venue/1/change/"
    assert save(admin_of_manager, response["Location"], name="").status_code == 302
    assert "Regulars" in menu_of(guest)


def test_a_manager_chooses_the_language_of_the_kitchen_of_those_that_staff_have(admin_of_manager, german):
    german({})
    page = "/admin/config/venue/add/"
    assert save(admin_of_manager, page, kitchen_language="nl").status_code == 200  # refused
    assert save(admin_of_manager, page, kitchen_language="de").status_code == 302
    assert admin_of_manager.get("/kitchen")["Content-Language"] == "de"
    assert save(admin_of_manager, "/admin/config/venue/1/change/", kitchen_language="").status_code == 302
    assert admin_of_manager.get("/kitchen")["Content-Language"] == "en-gb"


def test_the_mail_names_it(settings, django_capture_on_commit_callbacks):
    Venue.objects.create(name="Chez Nous")
    subject = members._sign_in_mail(make_member(email="ada@example.com")).subject
    assert subject == "Your card at Chez Nous"
    assert mail.outbox == []


def test_what_is_odd_is_refused(admin_of_manager):
    for values in ({"accent": "red"}, {"accent": "#12345"}, {"name": "a\nb"}, {"name": "x" * 101}):
        assert save(admin_of_manager, "/admin/config/venue/add/", **values).status_code == 200, values
    assert not Venue.objects.exists()


def test_there_is_one_and_it_stays(admin_of_manager, floor):
    Venue.objects.create(name="Chez Nous")
    Venue(name="Chez Vous").save()
    assert [row.name for row in Venue.objects.all()] == ["Chez Vous"]
    assert admin_of_manager.get("/admin/config/venue/add/").status_code == 403
    assert admin_of_manager.post("/admin/config/venue/1/delete/", {"post": "yes"}).status_code == 403
    assert floor.get("/admin/config/venue/").status_code == 302


def test_it_is_read_once_in_five_seconds(django_assert_num_queries):
    Venue.objects.create(name="Chez Nous")
    with django_assert_num_queries(1):
        assert [venue.name() for _ in range(3)] == ["Chez Nous"] * 3


def test_another_process_s_change_shows_within_seconds(monkeypatch):
    Venue.objects.create(name="Chez Nous")
    assert venue.name() == "Chez Nous"
    Venue.objects.update(name="Chez Vous")  # no signal, as elsewhere
    assert venue.name() == "Chez Nous"
    monkeypatch.setattr(venue, "REMEMBERED", 0.0)
    venue.remember(venue.current())
    assert venue.name() == "Chez Vous"


def test_while_the_database_is_away_the_name_stays(settings):
    def fail(*_arguments: object) -> None:
        raise Error("away")

    Venue.objects.create(name="Chez Nous")
    assert venue.name() == "Chez Nous"
    venue.clear_cache()
    with connection.execute_wrapper(fail):
        assert venue.name() == "Chez Nous"
