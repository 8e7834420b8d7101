"""Requests that no well-meaning program sends: a 4xx with a sentence, and nothing is stored."""

import json

import pytest
from django.core import mail
from django.urls import URLPattern

from loyalty.models import Member, PointTransaction, Redemption
from loyalty.urls import urlpatterns
from qrservice.models import Code
from tests.conftest import unknown_id
from tests.loyalty.admin.pages import make_redemption
from tests.loyalty.making import enrol, make_reward

pytestmark = pytest.mark.django_db

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
NO_OBJECTS = [
    b"", b"{", b"null", b'"text"', b"7", b"\0", b"\xff\xfe", b'{"email": "\xff"}', '{"email": 1}'.encode("utf-16"),
    b'{"orderTotal": NaN}', b'{"orderTotal": Infinity}', b'{"orderTotal": 1.}', b'{"orderTotal": 01}',
    b'{"orderTotal": 0x10}', b'{"orderTotal": }', b'{"orderTotal": ' + b"9" * 5000 + b"}", b"[" * 100_000, b"[]",
]  # fmt: skip
NOT_READ = {
    "text/plain": 415,
    "application/xml": 415,
    "application/merge-patch+json": 415,
    "nonsense": 415,
    f"{JSON}; charset=base64": 400,
    f"{FORM}; charset=rot13": 400,
    "multipart/form-data": 400,
}
# What stands in an address, and is the id of nothing.
NOTHINGS = [unknown_id(), "nobody", "0" * 32, "%00"]
ODDER = [
    f"{unknown_id()}x", "1", "%20", "%FF", "%ED%A0%80", "%0A", "%7B%7D", "é", "x" * 5000, "%F0%9F%98%80", "..%5C",
    "' OR 1=1", "RWD-000000", "RWD-AB CDEF",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "100000/min")


def everything() -> tuple:
    """Return all that no refused call may change."""
    rows = [list(model.objects.order_by("pk").values()) for model in (Member, PointTransaction, Redemption)]
    return *rows, Code.objects.count(), len(mail.outbox)


def test_a_body_that_is_no_object_or_in_no_format_that_is_read(cashier, location):
    phone, member = enrol()
    redemption = make_redemption(member, make_reward())
    body = {"customerId": str(member.pk), "locationId": str(location.pk), "orderTotal": 12}
    body |= {"email": "new@example.com", "name": "New"}  # good for any of them
    calls = [
        (phone, "/members"), (phone, "/member-sign-in"), (phone, f"/member/{member.pk}/account"),
        (phone, f"/member/{member.pk}/email"), (cashier, "/earn"), (cashier, f"/rewards/{redemption.reward_id}/redeem"),
        (cashier, f"/use/{redemption.redemption_code}/confirm"),
    ]  # fmt: skip
    odd = [(json.dumps(body).encode(), kind, status) for kind, status in NOT_READ.items()]
    odd += [(content, JSON, 400) for content in NO_OBJECTS]
    before, wrong = everything(), []
    for client, path in calls:
        for content, kind, status in odd if path in {"/members", "/earn"} else [odd[0], odd[-1]]:
            response = client.generic("POST", path, content, content_type=kind)
            sentence = response.json().get("error", "")
            if response.status_code != status or not sentence.strip() or "codec" in sentence or "sys." in sentence:
                wrong.append((path, content[:40], kind, response.status_code, sentence))
    assert wrong == []
    assert cashier.generic("POST", "/earn", b" " * 10_000_000, content_type=JSON).status_code == 413
    assert cashier.generic("POST", "/members", "&".join(["a=1"] * 2000), content_type=FORM).status_code == 400
    assert everything() == before


def test_truncated_json_is_refused_with_its_place(api):
    response = api.generic("POST", "/members", b'{"email":\n "x', content_type=JSON)
    assert response.json() == {"error": "The body is not JSON: see line 2, column 2."}


def calls_with(pattern: URLPattern) -> list[tuple[str, str]]:
    """Methods and addresses of one that names something, with {} in place of its id."""
    route, _bracket, rest = str(pattern.pattern).partition("<")
    view = pattern.callback.view_class
    return [(method, f"/{route}{{}}{rest.partition('>')[2]}") for method in ("get", "post") if method in vars(view)]


def what_nothing_finds(clients: list, calls: list[tuple[str, str]], nothings: list[str], body: dict) -> list[tuple]:
    """Return the calls whose response is not that there is no such thing."""
    wrong = []
    for method, address in calls:
        expected = 410 if address.startswith(("/member-sign-in/", "/member-email/")) else 404
        for nothing in nothings:
            for client in clients:  # the next one wherever the first may not: an account is the member's own
                path = address.replace("{}", nothing)
                sent = {} if "?" in path else body
                response = getattr(client, method)(path, sent, **({"format": "json"} if method == "post" else {}))
                if response.status_code not in {401, 403}:
                    break
            if (response.status_code, response["Content-Type"], set(response.json())) != (expected, JSON, {"error"}):
                wrong.append((method, path[:80], response.status_code, response.content[:80]))
    return wrong


@pytest.mark.slow
def test_no_address_with_the_id_of_nothing_finds_anything(program, location):
    phone, member = enrol()
    make_redemption(member, make_reward())
    calls = [call for pattern in urlpatterns if "<" in str(pattern.pattern) for call in calls_with(pattern)]
    assert len(calls) > 20
    named = [("get", "/rewards?customerId={}"), ("get", f"/checkin/{location.pk}?member={{}}")]
    named += [("get", f"/checkin/{{}}?member={member.pk}"), ("get", "/member/{}"), ("get", "/use/{}")]
    body = {"customerId": str(member.pk)}
    before = everything()
    assert what_nothing_finds([program, phone], [*calls, *named[:3]], NOTHINGS, body) == []
    assert what_nothing_finds([program], named, ODDER, body) == []
    assert everything() == before


def test_of_a_parameter_given_twice_the_last_counts(api, member):
    response = api.get(f"/rewards?customerId=x&customerId={member.pk}")
    assert response.json()["pointsBalance"] == 100
    assert api.get(f"/rewards?customerId={member.pk}&customerId=").status_code == 400


def test_a_member_s_cookie_that_we_did_not_write(api, reward):
    _phone, member = enrol()
    before = everything()
    for cookie in ("x", "", "a:b:c", "::", "\0", "é", "x" * 5000, str(member.pk), f"{member.pk}:1abcde:forged"):
        headers = {"Cookie": f"member={cookie}; staff_session={cookie}"}
        path, body = f"/rewards/{reward.pk}/redeem", {"customerId": str(member.pk)}
        assert api.post(path, body, format="json", headers=headers).status_code == 401, cookie
        assert api.get(f"/member/{member.pk}", headers=headers).json()["viewer"] == "guest", cookie
        assert api.get("/signup", headers=headers).status_code == 200, cookie
    assert everything() == before
