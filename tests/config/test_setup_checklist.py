"""`/setup` for programs: what is done before the doors open, and who is led there."""

import os
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from config import doctor
from config.models import Setup, Venue
from loyalty.models import Location, Reward
from restaurant.models import OrderingRules, Table
from tests.config.setting_up import NOON, done, page_of, set_up_everything, steps
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries, signed_in

pytestmark = pytest.mark.django_db

ESSENTIAL = ["name", "menu", "tables", "cards", "staff", "rewards"]
OTHERS = ["gate", "second-step", "address", "mail", "backup"]


@pytest.fixture(autouse=True)
def _noon_without_a_backup(clock, settings, tmp_path):
    clock(NOON)
    settings.DATA_DIR = tmp_path


@pytest.fixture
def owner(db) -> APIClient:
    """Sign in the owner of an empty installation."""
    return signed_in(User.objects.create_superuser("owner", password="a long pass phrase"))


# --- the checklist ----------------------------------------------------------------------------------


def test_nothing_is_done_in_an_empty_installation_and_each_step_has_its_link(owner):
    checklist = owner.get("/setup").json()
    assert (checklist["ready"], checklist["next"], checklist["hintHidden"]) == (False, "name", False)
    assert [(step["name"], step["essential"]) for step in checklist["steps"]] == [
        *((name, True) for name in ESSENTIAL), *((name, False) for name in OTHERS)
    ]  # fmt: skip
    assert done(owner) == []
    assert [name for name, step in steps(owner).items() if not step["links"]] == ["cards", "address", "mail", "backup"]


@pytest.mark.slow
def test_every_link_opens_for_owners_and_managers(owner):
    manager = make_user("Managers")
    User.objects.filter(pk=manager.pk).update(is_staff=True)
    followed = set()
    for prepare in (lambda: None, lambda: Location.objects.create(name="Other"), set_up_everything):
        prepare()
        links = {link["url"] for step in steps(owner).values() for link in step["links"]} - followed
        for client in (owner, signed_in(manager)):
            for url in links:
                assert client.get(url, headers={"accept": PAGE}, follow=True).status_code == 200, url
        followed |= links
    assert len(followed) == 13


def test_one_step_after_the_other_is_done_with_what_is_known_about_it(owner, settings):
    def next_and_fact(name: str) -> tuple[str | None, str]:
        return owner.get("/setup").json()["next"], steps(owner)[name]["fact"]

    Venue.objects.create(name="Chez Nous")
    assert next_and_fact("name") == ("menu", "Chez Nous")
    make_item()
    assert next_and_fact("menu") == ("tables", "1 dish")
    make_table(1)
    make_table(2)
    assert next_and_fact("tables") == ("cards", "2 tables")
    owner.post("/setup", {"cardsPrinted": True}, format="json")
    assert next_and_fact("cards")[0] == "staff"
    make_user("Floor", "anna")
    assert next_and_fact("staff") == ("rewards", "1 person besides you")
    Location.objects.create(name="Corner")
    Reward.objects.create(name="Tea", points_required=1, reward_value={"item": "Tea"}, available=False)
    assert next_and_fact("rewards") == ("rewards", "Members need something to spend their points on.")
    Reward.objects.update(available=True)
    assert next_and_fact("rewards") == ("rewards", "Say at which location the tables earn points.")
    Venue.objects.update(location=Location.objects.get())
    assert next_and_fact("rewards") == (None, "1 reward")
    assert owner.get("/setup").json()["ready"] is True
    OrderingRules.objects.create(gate="approved")
    assert next_and_fact("gate")[1] == "Now: everyone; staff approve a table's first order"


def test_the_environment_s_name_is_a_name(owner, settings):
    settings.VENUE_NAME = "Trattoria Sole"
    assert (steps(owner)["name"]["done"], steps(owner)["name"]["fact"]) == (True, "Trattoria Sole")


def test_tables_without_a_code_are_not_done(owner):
    make_table(1)
    Table.objects.create(table_number=2)
    step = steps(owner)["tables"]
    assert (step["done"], step["fact"]) == (False, "2 tables; 1 has no QR code yet.")


def test_cards_are_printed_when_a_manager_says_so_and_until_more_tables_come(owner, clock):
    make_table(1)
    assert owner.post("/setup", {"cardsPrinted": True}, format="json").status_code == 200
    assert "cards" in done(owner)
    clock(NOON + timedelta(minutes=1))
    make_table(2)
    cards = steps(owner)["cards"]
    assert cards["fact"].endswith("1 table is new since then.")
    assert cards["links"][-1]["url"] == "/tables/print?since=2026-11-20"
    assert "cards" not in done(owner)
    owner.post("/setup", {"cardsPrinted": True}, format="json")
    assert "cards" in done(owner)
    owner.post("/setup", {"cardsPrinted": False}, format="json")
    assert "cards" not in done(owner)


def test_address_mail_and_backup_are_as_the_doctor_finds_them(owner, settings):
    assert "without HTTPS" in steps(owner)["address"]["fact"]
    assert "reach nobody" in steps(owner)["mail"]["fact"]
    assert "no backup yet" in steps(owner)["backup"]["fact"]
    settings.APP_BASE_URL, settings.ALLOWED_HOSTS = "https://menu.example.com", ["testserver", "menu.example.com"]
    settings.TRUSTED_PROXY_NETWORKS = [ip_network("127.0.0.1")]
    doctor.last_backup_note().touch()
    os.utime(doctor.last_backup_note(), (NOON.timestamp(),) * 2)
    checklist = steps(owner)
    assert (checklist["address"]["done"], checklist["address"]["fact"]) == (True, "https://menu.example.com")
    assert checklist["backup"]["done"]
    week_ago = (NOON - timedelta(days=8)).timestamp()
    os.utime(doctor.last_backup_note(), (week_ago, week_ago))
    assert "no backup for 8 days" in steps(owner)["backup"]["fact"]


def test_a_few_cheap_queries_suffice(owner):
    set_up_everything()
    with own_queries() as queries:
        owner.get("/setup")
    assert len(queries) <= 10


def test_odd_changes_are_refused(owner):
    for body in ({"cardsPrinted": "yes"}, {"hintHidden": None}, {"cardsPrinted": 1}):
        assert owner.post("/setup", body, format="json").status_code == 400, body
    assert not Setup.objects.exists()


# --- who is led there -------------------------------------------------------------------------------


def signs_in(username: str, **form: str) -> str:
    values = {"username": username, "password": "a long pass phrase", **form}
    return Client(headers={"accept": PAGE}).post("/sign-in", values)["Location"]


def test_whoever_is_made_by_createsuperuser_lands_there_and_later_at_home(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long pass phrase")
    call_command("createsuperuser", username="owner", email="owner@example.com", interactive=False, verbosity=0)
    assert signs_in("owner") == "/setup"
    assert signs_in("owner", next="/kitchen") == "/kitchen"
    set_up_everything()
    assert signs_in("owner") == "/"


def test_managers_land_there_and_others_do_not():
    for group, where in (("Managers", "/setup"), ("Floor", "/"), ("Cashiers", "/")):
        make_user(group)
        assert signs_in(group.lower()) == where


def test_the_front_page_names_the_next_step_until_somebody_hides_it(owner):
    front = page_of(User.objects.get(username="owner"))
    assert "Next: Name and look." in front.get("/").content.decode()
    Venue.objects.create(name="Chez Nous")
    assert "Next: Menu." in front.get("/").content.decode()
    response = front.post("/setup", {"hintHidden": "true"})
    assert (response.status_code, response["Location"]) == (303, "/")
    page = front.get("/").content.decode()
    assert "Next: " not in page
    assert 'href="/setup"' in page
    assert signs_in("owner") == "/"
    assert front.post("/setup", {"hintHidden": "false"})["Location"] == "/setup"
    assert "Next: Menu." in front.get("/").content.decode()
    Venue.objects.all().delete()
    Setup.objects.all().delete()
    set_up_everything()
    assert "Next: " not in front.get("/").content.decode()


def test_nobody_else_is_told_about_it():
    for group in ("Floor", "Cashiers"):
        page = page_of(make_user(group)).get("/").content.decode()
        assert "/setup" not in page
    assert "/setup" not in Client(headers={"accept": PAGE}).get("/").content.decode()
