"""POST /rewards/{rewardId}/redeem."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from loyalty.models import PointTransaction, Redemption
from loyalty.rewards.services import redemptions
from qrservice.models import Code
from tests.conftest import make_user, signed_in, undone, unknown_id
from tests.loyalty.making import change, enrol, make_member, make_reward, redeem

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone_and_member(db):
    return enrol()


def nothing_was_spent(member) -> bool:
    member.refresh_from_db()
    ledger = PointTransaction.objects.filter(type="redeem").exists()
    codes = Code.objects.filter(metadata__type="reward_redemption", status="active").exists()
    return member.points_balance == 100 and not ledger and not Redemption.objects.exists() and not codes


def test_a_redemption_is_stored_and_has_the_documented_response(phone_and_member, reward, settings):
    now = timezone.now()
    phone, member = phone_and_member
    response = redeem(phone, member, reward)
    assert response.status_code == 200
    data, row = response.json(), Redemption.objects.get()
    assert set(data) == {"redemptionCode", "qrCodeUrl", "reward", "expiresAt", "message"}
    assert re.fullmatch(r"RWD-[A-HJKMNP-Z2-9]{6}", data["redemptionCode"], re.ASCII)  # without O, 0, I, L and 1
    assert (data["redemptionCode"], data["reward"]) == (row.redemption_code, "Free coffee")
    assert data["expiresAt"].endswith("Z")
    assert datetime.fromisoformat(data["expiresAt"]) == row.expires_at == row.created_at + timedelta(days=30)
    assert phone.get(data["qrCodeUrl"].removeprefix(settings.APP_BASE_URL))["Content-Type"] == "image/png"
    assert (row.customer, row.reward, row.points_spent, row.status, row.used_at) == (
        member, reward, 100, "active", None,
    )  # fmt: skip
    assert row.created_at > now


def test_the_points_are_taken_and_the_lifetime_points_stay(phone_and_member):
    phone, member = phone_and_member
    redeem(phone, member, make_reward("Tea", 60))
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points, member.tier) == (40, 100, "bronze")
    row = PointTransaction.objects.get(type="redeem")
    assert (row.customer, row.points, row.order_total, row.location) == (member, -60, None, None)
    assert row.description.startswith("Redeemed")
    assert row.description.endswith("Tea")


def test_spending_is_no_activity_that_counts(phone_and_member, reward):
    phone, member = phone_and_member
    redeem(phone, member, reward)
    before = member.last_activity_at
    member.refresh_from_db()
    assert member.last_activity_at == before


def test_its_code_leads_to_the_validation_and_says_what_it_is(phone_and_member, reward, settings):
    phone, member = phone_and_member
    redeem(phone, member, reward)
    row = Redemption.objects.get()
    code = Code.objects.get(analytics_id=row.qr_analytics_id)
    assert code.redirect_url == f"{settings.APP_BASE_URL}/use/{row.redemption_code}"
    assert code.metadata == {
        "redemption_id": str(row.pk), "customer_id": str(member.pk), "reward_id": str(reward.pk),
        "type": "reward_redemption",
    }  # fmt: skip
    assert code.status == "active"


def test_a_reward_that_is_not_available_or_a_member_that_is_unknown_is_404(phone_and_member, till, reward):
    phone, member = phone_and_member
    response = till.post(f"/rewards/{reward.pk}/redeem", {"customerId": unknown_id()}, format="json")
    assert (response.status_code, set(response.json())) == (404, {"error"})
    change(reward, available=False)
    response = redeem(phone, member, reward)
    assert (response.status_code, set(response.json())) == (404, {"error"})
    assert nothing_was_spent(member)


def test_too_few_points_are_400_and_it_says_how_many_are_missing(phone_and_member, subtests):
    for price, needed in [(101, 1), (2_147_483_647, 2_147_483_547)]:
        with subtests.test(price=price, needed=needed), undone():
            phone, member = phone_and_member
            response = redeem(phone, member, make_reward(points=price))
            assert response.status_code == 400
            assert set(response.json()) == {"error", "pointsNeeded"}
            assert response.json()["pointsNeeded"] == needed
            assert nothing_was_spent(member)


def test_a_balance_just_large_enough_becomes_zero(phone_and_member, reward):
    phone, member = phone_and_member
    assert redeem(phone, member, reward).status_code == 200
    assert redeem(phone, member, reward).json()["pointsNeeded"] == 100


def test_a_reward_for_nothing_can_be_redeemed(phone_and_member):
    phone, member = phone_and_member
    assert redeem(phone, member, make_reward("Glass of water", 0)).status_code == 200
    member.refresh_from_db()
    assert member.points_balance == 100


def test_a_redemption_code_that_exists_is_replaced(phone_and_member, reward, monkeypatch):
    phone, member = phone_and_member
    Redemption.objects.create(
        customer=member, reward=reward, points_spent=0, redemption_code="RWD-AAAAAA", expires_at=member.created_at
    )
    codes = iter(["RWD-AAAAAA", "RWD-AAAAAA", "RWD-BBBBBB"])
    monkeypatch.setattr(redemptions, "new_code", lambda: next(codes))
    assert redeem(phone, member, reward).json()["redemptionCode"] == "RWD-BBBBBB"
    member.refresh_from_db()
    assert (member.points_balance, Redemption.objects.count()) == (0, 2)
    given_up = Code.objects.filter(redirect_url__endswith="RWD-AAAAAA")
    assert {code.status for code in given_up} == {"disabled"}


def test_codes_differ_and_use_every_letter_and_digit_that_is_told_from_others():
    codes = {redemptions.new_code() for _ in range(2000)}
    assert len(codes) == 2000
    assert len(set("".join(code[4:] for code in codes))) == 31


# --- credentials -------------------------------------------------------------------------


def test_knowing_the_id_is_not_enough(api, phone_and_member, reward):
    _phone, member = phone_and_member
    response = redeem(api, member, reward)
    assert (response.status_code, set(response.json())) == (401, {"error"})
    assert response["WWW-Authenticate"]
    assert nothing_was_spent(member)


def test_the_phone_of_another_member_is_403(phone_and_member, reward):
    _phone, member = phone_and_member
    other, _ = enrol("ben@example.com", "Ben")
    response = redeem(other, member, reward)
    assert (response.status_code, set(response.json())) == (403, {"error"})
    assert nothing_was_spent(member)


def test_a_forged_cookie_is_401(phone_and_member, reward, subtests):
    for forge in [
    lambda good, member: good[:-1] + ("a" if good[-1] != "a" else "b"),
    lambda good, member: f"{member.pk}:{good.split(':', 1)[1]}",
    lambda good, member: str(member.pk),
    lambda good, member: "::",
]:  # fmt: skip
        with subtests.test(forge=forge), undone():
            other, _ben = enrol("ben@example.com", "Ben")
            _phone, member = phone_and_member
            other.cookies["member"] = forge(other.cookies["member"].value, member)
            assert redeem(other, member, reward).status_code == 401
            assert nothing_was_spent(member)


def test_strangers_learn_nothing_from_what_else_is_wrong(api, reward):
    for path, body in ((f"/rewards/{reward.pk}/redeem", {}), ("/rewards/none/redeem", {"customerId": "x"})):
        assert api.post(path, body, format="json").status_code == 401


def test_staff_redeem_for_a_guest_if_they_work_at_the_till(reward, subtests):
    for group, status in [("Cashiers", 200), ("Managers", 200), ("Floor", 403)]:
        with subtests.test(group=group, status=status), undone():
            assert redeem(signed_in(make_user(group)), make_member(), reward).status_code == status


def test_somebody_of_the_staff_without_the_till_may_spend_their_own_points(phone_and_member, reward):
    phone, member = phone_and_member
    phone.force_login(make_user("Floor"))
    assert redeem(phone, member, reward).status_code == 200


def test_a_bad_token_is_401_whatever_the_cookie_says(phone_and_member, reward):
    phone, member = phone_and_member
    response = redeem(phone, member, reward, headers={"Authorization": "Token nonsense"})
    assert response.status_code == 401
    assert nothing_was_spent(member)


# --- the question before it -----------------------------------------------------------------------


def test_the_question_says_what_is_left_afterwards(phone_and_member):
    phone, member = phone_and_member
    reward = make_reward("Tea", 60)
    data = phone.get(f"/rewards/{reward.pk}/redeem?customerId={member.pk}").json()
    assert (data["pointsBalance"], data["balanceAfter"], data["reward"]["name"]) == (100, 40, "Tea")
    assert nothing_was_spent(member)


def test_the_question_needs_credentials_too(api, phone_and_member, reward):
    _phone, member = phone_and_member
    other, _ = enrol("ben@example.com", "Ben")
    path = f"/rewards/{reward.pk}/redeem?customerId={member.pk}"
    assert (api.get(path).status_code, other.get(path).status_code) == (401, 403)
