"""How often one address may call what is public."""

import pytest
from rest_framework.test import APIClient

from tests.conftest import unknown_id

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


def test_six_hundred_public_reads_a_minute_whatever_is_read(api):
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
