"""User names that look alike are one name, for whoever adds somebody and for whoever signs in."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from tests.conftest import browser_of, make_user
from web.models import FoldedUsername
from web.usernames import check_new, fold, store_folded

pytestmark = pytest.mark.django_db

TURKISH = "İrem"
# What exists, and what is one with it.
ALIKE = [("irem", TURKISH), ("Irem", "ırem"), ("cap", "сар"), ("аор", "aop"), ("Anna", "ANNA"), ("ada", "\uff41da")]
ALIKE += [("TOM", "ТОМ"), ("straße", "STRASSE"), ("ρο", "po")]  # the first and the last are in Cyrillic and Greek
MIXED = ["mаria", "αnna", "irеm"]  # each with one letter of another alphabet


def in_the_admin(username: str) -> str:
    owner = browser_of(User.objects.create_superuser("owner"))
    form = {"username": username, "password1": "a long pass phrase", "password2": "a long pass phrase"}
    return owner.post("/admin/auth/user/add/", {**form, "usable_password": "true"}).content.decode()


@pytest.mark.parametrize(("existing", "username"), ALIKE)
def test_a_name_that_looks_like_another_is_taken(manager, existing, username):
    make_user("Floor", existing)
    body = {"username": username, "name": "Somebody", "group": "Floor"}
    response = manager.post("/staff", body, format="json")
    assert (response.status_code, "looks like it" in response.json()["error"]) == (409, True)
    assert "looks like it" in in_the_admin(username)
    with pytest.raises(CommandError, match=r"looks like it|already taken"):
        call_command("createsuperuser", username=username, email="a@example.com", interactive=False)
    assert User.objects.filter(username__in=[existing, username]).count() == 1


@pytest.mark.parametrize("username", MIXED)
def test_a_name_has_letters_of_one_alphabet(manager, username):
    response = manager.post("/staff", {"username": username, "name": "X", "group": "Floor"}, format="json")
    assert (response.status_code, "alphabet" in response.json()["fields"]["username"]) == (400, True)
    assert "alphabet" in in_the_admin(username)
    with pytest.raises(CommandError, match="alphabet"):
        call_command("createsuperuser", username=username, email="a@example.com", interactive=False)


@pytest.mark.parametrize("username", ["Наташа", "李娜", "たなか太郎", "ürün_7", "anna.li-2"])
def test_names_in_every_alphabet_are_taken_and_found(manager, username):
    body = {"username": username, "name": "Somebody", "group": "Floor"}
    password = manager.post("/staff", body, format="json").json()["password"]
    assert Client().post("/sign-in", {"username": username.upper(), "password": password}).status_code == 302


def test_people_with_look_alike_names_of_before_sign_in_as_before_and_may_be_changed(manager):
    for password, username in enumerate(["irem", TURKISH, "ırem"]):
        User.objects.bulk_create([User(username=username)])  # as before there was a rule
        user = User.objects.get(username=username)
        user.set_password(f"pass phrase {password}")
        user.save(update_fields=["password"])
    FoldedUsername.objects.all().delete()
    import_module("web.migrations.0002_folded_user_names").fold_names(apps, None)
    assert FoldedUsername.objects.get(text="irem").user.username == "irem"
    for password, username in enumerate(["irem", TURKISH, "ırem"]):
        form = {"username": username, "password": f"pass phrase {password}"}
        assert Client().post("/sign-in", form).status_code == 302
        User.objects.get(username=username).save()
        assert manager.post(f"/staff/{username}", {"active": False}, format="json").status_code == 200


def test_of_two_look_alikes_stored_at_once_the_database_refuses_the_second():
    first, second = User(username="irem"), User(username="ırem")
    for each in (first, second):
        check_new(each, raw=False)
    User.objects.bulk_create([first, second])
    store_folded(first)
    with pytest.raises(IntegrityError):
        store_folded(second)


def test_what_is_too_long_for_a_name_is_not_folded():
    """Normalising takes quadratic time, and anybody may send a name of a megabyte to the sign-in."""
    assert fold("A" * 150) == "a" * 150
    assert fold("A" * 151) == "A" * 151


def test_every_spelling_shares_the_attempts_of_the_name():
    make_user("Floor", "irem")
    statuses = [
        Client(REMOTE_ADDR=f"198.51.100.{number}").post("/sign-in", {"username": name, "password": "wrong"}).status_code
        for number, name in enumerate(["irem", "IREM", TURKISH, "ırem", "Irem"] * 2)
    ]
    assert statuses == [200] * 9 + [429]
