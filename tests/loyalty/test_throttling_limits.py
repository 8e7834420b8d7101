"""How often one address may call what is public."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from tests.conftest import make_user, unknown_id
from tests.loyalty.conftest import with_token
from web.models import Permits

pytestmark = pytest.mark.django_db

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.1"}


def is_limited(response, *, within: int) -> bool:
    if response.status_code != 429:
        return False
    assert set(response.json()) == {"error"}
    assert 0 < int(response["Retry-After"]) <= within
    return True


def test_a_hundred_and_twenty_enrolments_an_hour(api):
    for number in range(120):
        body = {"email": "not an address"} if number % 10 else {"email": f"m{number}@example.com", "name": "M"}
        assert api.post("/members", body, format="json").status_code == (400 if number % 10 else 201)
    body = {"email": "late@example.com", "name": "Late"}
    assert is_limited(api.post("/members", body, format="json"), within=3600)
    assert APIClient(**ELSEWHERE).post("/members", body, format="json").status_code == 201
    assert APIClient().get("/signup").status_code == 200


# What counts by address, and would use up what the guests of the same address have.
BY_ADDRESS = [
    ("enrolment", "/members", {}),
    ("public", "/member-sign-in/nonsense", None),
    ("sign_in_links_of_address", "/member-sign-in", {"email": "eve@example.com"}),
    ("order", "/table/7/order", {"items": []}),
    ("sold_out", "/table/7/sold-out", None),
]


@pytest.mark.parametrize(("scope", "path", "body"), BY_ADDRESS)
def test_staff_are_counted_by_person_and_not_with_the_guests_of_their_address(api, till, settings, scope, path, body):
    limits = {scope: "2/day", "enrolment_by_staff": "5/day", "sign_in_link": "1000/day"}
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, **limits}

    def allowed(client: APIClient) -> int:
        responses = [client.get(path) if body is None else client.post(path, body, format="json") for _ in range(6)]
        return sum(response.status_code != 429 for response in responses)

    of_staff = 5 if scope == "enrolment" else 2
    clients = (api, till, with_token(make_user("Managers")), APIClient())
    assert [allowed(each) for each in clients] == [2, of_staff, of_staff, 0]


def test_six_hundred_public_reads_a_minute_whatever_is_read(api, clock):
    clock(datetime(2026, 11, 20, 19, 30, 5, tzinfo=UTC))  # on a busy machine they take longer than a minute
    member, location = unknown_id(), unknown_id()
    reads = [
        "/signup", f"/member/{member}", f"/checkin/{location}", f"/rewards?customerId={member}", "/member-sign-in",
        "/member-sign-in/nonsense",
    ]  # fmt: skip
    for number in range(600):
        assert api.get(reads[number % len(reads)]).status_code in {200, 404, 410}
    assert [is_limited(api.get(path), within=60) for path in reads] == [True] * len(reads)
    assert is_limited(api.post(f"/rewards/{member}/redeem", {}, format="json"), within=60)
    assert APIClient(**ELSEWHERE).get("/signup").status_code == 200


def test_a_forwarded_address_of_a_stranger_is_not_believed(api):
    for number in range(120):
        api.post("/members", {}, format="json", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    response = api.post("/members", {}, format="json", headers={"X-Forwarded-For": "198.51.100.200"})
    assert is_limited(response, within=3600)


def test_the_till_has_no_limit(till):
    for _ in range(130):
        assert till.post("/earn", {}, format="json").status_code == 400


def test_a_network_of_ipv6_is_counted_as_one_address(api):
    for number in range(120):
        client = APIClient(REMOTE_ADDR=f"2001:db8:7:8:{number:x}::1")
        assert client.post("/members", {}, format="json").status_code == 400
    assert is_limited(APIClient(REMOTE_ADDR="2001:db8:7:8::").post("/members", {}, format="json"), within=3600)
    assert APIClient(REMOTE_ADDR="2001:db8:7:9::1").post("/members", {}, format="json").status_code == 400
    assert APIClient(REMOTE_ADDR="192.0.2.1").post("/members", {}, format="json").status_code == 400


def test_a_hundred_and_twenty_sign_in_links_an_hour_for_one_address(api):
    for number in range(120):
        assert api.post("/member-sign-in", {"email": f"eve{number}@example.com"}, format="json").status_code == 202
    late = {"email": "late@example.com"}
    assert is_limited(api.post("/member-sign-in", late, format="json"), within=3600)
    assert APIClient(**ELSEWHERE).post("/member-sign-in", late, format="json").status_code == 202
    assert api.get("/member-sign-in").status_code == 200
    assert not Permits.objects.filter(key__startswith="sign_in_link:").count() > 121
