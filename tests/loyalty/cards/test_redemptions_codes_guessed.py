"""Whoever tries codes that don't exist is stopped, before a guess can hit; right codes are not counted."""

import pytest
from rest_framework.test import APIClient

from loyalty.models import Redemption
from tests.conftest import PAGE, make_user
from tests.loyalty.making import make_location, make_member, make_reward, redeem, with_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


@pytest.fixture
def code(till, member) -> str:
    return redeem(till, make_member(), make_reward()).json()["redemptionCode"]


@pytest.fixture
def three_an_hour(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "wrong_code": "3/hour"}


def validate(till: APIClient, code: str) -> int:
    return till.get(f"/use/{code}").status_code


def confirm(till: APIClient, code: str, **body) -> int:
    return till.post(f"/use/{code}/confirm", body, format="json").status_code


def test_wrong_codes_are_counted_for_each_user(till, code, three_an_hour):
    assert [validate(till, f"RWD-{number:06}") for number in range(4)] == [404] * 3 + [429]
    response = till.get(f"/use/{code}")
    assert (response.status_code, set(response.json())) == (429, {"error"})
    assert 0 < int(response["Retry-After"]) <= 3600
    assert validate(with_token(make_user("Cashiers", "cem")), code) == 200


def test_validating_and_confirming_are_counted_together(till, code, three_an_hour):
    assert [validate(till, "RWD-000001"), confirm(till, "RWD-000002"), validate(till, "nonsense")] == [404] * 3
    assert [validate(till, code), confirm(till, code)] == [429, 429]
    assert Redemption.objects.get().status == Redemption.Status.ACTIVE


def test_right_codes_are_not_counted_whatever_their_state(till, code, three_an_hour):
    location = str(make_location().pk)
    for _ in range(5):
        assert validate(till, code) == 200
    assert [confirm(till, code, locationId=location) for _ in range(5)] == [200] * 5
    assert [validate(till, code) for _ in range(5)] == [400] * 5
    assert [confirm(till, code, locationId=str(make_member().pk)) for _ in range(5)] == [404] * 5
    assert validate(till, "RWD-000001") == 404


def test_a_browser_gets_a_page(till, three_an_hour):
    for _ in range(3):
        validate(till, "RWD-000001")
    response = till.get("/use/RWD-000001", headers={"accept": PAGE})
    assert response.status_code == 429
    assert b"Too many tries" in response.content
