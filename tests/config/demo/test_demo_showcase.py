"""Whoever starts the demonstration is led to a member's card, and can open it as that member."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from config.demo import VENUE_NAME
from config.demo.example_member import card as example_card
from loyalty.models import Member
from tests.config.demo.making import AT

pytestmark = pytest.mark.slow


def test_the_card_has_something_of_everything(demo, api):
    card = example_card()
    assert api.post(card.sign_in_address).status_code == 200
    face = api.get(card.address).json()
    assert (face["viewer"], face["name"], face["tier"]) == ("member", card.name, "gold")
    assert 20 < face["nextTier"]["percent"] < 80
    assert {reward["canRedeem"] for reward in face["rewards"]} == {True, False}
    assert len(face["redemptions"]) == 3
    assert {entry["type"] for entry in face["activity"]} == {"earn", "redeem", "bonus", "reversal"}
    assert [notification["title"] for notification in face["notifications"]] == ["Welcome to gold", "Welcome to silver"]
    member = Member.objects.get(pk=face["customerId"])
    assert {redemption.status for redemption in member.redemptions.all()} == {"active", "used", "expired", "cancelled"}
    assert timezone.now() - timedelta(days=7) < member.last_activity_at < timezone.now() - timedelta(hours=1)


def test_a_link_works_once_and_one_of_a_later_start_again(demo, api, clock):
    older = example_card()
    clock(AT + timedelta(minutes=1))
    latest = example_card()
    assert older.sign_in_address != latest.sign_in_address
    answers = [api.post(card.sign_in_address).status_code for card in (latest, latest, older)]
    assert answers == [200, 410, 410]
    assert api.post(example_card().sign_in_address).status_code == 200


def test_without_the_demonstration_there_is_no_such_card(short_demo):
    assert example_card() is None


def test_the_command_says_how_staff_sign_in_and_where_the_card_is(short_demo, api):
    output = StringIO()
    call_command("load_demo", stdout=output)
    assert VENUE_NAME in output.getvalue()
    words = output.getvalue().split()
    for name in ("cashier", "floor", "manager", "owner"):
        assert User.objects.get(username=name).check_password(words[words.index(name) + 1])
    card = example_card()
    assert f"  {card.address}\n" in output.getvalue()
    assert "/till\n" in output.getvalue()
    link = re.search(r"^\S+/member-sign-in/\S+$", output.getvalue(), re.MULTILINE)[0]
    assert api.post(link).status_code == 200
