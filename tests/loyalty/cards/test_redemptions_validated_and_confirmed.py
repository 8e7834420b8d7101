"""GET /use/{code} and POST /use/{code}/confirm."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from loyalty.errors import RedemptionExpired
from loyalty.members.queries import local_text
from loyalty.models import Confirmation, PointTransaction, Redemption
from loyalty.rewards.queries.redemptions import valid_redemption
from tests.conftest import undone, unknown_id
from tests.loyalty.making import change, make_member, make_reward, redeem

pytestmark = pytest.mark.django_db


@pytest.fixture
def redemption(till):
    reward = make_reward("Tenth off", reward_type="discount", reward_value={"discount_percent": 10})
    response = redeem(till, make_member(lifetime=1000), reward)
    return Redemption.objects.get(redemption_code=response.json()["redemptionCode"])


def use(client, code):
    return client.get(f"/use/{code}")


def confirm(client, code, **body):
    return client.post(f"/use/{code}/confirm", body, format="json")


# --- is it valid? ---------------------------------------------------------------------------------


def test_a_valid_code_says_what_it_is_for_and_whose(till, redemption):
    response = use(till, redemption.redemption_code)
    assert response.status_code == 200
    label = response.json()["actions"][0]["label"]
    assert label
    assert response.json() == {
        "valid": True,
        "redemption": {
            "code": redemption.redemption_code, "reward": "Tenth off", "value": {"discount_percent": 10},
            "customer": "Ada Lovelace", "tier": "silver",
        },
        "actions": [{"action": "confirm", "label": label}],
    }  # fmt: skip
    assert use(till, redemption.redemption_code).json() == response.json()


def test_case_and_surrounding_space_do_not_matter(till, redemption, subtests):
    for write in [
    str.lower, lambda code: f"%20{code}%20", lambda code: f"%09{code.lower()}", lambda code: f"{code}%C2%A0",
]:  # fmt: skip
        with subtests.test(write=write), undone():
            code = write(redemption.redemption_code)
            assert use(till, code).json()["redemption"]["code"] == redemption.redemption_code
            assert confirm(till, code).status_code == 200


def test_a_used_code_is_400_and_says_when(till, redemption):
    confirm(till, redemption.redemption_code)
    response = use(till, redemption.redemption_code)
    assert response.status_code == 400
    assert set(response.json()) == {"error", "usedAt"}
    assert response.json()["usedAt"].endswith("Z")
    redemption.refresh_from_db()
    assert datetime.fromisoformat(response.json()["usedAt"]) == redemption.used_at


def test_an_expired_code_is_400_and_its_stored_status_stays(till, redemption):
    change(redemption, expires_at=timezone.now() - timedelta(microseconds=1))
    response = use(till, redemption.redemption_code)
    assert (response.status_code, set(response.json())) == (400, {"error"})
    redemption.refresh_from_db()
    assert redemption.status == "active"


def test_a_code_that_is_stored_as_expired_is_400_whatever_its_time(till, redemption):
    change(redemption, status="expired")
    response = use(till, redemption.redemption_code)
    assert (response.status_code, set(response.json())) == (400, {"error"})


def test_a_code_is_valid_up_to_the_very_moment_and_not_after_it(redemption):
    code, expires_at = redemption.redemption_code, redemption.expires_at
    assert valid_redemption(code, now=expires_at) == redemption
    with pytest.raises(RedemptionExpired):
        valid_redemption(code, now=expires_at + timedelta(microseconds=1))


def test_used_comes_before_expired(till, redemption):
    confirm(till, redemption.redemption_code)
    change(redemption, expires_at=timezone.now() - timedelta(days=1))
    assert "usedAt" in use(till, redemption.redemption_code).json()


# --- confirming -----------------------------------------------------------------------------------


def test_confirming_marks_it_used_and_leaves_a_row(till, redemption, location):
    now = timezone.now()
    response = confirm(till, redemption.redemption_code, staffId="till 3", locationId=str(location.pk))
    assert response.status_code == 200
    assert set(response.json()) == {"success", "message"}
    assert response.json()["success"] is True
    assert "Tenth off" in response.json()["message"]
    assert "Attention" not in response.json()["message"]
    redemption.refresh_from_db()
    row = Confirmation.objects.get()
    assert redemption.status == "used"
    assert now < redemption.used_at == row.created_at
    assert (row.redemption, row.staff_id, row.location, row.found) == (redemption, "till 3", location, "active")
    assert row.message == response.json()["message"]


def test_confirming_moves_no_points(till, redemption):
    before = list(PointTransaction.objects.order_by("pk").values())
    confirm(till, redemption.redemption_code)
    assert list(PointTransaction.objects.order_by("pk").values()) == before


def test_staff_and_location_are_optional(till, redemption, subtests):
    for body in [{}, {"staffId": "", "locationId": ""}, {"staffId": None, "locationId": None}]:
        with subtests.test(body=body), undone():
            assert confirm(till, redemption.redemption_code, **body).status_code == 200
            row = Confirmation.objects.get()
            assert (row.staff_id, row.location) == ("carla", None)


def test_even_a_body_is_optional(till, redemption):
    assert till.post(f"/use/{redemption.redemption_code}/confirm").status_code == 200


def test_a_code_that_was_used_is_confirmed_again_with_a_warning(till, redemption):
    confirm(till, redemption.redemption_code)
    redemption.refresh_from_db()
    first = redemption.used_at
    response = confirm(till, redemption.redemption_code, staffId="till 4")
    assert (response.status_code, response.json()["success"]) == (200, True)
    assert response.json()["message"].startswith("Attention")
    assert "already used" in response.json()["message"]
    assert local_text(first) in response.json()["message"]
    redemption.refresh_from_db()
    assert redemption.used_at > first
    assert [(row.staff_id, row.found) for row in Confirmation.objects.all()] == [
        ("carla", "active"),
        ("till 4", "used"),
    ]


def test_a_code_that_had_expired_is_confirmed_with_a_warning(till, redemption, subtests):
    for values in [{"status": "expired"}, {"status": "active"}]:
        with subtests.test(values=values), undone():
            change(redemption, expires_at=timezone.now() - timedelta(days=1), **values)
            response = confirm(till, redemption.redemption_code)
            assert response.status_code == 200
            assert response.json()["message"].startswith("Attention")
            assert "expired" in response.json()["message"]
            assert local_text(redemption.expires_at) in response.json()["message"]
            redemption.refresh_from_db()
            assert (redemption.status, Confirmation.objects.get().found) == ("used", "expired")


def test_an_unknown_location_is_404_and_nothing_is_confirmed(till, redemption):
    response = confirm(till, redemption.redemption_code, locationId=unknown_id())
    assert (response.status_code, set(response.json())) == (404, {"error"})
    redemption.refresh_from_db()
    assert redemption.status == "active"
    assert not Confirmation.objects.exists()


# --- what staff see afterwards --------------------------------------------------------------------


def test_a_confirmation_can_be_read(till, redemption, location):
    message = confirm(till, redemption.redemption_code, locationId=str(location.pk)).json()["message"]
    row = Confirmation.objects.get()
    data = till.get(f"/confirmations/{row.pk}").json()
    assert datetime.fromisoformat(data.pop("createdAt")) == row.created_at
    assert data == {
        "id": str(row.pk), "message": message, "found": "active", "code": redemption.redemption_code,
        "reward": "Tenth off", "value": {"discount_percent": 10}, "customer": "Ada Lovelace", "location": "Harbour",
    }  # fmt: skip
