"""Input that no well-meaning program sends: a 4xx with a sentence, and nothing is stored."""

import json
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from loyalty.models import Location, Member, PointTransaction, Redemption, Reward

pytestmark = pytest.mark.django_db

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
LONE_SURROGATE = "\ud800"


@pytest.fixture
def location():
    return Location.objects.create(name="Corner")


@pytest.fixture
def member():
    return Member.objects.create(email="rosa@example.com", name="Rosa", points_balance=500)


@pytest.fixture
def reward():
    return Reward.objects.create(name="Espresso", points_required=100)


@pytest.fixture
def redemption(member, reward):
    tomorrow = timezone.now() + timedelta(days=1)
    return Redemption.objects.create(
        customer=member, reward=reward, points_spent=100, redemption_code="RWD-ABC123", expires_at=tomorrow
    )


@pytest.fixture
def endpoint(request, location, member, reward, redemption) -> tuple[str, dict]:
    """The path of one that reads a body, and a good body."""
    customer = {"customerId": str(member.pk)}
    return {
        "enrol": ("/members", {"email": "new@example.com", "name": "New", "phone": "1"}),
        "earn": ("/earn", {**customer, "locationId": str(location.pk), "orderTotal": 12, "staffId": "till 1"}),
        "redeem": (f"/rewards/{reward.pk}/redeem", customer),
        "confirm": ("/use/RWD-ABC123/confirm", {"staffId": "till 1", "locationId": str(location.pk)}),
        "link": ("/member-sign-in", {"email": "rosa@example.com"}),
    }[request.param]


every_endpoint = pytest.mark.parametrize("endpoint", ["enrol", "earn", "redeem", "confirm", "link"], indirect=True)


def refused(response, *statuses: int) -> str:
    """The sentence of an response that has one of these statuses; and nothing has happened."""
    assert response.status_code in statuses, (response.status_code, response.content[:300])
    assert response["Content-Type"] == JSON
    sentence = response.json()["error"]
    assert sentence.strip()
    assert Member.objects.get().points_balance == 500
    assert Redemption.objects.get().status == Redemption.Status.ACTIVE
    assert not PointTransaction.objects.exists()
    assert not mail.outbox
    return sentence


@every_endpoint
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"text"', 400),
        (b"7", 400),
        (b"\0", 400),
        (b"\xff\xfe", 400),
        (b'{"email": "\xff"}', 400),
        ('{"email": 1}'.encode("utf-16"), 400),
        (b'{"orderTotal": NaN}', 400),
        (b'{"orderTotal": ' + b"9" * 5000 + b"}", 400),
        (b"[" * 100_000, 400),
        (b" " * 10_000_000, 413),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_body_that_is_no_object(cashier, endpoint, body, status):
    sentence = refused(cashier.generic("POST", endpoint[0], body, content_type=JSON), status)
    assert "codec" not in sentence
    assert "sys." not in sentence


def test_truncated_json_is_refused_with_its_place(api):
    response = api.generic("POST", "/members", b'{"email":\n "x', content_type=JSON)
    assert response.json() == {"error": "The body is not JSON: see line 2, column 2."}


@every_endpoint
@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("text/plain", 415),
        ("application/xml", 415),
        ("application/merge-patch+json", 415),
        ("nonsense", 415),
        (f"{JSON}; charset=base64", 400),
        (f"{FORM}; charset=rot13", 400),
        ("multipart/form-data", 400),
    ],
)
def test_a_kind_of_content_that_is_not_read(cashier, endpoint, kind, status):
    path, body = endpoint
    refused(cashier.generic("POST", path, json.dumps(body), content_type=kind), status)


@every_endpoint
@pytest.mark.parametrize(
    "value",
    [True, 7, 1.5, [], {}, ["x"], {"$ne": ""}, "a\0b", LONE_SURROGATE, "x" * 5000],
    ids=lambda value: ascii(value)[:16],
)
def test_a_field_that_is_no_text_that_can_be_stored(cashier, endpoint, value):
    path, body = endpoint
    for name in body.keys() - {"orderTotal"}:
        response = cashier.generic("POST", path, json.dumps({**body, name: value}), content_type=JSON)
        assert name in refused(response, 400)


@pytest.mark.parametrize("endpoint", ["earn"], indirect=True)
@pytest.mark.parametrize(
    "total", [None, True, "12", "", [], 0, -1, 0.001, 99_999_999.995, 1e308, -1e308, 10**400], ids=lambda x: str(x)[:12]
)
def test_an_amount_that_no_guest_pays(cashier, endpoint, total):
    path, body = endpoint
    response = cashier.generic("POST", path, json.dumps({**body, "orderTotal": total}), content_type=JSON)
    assert "orderTotal" in refused(response, 400)


@pytest.mark.parametrize("endpoint", ["earn"], indirect=True)
@pytest.mark.parametrize("total", ["1.000,00", "1,000.00", "1e3", "12 €", "-1", "³", "NaN", "+1", "0", ""])
def test_an_amount_that_was_typed_wrong(cashier, endpoint, total):
    path, body = endpoint
    assert "orderTotal" in refused(cashier.post(path, {**body, "orderTotal": total}), 400)


@pytest.mark.parametrize("endpoint", ["earn", "redeem"], indirect=True)
@pytest.mark.parametrize("spelling", ["{%s}", "urn:uuid:%s", "%s\n\0", "%s-", " ", "00000000000000000000000000000000"])
def test_an_id_in_another_spelling(cashier, endpoint, member, spelling):
    path, body = endpoint
    spelt = spelling.replace("%s", str(member.pk))
    assert "customerId" in refused(cashier.post(path, {**body, "customerId": spelt}, format="json"), 400)


@pytest.mark.parametrize("endpoint", ["earn", "redeem"], indirect=True)
@pytest.mark.parametrize("key", ["x" * 101, "a\0b"])
def test_an_idempotency_key_that_can_t_be_stored(cashier, endpoint, key):
    path, body = endpoint
    assert "Idempotency-Key" in refused(cashier.post(path, body, format="json", headers={"Idempotency-Key": key}), 400)


@pytest.mark.parametrize("endpoint", ["earn", "redeem"], indirect=True)
@pytest.mark.parametrize("key", ["x" * 100, "\x7f\t", "ÿ", "%00", '"', "'; --"])
def test_any_other_idempotency_key_is_accepted(cashier, endpoint, key):
    path, body = endpoint
    responses = [cashier.post(path, body, format="json", headers={"Idempotency-Key": key}) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].json() == responses[1].json()
    assert PointTransaction.objects.count() == 1


@pytest.mark.parametrize("endpoint", ["enrol", "link"], indirect=True)
@pytest.mark.parametrize(
    "email",
    [
        "new@example.com\r\nBcc: other@example.com",
        "new@example.com, other@example.com",
        "New <new@example.com>",
        "new@other@example.com",
        '"new guest"@example.com',
        '"new\x01"@example.com',
        "new@example.com\u200b",
        "new@exam\u2028ple.com",
        f"new@{'ä' * 63}.com",
        "new@\u05d0a.com",
        "né@example.com",
        "new@example",
        "new@-example.com",
        "n" * 250 + "@example.com",
        "@",
    ],
    ids=ascii,
)
def test_an_address_that_no_mail_could_reach(api, endpoint, email):
    path, body = endpoint
    assert "email" in refused(api.post(path, {**body, "email": email}, format="json"), 400)


@pytest.mark.parametrize("email", ["o'brien+a@example.com", "new@exämple.com", "new@例え.テスト", '"a,b"@example.com'])
def test_an_odd_address_that_mail_can_reach_is_taken(api, email):
    assert api.post("/members", {"email": email, "name": "New"}, format="json").status_code == 201
    assert api.post("/member-sign-in", {"email": email}, format="json").status_code == 202
    assert mail.outbox[0].to == [email]


@pytest.mark.parametrize("part", ["%00", "%FF", "%ED%A0%80", "%0A", "%7B%7D", "x" * 5000, "%F0%9F%98%80", "..%5C"])
@pytest.mark.parametrize(
    "path", ["/checkin/{}", "/member/{}", "/use/{}", "/confirmations/{}", "/rewards?customerId={}"]
)
def test_an_id_in_an_address_that_can_t_be_one(cashier, redemption, path, part):
    refused(cashier.get(path.replace("{}", part)), 404)


@pytest.mark.parametrize(
    "text", ["%00", "%FF", "%ED%A0%80", "_", "%25", "%5C", "%F0%9F%98%80", "x" * 5000, "http://%5B"]
)
def test_what_is_typed_into_the_search_is_only_searched_for(cashier, member, text):
    response = cashier.get(f"/till?q={text}")
    assert (response.status_code, response.json()["members"]) == (200, [])


def test_of_a_parameter_given_twice_the_last_counts(api, member):
    response = api.get(f"/rewards?customerId=x&customerId={member.pk}")
    assert response.json()["pointsBalance"] == 500
    assert api.get(f"/rewards?customerId={member.pk}&customerId=").status_code == 400


def test_more_fields_than_any_form_has(api, redemption):
    refused(api.generic("POST", "/members", "&".join(["a=1"] * 2000), content_type=FORM), 400)


@pytest.mark.parametrize("cookie", ["x", "", "a:b:c", "\0", "é", "x" * 5000])
def test_a_member_s_cookie_that_we_did_not_write(api, redemption, member, reward, cookie):
    headers = {"Cookie": f"member={cookie}; staff_session={cookie}"}
    path, body = f"/rewards/{reward.pk}/redeem", {"customerId": str(member.pk)}
    refused(api.post(path, body, format="json", headers=headers), 401)
    assert api.get(f"/member/{member.pk}", headers=headers).json()["viewer"] == "guest"
