"""Limits of how often one address may call what is public."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from tests.conftest import make_user, unknown_id
from tests.loyalty.making import with_token
from web.models import Permits

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.1"}


def is_limited(response, *, within: int) -> bool:
    if response.status_code != 429:
        return False
    assert set(response.json()) == {"error"}
    assert 0 < int(response["Retry-After"]) <= within
    return True


@pytest.fixture
def limits(settings):
    """`limits(enrolment="3/hour")` changes these."""

    def change(**rates: str) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, **rates}

    return change


def test_the_limits_are_those_of_the_documentation(settings):
    documented = {
        "public": "600/min", "enrolment": "120/hour", "enrolment_by_staff": "1200/hour", "sign_in_link": "5/hour",
        "sign_in_links_of_address": "120/hour", "wrong_code": "60/hour",
    }  # fmt: skip
    assert {scope: settings.RATE_LIMITS[scope] for scope in documented} == documented


def test_enrolments_are_counted_by_address_whether_they_are_refused_or_not(api, limits):
    limits(enrolment="3/hour")
    bodies = [{"email": "not an address"}, {"email": "m@example.com", "name": "M"}, {"email": "not an address"}]
    assert [api.post("/members", body, format="json").status_code for body in bodies] == [400, 201, 400]
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


def test_staff_are_counted_by_person_and_not_with_the_guests_of_their_address(api, till, limits):
    clients = (api, till, with_token(make_user("Managers")), APIClient())

    def allowed(client: APIClient, path: str, body: dict | None) -> int:
        responses = [client.get(path) if body is None else client.post(path, body, format="json") for _ in range(6)]
        return sum(response.status_code != 429 for response in responses)

    limits(enrolment_by_staff="5/day", sign_in_link="1000/day", **{scope: "2/day" for scope, *_ in BY_ADDRESS})
    for scope, path, body in BY_ADDRESS:
        of_staff = 5 if scope == "enrolment" else 2
        assert [allowed(client, path, body) for client in clients] == [2, of_staff, of_staff, 0], scope


def test_public_reads_are_counted_together_whatever_is_read(api, clock, limits):
    clock(datetime(2026, 11, 20, 19, 30, 5, tzinfo=UTC))  # on a busy machine they take longer than a minute
    limits(public="12/min")
    member, location = unknown_id(), unknown_id()
    reads = [
        "/signup", f"/member/{member}", f"/checkin/{location}", f"/rewards?customerId={member}", "/member-sign-in",
        "/member-sign-in/nonsense",
    ]  # fmt: skip
    for path in [*reads, *reads]:
        assert api.get(path).status_code in {200, 404, 410}
    assert [is_limited(api.get(path), within=60) for path in reads] == [True] * len(reads)
    assert is_limited(api.post(f"/rewards/{member}/redeem", {}, format="json"), within=60)
    assert APIClient(**ELSEWHERE).get("/signup").status_code == 200


def test_a_forwarded_address_of_a_stranger_is_not_believed(api, limits):
    limits(enrolment="2/hour")
    responses = [
        api.post("/members", {}, format="json", headers={"X-Forwarded-For": f"198.51.100.{number}"})
        for number in range(3)
    ]
    assert [is_limited(response, within=3600) for response in responses] == [False, False, True]


def test_the_till_has_no_limit(till, settings):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "2/hour")
    assert [till.post("/earn", {}, format="json").status_code for _ in range(5)] == [400] * 5


def test_a_network_of_ipv6_is_counted_as_one_address(limits):
    limits(enrolment="3/hour")

    def status(address: str) -> int:
        return APIClient(REMOTE_ADDR=address).post("/members", {}, format="json").status_code

    assert [status(f"2001:db8:7:8:{number:x}::1") for number in range(3)] == [400] * 3
    assert [status(address) for address in ("2001:db8:7:8::", "2001:db8:7:9::1", "192.0.2.1")] == [429, 400, 400]


def test_sign_in_links_are_counted_by_address_as_well(api, limits):
    limits(sign_in_links_of_address="3/hour")
    for number in range(3):
        assert api.post("/member-sign-in", {"email": f"eve{number}@example.com"}, format="json").status_code == 202
    late = {"email": "late@example.com"}
    assert is_limited(api.post("/member-sign-in", late, format="json"), within=3600)
    assert APIClient(**ELSEWHERE).post("/member-sign-in", late, format="json").status_code == 202
    assert api.get("/member-sign-in").status_code == 200
    # A refused request is not counted for its mailbox: nobody fills the table.
    assert Permits.objects.filter(key__startswith="sign_in_link:").count() == 4
