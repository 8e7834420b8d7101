"""`Idempotency-Key` on POST /earn and POST /rewards/{id}/redeem."""

import pytest

from loyalty.models import Location, Notification, PointTransaction, Redemption, Reward
from qrservice.models import Code
from tests.conftest import make_user, undone
from tests.loyalty.making import (
    change,
    earn_body,
    enrol,
    make_location,
    make_member,
    make_reward,
    redeem,
    with_token,
)

pytestmark = pytest.mark.django_db

KEY = {"Idempotency-Key": "one tap"}


def earn(client, member, location, total=10, headers=KEY, **values):
    return client.post("/earn", earn_body(member, location, total, **values), format="json", headers=headers)


def awards() -> int:
    return PointTransaction.objects.filter(order_total__isnull=False).count()


# --- earning --------------------------------------------------------------------------------------


def test_a_repeated_award_changes_nothing_and_answers_the_same_bytes(till, member, location, mailoutbox):
    first = earn(till, member, location, 950)
    earn(till, member, location, 7, headers={})
    Location.objects.update(name="Renamed")
    second = earn(till, member, location, 950)
    assert (second.status_code, second.content) == (200, first.content)
    member.refresh_from_db()
    assert (member.points_balance, awards(), Notification.objects.count(), len(mailoutbox)) == (1058, 2, 1, 1)


def test_the_body_is_the_same_however_it_is_written(till, member, location):
    first = earn(till, member, location, 10)
    again = {**earn_body(member, location, 10.0), "customerId": str(member.pk).upper(), "unknown": 1, "staffId": None}
    assert till.post("/earn", again, format="json", headers=KEY).content == first.content
    assert awards() == 1


def test_an_award_s_key_with_another_body_is_409(till, member, location, subtests):
    for change_ in [{"orderTotal": 10.01}, {"staffId": "till 4"}, {"locationId": "other"}]:
        with subtests.test(change_=change_), undone():
            earn(till, member, location)
            body = earn_body(member, location) | change_
            if "locationId" in change_:
                body["locationId"] = str(make_location("Station").pk)
            response = till.post("/earn", body, format="json", headers=KEY)
            assert (response.status_code, set(response.json())) == (409, {"error"})
            member.refresh_from_db()
            assert (member.points_balance, awards()) == (110, 1)


def test_a_refused_award_does_not_use_its_key_up(till, member, location):
    assert earn(till, member, location, 0).status_code == 400
    assert earn(till, member, location, 10).status_code == 200
    assert awards() == 1


def test_the_key_of_one_member_is_free_for_another(till, member, location):
    other = make_member("Ben")
    assert earn(till, member, location).json() == earn(till, other, location).json()
    assert awards() == 2


def test_another_till_may_repeat_the_call(till, member, location):
    first = earn(till, member, location)
    other = with_token(make_user("Managers"))
    assert earn(other, member, location).content == first.content
    assert awards() == 1


def test_a_repeat_gets_its_response_though_the_award_would_not_fit_any_more(till, location):
    member = make_member(lifetime=2_147_483_600, tier="bronze")
    first = earn(till, member, location, 40)
    assert first.status_code == 200
    second = earn(till, member, location, 40)
    assert (second.status_code, second.content) == (200, first.content)


# --- redeeming ------------------------------------------------------------------------------------


def test_a_repeated_redemption_changes_nothing_and_answers_the_same_bytes(reward):
    phone, member = enrol()
    first = redeem(phone, member, reward, headers=KEY)
    assert first.status_code == 200
    Reward.objects.update(points_required=5000, name="Renamed", available=False)
    second = redeem(phone, member, reward, headers=KEY)
    assert (second.status_code, second.content) == (200, first.content)
    member.refresh_from_db()
    assert (member.points_balance, Redemption.objects.count()) == (0, 1)
    assert Code.objects.count() == 2  # the member's and the redemption's


def test_a_repeat_is_the_same_for_every_caller_and_after_the_code_was_used(till, reward):
    phone, member = enrol()
    first = redeem(phone, member, reward, headers=KEY)
    till.post(f"/use/{first.json()['redemptionCode']}/confirm", {}, format="json")
    assert redeem(till, member, reward, headers=KEY).content == first.content
    assert Redemption.objects.count() == 1


def test_a_repeat_needs_neither_points_nor_the_code_service(reward, code_service):
    phone, member = enrol()
    first = redeem(phone, member, reward, headers=KEY)
    code_service()
    second = redeem(phone, member, reward, headers=KEY)
    assert (second.status_code, second.json()["redemptionCode"]) == (200, first.json()["redemptionCode"])


def test_a_redemption_s_key_for_another_reward_is_409(reward):
    phone, member = enrol()
    change(member, points_balance=1000)
    redeem(phone, member, reward, headers=KEY)
    response = redeem(phone, member, make_reward("Tea"), headers=KEY)
    assert (response.status_code, set(response.json())) == (409, {"error"})
    assert Redemption.objects.count() == 1


def test_a_repeat_without_credentials_is_401(api, reward):
    phone, member = enrol()
    redeem(phone, member, reward, headers=KEY)
    assert redeem(api, member, reward, headers=KEY).status_code == 401


def test_a_refused_redemption_does_not_use_its_key_up(till, member):
    dear = make_reward("Dinner", 150)
    assert redeem(till, member, dear, headers=KEY).status_code == 400
    change(member, points_balance=150)
    assert redeem(till, member, dear, headers=KEY).status_code == 200


def test_earning_and_redeeming_do_not_share_keys(till, member, location, reward):
    assert earn(till, member, location).status_code == 200
    assert redeem(till, member, reward, headers=KEY).status_code == 200
    assert (awards(), Redemption.objects.count()) == (1, 1)


# --- the key itself -------------------------------------------------------------------------------


def test_a_key_is_any_text_of_up_to_a_hundred_characters(till, member, location, reward, subtests):
    change(member, points_balance=10_000)
    for key in ("k" * 100, "é ß %00", "\x7f\t", "ÿ", "%00", '"', "'; --"):
        headers = {"Idempotency-Key": key}
        with subtests.test(key):
            awards_, redeemed = zip(
                *(
                    (earn(till, member, location, headers=headers), redeem(till, member, reward, headers=headers))
                    for _ in range(2)
                ),
                strict=True,
            )
            for first, second in (awards_, redeemed):
                assert (first.status_code, second.status_code, first.content) == (200, 200, second.content)
    for key in ("k" * 101, "a\0b"):
        headers = {"Idempotency-Key": key}
        for response in (earn(till, member, location, headers=headers), redeem(till, member, reward, headers=headers)):
            assert response.status_code == 400
            assert "Idempotency-Key" in response.json()["error"]


def test_without_a_key_every_call_counts(till, location, reward, subtests):
    for headers in [{}, {"Idempotency-Key": ""}]:
        with subtests.test(headers=headers), undone():
            member = make_member(lifetime=300)
            assert (
                earn(till, member, location, headers=headers).json()
                != earn(till, member, location, headers=headers).json()
            )
            codes = {redeem(till, member, reward, headers=headers).json()["redemptionCode"] for _ in range(2)}
            assert len(codes) == 2
