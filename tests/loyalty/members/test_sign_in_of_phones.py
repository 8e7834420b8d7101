"""Which phones are signed in to a card, and how they come to be no more."""

import re

import pytest
from django.core import mail, signing
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from loyalty.members.services import members
from tests.conftest import PAGE, undone
from tests.loyalty.making import enrol, make_member, redeem

pytestmark = pytest.mark.django_db


def viewer(phone, member) -> str:
    return phone.get(f"/member/{member.pk}").json()["viewer"]


def signed_in_by_link(api, member):
    member.refresh_from_db()
    path = members.sign_in_address(member=member).partition("8000")[2]
    assert api.post(path, {}, format="json").status_code == 200
    return api


def test_another_address_signs_every_phone_out(api):
    phone, member = enrol("bod@example.com")
    members.correct(member=member, changes={"name": "Bob"})
    assert viewer(phone, member) == "member"
    members.correct(member=member, changes={"email": "bob@example.com"})
    assert viewer(phone, member) == "guest"


def copy_of(phone) -> APIClient:
    """Whoever has a copy of the phone's cookies."""
    thief = APIClient()
    thief.cookies["member"] = phone.cookies["member"].value
    return thief


def sign_out(phone) -> None:
    assert phone.post("/member-sign-out", {}, format="json").status_code == 200
    assert phone.cookies["member"].value == ""


def test_a_copied_cookie_ends_when_its_phone_signs_out_and_the_other_phone_stays(reward):
    phone, member = enrol("bob@example.com")
    copied, renewed = copy_of(phone), copy_of(phone)
    assert viewer(renewed, member) == "member"  # and gets a cookie for another year
    signed_in_by_link(phone, member)
    other = signed_in_by_link(APIClient(), member)
    later = copy_of(phone)
    sign_out(phone)
    assert [viewer(client, member) for client in (copied, renewed, later, phone)] == ["guest"] * 4
    assert redeem(later, member, reward).status_code == 401
    assert viewer(other, member) == "member"


def test_signing_in_again_does_not_save_an_older_copy_from_signing_out():
    member = make_member(email="bob@example.com", signed_in_at=timezone.now())
    phone = signed_in_by_link(APIClient(), member)
    copied = copy_of(phone)
    signed_in_by_link(phone, member)
    sign_out(phone)
    assert viewer(copied, member) == "guest"
    assert viewer(signed_in_by_link(phone, member), member) == "member"


def old_cookie(member) -> APIClient:
    """A phone with a cookie from before phones had names."""
    signer, phone = signing.get_cookie_signer(salt="memberloyalty.member"), APIClient()
    phone.cookies["member"] = signer.sign(f"{member.pk}:{member.card_key}")
    return phone


def test_a_cookie_from_before_the_upgrade_works_and_signing_out_with_it_ends_every_copy():
    member = make_member()
    phone, copied = old_cookie(member), old_cookie(member)
    assert viewer(phone, member) == viewer(phone, member) == "member"
    sign_out(phone)
    assert viewer(copied, member) == "guest"


def test_a_card_does_not_remember_phones_without_end(monkeypatch):
    monkeypatch.setattr(members, "MAX_SIGNED_OUT", 2)
    member = make_member(signed_in_at=timezone.now())
    phones = [signed_in_by_link(APIClient(), member) for _ in range(4)]
    copies = [copy_of(phone) for phone in phones]
    for phone in phones[:3]:
        sign_out(phone)
    member.refresh_from_db()
    assert member.signed_out_phones is None
    assert [viewer(copied, member) for copied in copies] == ["guest"] * 4


def test_the_mail_says_nothing_that_whoever_enrolled_the_address_has_written(api):
    enrol("bob@example.com", name="Bob, you have won: evil.example")
    api.post("/member-sign-in", {"email": "bob@example.com"}, format="json")
    assert "evil.example" not in mail.outbox[0].body + mail.outbox[0].subject
    assert re.search(r"/member-sign-in/\S+", mail.outbox[0].body)


def test_another_site_can_neither_sign_a_phone_in_nor_out(subtests):
    for page in ["in", "out"]:
        for content_type in ["text/plain", "", "application/x-www-form-urlencoded"]:
            with subtests.test(content_type=content_type, page=page), undone():
                phone = Client(enforce_csrf_checks=True, headers={"accept": PAGE, "origin": "https://evil.example"})
                link = members.sign_in_address(member=make_member()).partition("8000")[2]
                path = link if page == "in" else "/member-sign-out"
                response = phone.generic("POST", path, b"", content_type=content_type)
                assert response.status_code == 403
                assert not response.cookies


def test_a_program_signs_in_and_out_with_json():
    program = Client(enforce_csrf_checks=True)
    link = members.sign_in_address(member=make_member()).partition("8000")[2]
    assert program.post(link, {}, content_type="application/json").status_code == 200
    assert program.post("/member-sign-out", {}, content_type="application/json").status_code == 200
