"""Tokens for programs of the staff."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.models import StaffToken
from tests.conftest import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def key(capsys) -> str:
    make_user("Floor", "anna")
    call_command("create_token", "anna", "--name", "kitchen script")
    return capsys.readouterr().out.splitlines()[-1]


def kitchen(api, key):
    return api.get("/kitchen", headers={"Authorization": f"Token {key}"}).status_code


def test_a_token_signs_its_user_in_and_is_stored_hashed(api, key):
    assert kitchen(api, key) == 200
    stored = StaffToken.objects.get()
    assert (stored.name, stored.user.username, stored.expiry) == ("kitchen script", "anna", None)
    assert key not in (stored.digest, str(stored))


def test_a_token_needs_no_csrf_token(api, key, table):
    answer = api.post("/tables", {"tableNumber": 8}, format="json", headers={"Authorization": f"Token {key}"})
    assert answer.status_code == 201


def test_a_wrong_token_is_401_and_so_is_one_after_its_last_moment(api, key, clock):
    assert kitchen(api, "x" * len(key)) == 401
    clock(timezone.now())
    for left, status in ((timedelta(), 200), (timedelta(microseconds=-1), 401)):
        StaffToken.objects.update(expiry=timezone.now() + left)
        assert kitchen(api, key) == status


def test_a_revoked_token_is_401(api, key):
    StaffToken.objects.all().delete()
    assert kitchen(api, key) == 401


def test_a_token_of_someone_who_has_left_is_401(api, key):
    user = StaffToken.objects.get().user
    user.is_active = False
    user.save()
    assert kitchen(api, key) == 401


def test_a_token_for_nobody_is_an_error():
    with pytest.raises(CommandError, match="no user 'ghost'"):
        call_command("create_token", "ghost")
