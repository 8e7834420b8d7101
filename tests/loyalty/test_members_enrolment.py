"""POST /members and GET /signup."""

import json
import uuid

import pytest

from loyalty.models import Location, Member, PointTransaction
from qrservice.models import Code
from tests.conftest import make_user, signed_in, unknown_id
from tests.loyalty.conftest import enrol, make_location

pytestmark = pytest.mark.django_db

ADA = {"email": "ada@example.com", "name": "Ada Lovelace", "phone": "+44 20 7946 0000"}


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


def test_the_bonus_is_an_earn_award_without_a_location(api):
    post(api, ADA)
    bonus = PointTransaction.objects.get()
    assert (bonus.type, bonus.points, bonus.order_total, bonus.location) == ("earn", 100, None, None)
    assert "bonus" in bonus.description.lower()
    assert bonus.customer == Member.objects.get()


@pytest.mark.parametrize(("sent", "agreed"), [({}, False), ({"offers": False}, False), ({"offers": True}, True)])
def test_a_member_may_agree_to_offers(api, sent, agreed):
    assert post(api, ADA | sent).status_code == 201
    member = Member.objects.get()
    assert member.offers_agreed_at == (member.created_at if agreed else None)


def test_on_the_page_nobody_has_agreed_beforehand(api):
    page = api.get("/signup", headers={"accept": "text/html"}).content.decode()
    assert '<input type="checkbox" name="offers" value="yes">' in page
    form = {"name": "Ada", "email": "no address", "offers": "yes"}
    refused = api.post("/members", form, headers={"accept": "text/html"})
    assert '<input type="checkbox" name="offers" value="yes" checked>' in refused.content.decode()
    api.post("/members", form | {"email": "ada@example.com"}, headers={"accept": "text/html"})
    assert Member.objects.get().offers_agreed_at is not None


@pytest.mark.parametrize("phone", [{}, {"phone": ""}, {"phone": None}])
def test_the_phone_is_optional(api, phone):
    assert post(api, {"email": "ada@example.com", "name": "Ada", **phone}).status_code == 201
    assert Member.objects.get().phone == ""


@pytest.mark.parametrize("email", ["ada@example.com", "ADA@Example.com", "  ada@example.com "])
def test_a_second_card_for_one_address_is_409_whatever_its_case(api, email):
    post(api, ADA)
    response = post(api, {"email": email, "name": "Someone else"})
    assert (response.status_code, set(response.json())) == (409, {"error"})
    assert (Member.objects.count(), PointTransaction.objects.count(), Code.objects.count()) == (1, 1, 1)
    assert "member" not in response.cookies


def test_letters_that_are_one_in_lower_case_alone_are_the_same_address_too(api):
    post(api, {**ADA, "email": "ada@kings.example"})
    assert post(api, {**ADA, "email": "ada@\N{KELVIN SIGN}ings.example"}).status_code == 409
    assert Member.objects.count() == 1


@pytest.mark.parametrize(("field", "value"), [
    ("email", None), ("email", ""), ("email", "ada"), ("email", "ada@"), ("email", 7), ("email", ["ada@example.com"]),
    ("email", "a@b.example\0"), ("email", f"{'a' * 250}@example.com"), ("email", "\ud800@example.com"),
    ("name", None), ("name", ""), ("name", "   "), ("name", 7), ("name", {}), ("name", True), ("name", "x" * 256),
    ("name", "a\0b"), ("name", "\udfff"), ("phone", 44), ("phone", "1" * 51), ("phone", []),
])  # fmt: skip
def test_a_wrong_body_is_400_names_the_field_and_stores_nothing(api, field, value):
    response = api.post("/members", json.dumps({**ADA, field: value}), content_type="application/json")
    assert response.status_code == 400
    assert set(response.json()["fields"]) == {field}
    assert field in response.json()["error"]
    assert not Member.objects.exists()
    assert not Code.objects.exists()


@pytest.mark.parametrize("field", ["email", "name"])
def test_a_missing_field_is_400_and_named(api, field):
    response = post(api, {name: value for name, value in ADA.items() if name != field})
    assert (response.status_code, set(response.json()["fields"])) == (400, {field})


@pytest.mark.parametrize("text", ["", "{", "[]", '"ada"', "null", "7", "[" * 100_000])
def test_what_is_no_object_is_400_with_a_sentence(api, text):
    response = api.post("/members", text, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["error"]


def test_unknown_fields_are_ignored_and_give_nothing(api):
    post(api, {**ADA, "points_balance": 10_000, "tier": "platinum", "id": str(uuid.uuid4())})
    member = Member.objects.get()
    assert (member.points_balance, member.tier) == (100, "bronze")


def test_the_longest_texts_fit(api):
    email = f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.example"
    body = {"email": email, "name": "\N{GRINNING FACE}" * 255, "phone": "1" * 50}
    assert post(api, body).status_code == 201
    assert Member.objects.get().name == body["name"]


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


@pytest.mark.parametrize("query", ["", "?location=", "?location=nowhere", f"?location={unknown_id()}"])
def test_the_sign_up_works_without_a_known_location(api, query):
    assert api.get(f"/signup{query}").json() == {"location": None, "signupBonus": 100}


def test_a_member_s_phone_goes_on_to_check_in():
    phone, member = enrol()
    location = make_location()
    response = phone.get(f"/signup?location={location.pk}")
    assert (response.status_code, response["Location"]) == (302, f"/checkin/{location.pk}?member={member.pk}")
    assert phone.get(response["Location"]).json()["customerId"] == str(member.pk)


def test_without_a_location_it_goes_to_the_card():
    phone, member = enrol()
    assert phone.get("/signup")["Location"] == f"/member/{member.pk}"


@pytest.mark.parametrize("spoil", [lambda text: text[:-1] + "~", lambda text: "nonsense", lambda text: ""])
def test_a_spoilt_cookie_is_no_cookie(spoil):
    phone, _member = enrol()
    phone.cookies["member"] = spoil(phone.cookies["member"].value)
    assert phone.get("/signup").status_code == 200


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
