"""Members whom staff enrol by their phone alone: they have a card, and get no mails."""

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client

from loyalty.models import Member, Notification
from qrservice.models import Code
from tests.conftest import browser_of, make_user
from tests.loyalty.admin.pages import page_of
from tests.loyalty.making import earn_body, make_location, make_member

pytestmark = pytest.mark.django_db

ADA = {"name": "Ada Lovelace", "phone": "+44 (0)20 7946-0000"}
PAGE = {"Accept": "text/html"}


def post(client, body):
    return client.post("/members", body, format="json")


def test_staff_enrol_somebody_by_the_phone_alone_and_once(cashier):
    response = post(cashier, ADA | {"offers": True})
    assert response.status_code == 201
    member = Member.objects.get()
    assert (member.email, member.phone, member.points_balance) == ("", ADA["phone"], 100)
    assert member.offers_agreed_at is None
    again = post(cashier, {"name": "A. Lovelace", "phone": "0044 20 79460000", "email": ""})
    assert (again.status_code, again.json()["error"]) == (409, "There is already a card for this phone number.")
    assert Member.objects.count() == Code.objects.filter(status="active").count() == 1
    assert post(cashier, ADA | {"email": "ada@example.com"}).status_code == 201  # a household's phone
    assert post(cashier, {"name": "Grace", "phone": "020 1"}).status_code == 201


def test_somebody_needs_an_email_or_a_phone_and_a_guest_an_email(cashier, api):
    for body in ({"name": "Ada"}, {"name": "Ada", "email": "", "phone": "none"}):
        refused = post(cashier, body)
        assert (refused.status_code, set(refused.json()["fields"])) == (400, {"phone"})
    assert set(post(api, ADA).json()["fields"]) == {"email"}
    assert not Member.objects.exists()


def test_the_form_at_the_till_says_what_is_needed_and_who_has_a_card():
    till, phone = browser_of(make_user("Cashiers")), Client()
    assert "Email (optional)" in till.get("/signup", headers=PAGE).text
    assert "Email (optional)" not in phone.get("/signup", headers=PAGE).text
    assert till.post("/members", ADA | {"email": ""}, headers=PAGE).status_code == 303
    again = till.post("/members", ADA | {"email": ""}, headers=PAGE)
    assert again.status_code == 409
    assert "There is already a card for this phone number." in again.text
    assert "You already have a card" not in again.text


def test_they_earn_and_reach_a_tier_without_a_mail(cashier):
    member = make_member(email="", lifetime=990, phone="1")
    page = cashier.get(f"/member/{member.pk}", headers=PAGE)
    assert page.status_code == 200
    assert "…@" not in page.text
    assert cashier.post("/earn", earn_body(member, make_location(), 100), format="json").status_code == 200
    assert Notification.objects.get().customer == member
    Notification.objects.update(next_attempt_at="2020-01-01T00:00Z")
    call_command("send_notifications")
    assert mail.outbox == []
    found = cashier.get("/till?q=ada", headers=PAGE)
    assert found.status_code == 200


def test_a_link_by_email_is_refused_with_the_reason(api):
    member, other = make_member(email="", phone="1"), make_member()
    refused = api.post("/member-sign-in", {"customerId": str(member.pk)}, format="json")
    assert (refused.status_code, "no email" in refused.json()["error"]) == (409, True)
    assert api.post("/member-sign-in", {"customerId": str(other.pk)}, format="json").status_code == 202


def test_they_read_their_data_and_are_erased(manager):
    member = make_member(email="", phone="020 7946")
    assert manager.get(f"/member/{member.pk}/data").json()["member"]["email"] == ""
    assert manager.post(f"/member/{member.pk}/erase", {}, format="json").status_code == 200
    assert make_member(email="", phone="020 7946").pk  # the number is free again


def test_a_manager_corrects_them_and_gives_them_an_email(managers_browser):
    member = make_member(email="", phone="1")
    details = {"name": "Ada", "email": "", "phone": "12", "note": ""}
    assert managers_browser.post(page_of(member), details).status_code == 302
    refused = managers_browser.post(page_of(member), details | {"phone": "", "offers": "on"})
    assert "An email or a phone number is needed." in refused.text
    assert "Offers need an email." in refused.text
    make_member(email="", phone="5")
    assert (
        "There is already a card for this phone number."
        in managers_browser.post(page_of(member), details | {"phone": "5"}).text
    )
    assert managers_browser.post(page_of(member), details | {"email": "ada@example.com"}).status_code == 302
    member.refresh_from_db()
    assert member.email == "ada@example.com"
