"""One mailbox has one card, in whatever letters its address is written."""

import pytest
from django.core import mail

from loyalty.models import Member
from tests.loyalty.admin.conftest import manager  # noqa: F401
from tests.loyalty.admin.pages import page_of
from tests.loyalty.conftest import enrol, make_member

pytestmark = pytest.mark.django_db

SAME = ["ada@ｅxample.com", "ada@ＥＸＡＭＰＬＥ.com", "ada@example。com", "ada@example.ｃom", "ADA@EXAMPLE.COM"]
REFUSED = ["ａda@example.com", "ada\u212a@example.com", "ada@exam\u00adple.com", "ada@example..com", "ada＠x.com@y.com"]


@pytest.mark.parametrize("spelling", SAME)
def test_another_spelling_of_a_host_is_no_second_card(api, spelling):
    enrol("ada@example.com")
    response = api.post("/members", {"email": spelling, "name": "Ada"}, format="json")
    assert response.status_code == 409
    assert Member.objects.count() == 1


@pytest.mark.parametrize("spelling", SAME)
def test_a_link_is_sent_to_whoever_spells_the_address_otherwise(api, spelling):
    make_member(email="ada@example.com")
    assert api.post("/member-sign-in", {"email": spelling}, format="json").status_code == 202
    assert [message.to for message in mail.outbox] == [["ada@example.com"]]


@pytest.mark.parametrize("spelling", REFUSED)
def test_letters_that_are_no_mailbox_are_refused(api, spelling):
    response = api.post("/members", {"email": spelling, "name": "Ada"}, format="json")
    assert (response.status_code, list(response.json()["fields"])) == (400, ["email"])


def test_a_host_in_another_script_is_one_whether_it_is_written_so_or_encoded(api):
    enrol("ada@müller.example")
    assert Member.objects.get().email == "ada@müller.example"
    for spelling in ("ada@xn--mller-kva.example", "ada@MÜLLER.example"):
        assert api.post("/members", {"email": spelling, "name": "Ada"}, format="json").status_code == 409


@pytest.mark.parametrize("spelling", ["bob@ｅxample.com", "bob\u212a@example.com"])
def test_a_correction_in_the_admin_is_held_to_the_same(manager, spelling):  # noqa: F811
    make_member(email="bob@example.com")
    other = make_member(email="other@example.com")
    response = manager.post(page_of(other), {"name": "Other", "email": spelling, "phone": ""})
    assert response.status_code == 200
    other.refresh_from_db()
    assert other.email == "other@example.com"
