"""POST /members and GET /signup."""

import uuid

import pytest
from django.core import mail
from rest_framework.test import APIClient

from loyalty.models import Location, Member, PointTransaction
from qrservice.models import Code
from tests.conftest import make_user, signed_in, undone, unknown_id
from tests.loyalty.admin.pages import page_of
from tests.loyalty.making import enrol, make_location, make_member
from tests.reading import read

pytestmark = pytest.mark.django_db

ADA = {"email": "ada@example.com", "name": "Ada Lovelace", "phone": "+44 20 7946 0000"}
# Of one mailbox: in any case, with or without what is written around it, its host in full-width letters.
SPELLINGS = ["ada@example.com", "ADA@Example.com", "  ada@example.com ", "ada@ｅxample.com"]


def post(client, body):
    return client.post("/members", body, format="json")


def test_a_new_member_has_a_code_a_card_and_a_hundred_points(api, settings):
    response = post(api, ADA)
    assert response.status_code == 201
    data, member, code = response.json(), Member.objects.get(), Code.objects.get()
    assert set(data) == {"customerId", "qrCodeUrl", "pointsBalance", "message"}
    assert (data["customerId"], data["pointsBalance"]) == (str(member.pk), 100)
    assert uuid.UUID(data["customerId"]).version == 4
    assert "Ada Lovelace" in data["message"]
    assert api.get(data["qrCodeUrl"].removeprefix(settings.APP_BASE_URL))["Content-Type"] == "image/png"

    assert (member.email, member.name, member.phone) == tuple(ADA.values())
    assert (member.points_balance, member.lifetime_points, member.tier) == (100, 100, "bronze")
    assert member.last_activity_at == member.created_at
    assert member.qr_analytics_id == code.analytics_id
    assert code.redirect_url == f"{settings.APP_BASE_URL}/member/{member.pk}"
    assert code.metadata == {"customer_id": str(member.pk), "type": "loyalty_member"}

    bonus = PointTransaction.objects.get()
    assert (bonus.customer, bonus.type, bonus.points) == (member, "earn", 100)
    assert (bonus.order_total, bonus.location) == (None, None)
    assert "bonus" in bonus.description.lower()


def test_a_member_may_agree_to_offers_and_has_a_phone_or_none(api):
    for sent, agreed, phone in (
        ({}, False, ADA["phone"]), ({"offers": False, "phone": ""}, False, ""), ({"offers": True}, True, ADA["phone"]),
        ({"phone": None}, False, ""),
    ):  # fmt: skip
        with undone():
            assert post(api, ADA | sent).status_code == 201
            member = Member.objects.get()
            assert (member.offers_agreed_at, member.phone) == (member.created_at if agreed else None, phone)


def test_on_the_page_nobody_has_agreed_beforehand(api):
    offers = read(api.get("/signup", headers={"accept": "text/html"})).field("offers")
    assert (offers["value"], offers.get("checked")) == ("yes", None)
    form = {"name": "Ada", "email": "no address", "offers": "yes"}
    refused = api.post("/members", form, headers={"accept": "text/html"})
    assert read(refused).field("offers").get("checked") is not None
    api.post("/members", form | {"email": "ada@example.com"}, headers={"accept": "text/html"})
    assert Member.objects.get().offers_agreed_at is not None


def test_one_mailbox_has_one_card_and_gets_its_links_however_it_is_spelt(api, managers_browser):
    post(api, ADA)
    other = make_member(email="other@example.com")
    before = (Member.objects.count(), PointTransaction.objects.count(), Code.objects.count())
    for spelling in SPELLINGS:
        response = post(APIClient(), {"email": spelling, "name": "Someone else"})
        assert (response.status_code, set(response.json()), dict(response.cookies)) == (409, {"error"}, {}), spelling
        assert api.post("/member-sign-in", {"email": spelling}, format="json").status_code == 202
        assert mail.outbox[-1].to == ["ada@example.com"]
    assert before == (Member.objects.count(), PointTransaction.objects.count(), Code.objects.count())
    for spelling in ("ada@ｅxample.com", "ada\u212a@example.com"):
        form = {"name": "Other", "email": spelling, "phone": ""}
        assert managers_browser.post(page_of(other), form).status_code == 200
    other.refresh_from_db()
    assert other.email == "other@example.com"


def test_letters_that_are_one_in_lower_case_alone_are_the_same_address_too(api):
    post(api, {**ADA, "email": "ada@kings.example"})
    assert post(api, {**ADA, "email": "ada@\N{KELVIN SIGN}ings.example"}).status_code == 409
    assert Member.objects.count() == 1


def test_an_odd_address_that_mail_can_reach_is_taken_as_it_is(api):
    for email in ("o'brien+a@example.com", "ada@müller.example", '"a,b"@example.com'):
        assert post(api, {"email": email, "name": "New"}).status_code == 201
        assert api.post("/member-sign-in", {"email": email}, format="json").status_code == 202
        assert mail.outbox[-1].to == [email] == [Member.objects.latest("created_at").email]


def test_the_longest_texts_fit_and_unknown_fields_give_nothing(api):
    email = f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.example"
    longest = {"email": email, "name": "\N{GRINNING FACE}" * 255, "phone": "1" * 50}
    assert post(api, longest | {"points_balance": 10_000, "tier": "platinum", "id": unknown_id()}).status_code == 201
    member = Member.objects.get()
    assert (member.email, member.name, member.points_balance, member.tier) == (email, longest["name"], 100, "bronze")


def test_other_methods_are_405_with_a_sentence(api):
    response = api.get("/members")
    assert (response.status_code, set(response.json())) == (405, {"error"})


# --- the phone is signed in from now on -----------------------------------------------------------


def test_enrolling_signs_the_phone_in(api):
    cookie = post(api, ADA).cookies["member"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] > 0
    assert api.get(f"/member/{Member.objects.get().pk}").json()["viewer"] == "member"


def test_a_till_that_enrols_a_guest_does_not_become_the_guest_s_phone(cashier):
    response = post(cashier, ADA)
    assert response.status_code == 201
    assert "member" not in response.cookies


# --- /signup --------------------------------------------------------------------------------------


def test_the_sign_up_says_where_it_was_scanned_and_what_it_gives(api, location):
    data = api.get(f"/signup?location={location.pk}").json()
    assert data == {"location": {"id": str(location.pk), "name": "Harbour"}, "signupBonus": 100}
    for query in ("", "?location=", "?location=nowhere", f"?location={unknown_id()}"):
        assert api.get(f"/signup{query}").json() == {"location": None, "signupBonus": 100}


def test_a_member_s_phone_goes_on_to_check_in_or_to_the_card():
    phone, member = enrol()
    location = make_location()
    response = phone.get(f"/signup?location={location.pk}")
    assert (response.status_code, response["Location"]) == (302, f"/checkin/{location.pk}?member={member.pk}")
    assert phone.get(response["Location"]).json()["customerId"] == str(member.pk)
    assert phone.get("/signup")["Location"] == f"/member/{member.pk}"


def test_a_till_is_not_sent_on(db):
    phone, _member = enrol()
    till = signed_in(make_user("Cashiers"))
    till.cookies["member"] = phone.cookies["member"].value
    assert till.get("/signup").status_code == 200
    assert not Location.objects.exists()


def test_two_phones_of_two_members_do_not_mix():
    ada, first = enrol()
    ben, second = enrol("ben@example.com", "Ben")
    assert ada.get(f"/member/{second.pk}").json()["viewer"] == "guest"
    assert ben.get(f"/member/{second.pk}").json()["viewer"] == "member"
    assert first.pk != second.pk
