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
from tests.servers import FIRST_LOG, Installation

pytestmark = pytest.mark.slow


def test_the_card_has_something_of_everything(house, api):
    card = demo.card()
    assert api.post(card.sign_in_address).status_code == 200
    face = api.get(card.address).json()
    assert (face["viewer"], face["name"], face["tier"]) == ("member", card.name, "gold")
    assert 20 < face["nextTier"]["percent"] < 80
    assert {reward["canRedeem"] for reward in face["rewards"]} == {True, False}
    assert len(face["redemptions"]) == 3
    assert {each["type"] for each in face["activity"]} == {"earn", "redeem", "bonus", "reversal"}
    assert [each["title"] for each in face["notifications"]] == ["Welcome to gold", "Welcome to silver"]
    member = Member.objects.get(pk=face["customerId"])
    assert {each.status for each in member.redemptions.all()} == {"active", "used", "expired", "cancelled"}
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
    """The first start was the one that had loaded the demonstration, at another port."""
    installation = Installation(tmp_path / "data").copy_data(used_with_demo).start()
    try:
        first, new = printed((installation.data_dir / FIRST_LOG).read_text()), printed(installation.output)
        assert new["base"] == installation.base
        assert first["card"] == new["card"]
        assert first["link"] != new["link"]
        browser = requests.Session()
        signed_in = browser.post(installation.base + new["link"], json={}, timeout=10)
        assert signed_in.status_code == 200
        assert new["card"] == f"/member/{signed_in.json()['customerId']}"
        assert browser.get(installation.base + new["card"], timeout=10).json()["viewer"] == "member"
        assert requests.post(installation.base + first["link"], json={}, timeout=10).status_code == 410
    finally:
        assert installation.stop() == 0


def printed(output: str) -> dict[str, str]:
    """What a start says: its address, and the paths of the card and of the link to it."""
    base = re.search(r"^  Till +(\S+)/till$", output, re.MULTILINE)[1]
    card = re.search(rf"^  A member's card +{base}(/member/\S+)$", output, re.MULTILINE)[1]
    link = re.search(rf"^  {base}(/member-sign-in/\S+)$", output, re.MULTILINE)[1]
    return {"base": base, "card": card, "link": link}
