"""Whoever starts the demonstration is led to a member's card, and can open it as that member."""

import re
from datetime import timedelta
from io import StringIO

import pytest
import requests
from django.core.management import call_command
from django.utils import timezone

from config import demo
from loyalty.models import Member
from tests.servers import Installation

pytestmark = pytest.mark.slow


def test_the_card_has_something_of_everything(house, api):
    card = demo.card()
    assert api.post(card.sign_in_address).status_code == 200
    face = api.get(card.address).json()
    assert (face["viewer"], face["name"], face["tier"]) == ("member", card.name, "gold")
    assert 20 < face["nextTier"]["percent"] < 80
    assert {reward["canRedeem"] for reward in face["rewards"]} == {True, False}
    assert len(face["redemptions"]) == 3
    assert {each["type"] for each in face["activity"]} == {"earn", "redeem", "bonus"}
    assert [each["title"] for each in face["notifications"]] == ["Welcome to gold", "Welcome to silver"]
    member = Member.objects.get(pk=face["customerId"])
    assert {each.status for each in member.redemptions.all()} == {"active", "used", "expired"}
    assert timezone.now() - timedelta(days=7) < member.last_activity_at < timezone.now() - timedelta(hours=1)


def test_a_link_works_once_and_a_new_one_again(house, api):
    card = demo.card()
    assert api.post(card.sign_in_address).status_code == 200
    assert api.post(card.sign_in_address).status_code == 410
    assert api.post(demo.card().sign_in_address).status_code == 200


def test_without_the_demonstration_there_is_no_such_card(empty_house):
    assert demo.card() is None


def test_the_command_says_where_the_card_is(empty_house, api):
    output = StringIO()
    call_command("load_demo", stdout=output)
    card = demo.card()
    assert f"  {card.address}\n" in output.getvalue()
    assert "/till\n" in output.getvalue()
    link = re.search(r"^\S+/member-sign-in/\S+$", output.getvalue(), re.MULTILINE)[0]
    assert api.post(link).status_code == 200


@pytest.mark.django_db
def test_every_start_of_serve_prints_a_new_link(tmp_path, used_with_demo):
    installation = Installation(tmp_path / "data").copy_data(used_with_demo)
    try:
        for _ in range(2):
            installation.start()
            assert f"  {installation.base}/till\n" in installation.output
            link = re.search(rf"^  ({installation.base}/member-sign-in/\S+)$", installation.output, re.MULTILINE)[1]
            browser = requests.Session()
            signed_in = browser.post(link, json={}, timeout=10)
            assert signed_in.status_code == 200
            card = f"{installation.base}/member/{signed_in.json()['customerId']}"
            assert f"  {card}\n" in installation.output
            assert browser.get(card, timeout=10).json()["viewer"] == "member"
            assert installation.stop() == 0
    finally:
        if installation.process.poll() is None:
            installation.stop()
