"""Awards and redemptions of one member that arrive at the same moment."""

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from loyalty.models import Notification, PointTransaction, Redemption
from loyalty.points.services import points
from qrservice.models import Code
from tests.at_once import at_once
from tests.loyalty.making import earn_body, make_member, make_reward

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

KEY = {"Idempotency-Key": "one tap"}


def poster(token, path, body, headers=()):
    """A call for `at_once` that returns the status and the text of the response."""

    def post() -> tuple[int, str]:
        client = APIClient(headers={"Authorization": f"Token {token}"})
        response = client.post(path, body, format="json", headers=dict(headers))
        return response.status_code, response.content.decode()

    return post


def awarding(token, member, location, total=10, headers=()):
    return poster(token, "/earn", earn_body(member, location, total), headers)


def redeeming(token, member, reward, headers=()):
    return poster(token, f"/rewards/{reward.pk}/redeem", {"customerId": str(member.pk)}, headers)


def statuses(responses) -> list[int]:
    return sorted(status for status, _text in responses)


def live_codes() -> int:
    return Code.objects.filter(metadata__type="reward_redemption", status="active").count()


def test_every_one_of_sixteen_awards_counts(token, location):
    member = make_member()
    responses = at_once([awarding(token, member, location)] * 16)
    assert statuses(responses) == [200] * 16
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (260, 260)
    assert len(set(responses)) == 16  # balances
    call_command("check_ledger")


def test_one_award_alone_reaches_the_tier_and_is_news(token, location):
    member = make_member(lifetime=990)
    responses = at_once([awarding(token, member, location)] * 12)
    assert statuses(responses) == [200] * 12
    member.refresh_from_db()
    # The first is worth 10 and reaches silver; the others are worth 12.
    assert (member.tier, member.points_balance) == ("silver", 1000 + 11 * 12)
    assert Notification.objects.count() == 1
    call_command("check_ledger")


def test_awards_with_one_key_are_one_with_one_response(token, location):
    member = make_member()
    responses = at_once([awarding(token, member, location, headers=KEY)] * 16)
    assert statuses(responses) == [200] * 16
    assert len(set(responses)) == 1
    member.refresh_from_db()
    assert (member.points_balance, PointTransaction.objects.count()) == (110, 2)
    call_command("check_ledger")


def test_of_two_bodies_with_one_key_one_counts(token, location):
    member = make_member()
    calls = [awarding(token, member, location, total, KEY) for total in (10, 20) * 8]
    responses = at_once(calls)
    assert statuses(responses) == [200] * 8 + [409] * 8
    assert PointTransaction.objects.count() == 2
    member.refresh_from_db()
    assert member.points_balance in {110, 120}


def test_a_balance_good_for_one_is_spent_once(token):
    member, reward = make_member(), make_reward()
    responses = at_once([redeeming(token, member, reward)] * 12)
    assert statuses(responses) == [200] + [400] * 11
    assert all('"pointsNeeded":100' in text for status, text in responses if status == 400)
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (0, 100)
    assert Redemption.objects.get().status == "active"
    assert live_codes() == 1
    assert Redemption.objects.get().qr_analytics_id == Code.objects.get(status="active").analytics_id
    call_command("check_ledger")


def test_redemptions_with_one_key_are_one_with_one_response(token):
    for balance in (100, 5000):  # the losers meet an empty balance, or the key
        member, reward = make_member(lifetime=balance), make_reward()
        responses = at_once([redeeming(token, member, reward, KEY)] * 12)
        assert statuses(responses) == [200] * 12
        assert len(set(responses)) == 1
        member.refresh_from_db()
        assert member.points_balance == balance - 100
        assert Redemption.objects.filter(customer=member).count() == 1
    assert live_codes() == 2
    call_command("check_ledger")


def test_redeeming_and_earning_at_once_lose_nothing(token, location):
    for _ in range(2):
        member, reward = make_member(lifetime=300), make_reward()
        calls = [redeeming(token, member, reward), awarding(token, member, location)] * 10
        responses = at_once(calls)
        spent = statuses(responses[::2]).count(200)
        assert statuses(responses[1::2]) == [200] * 10
        assert set(statuses(responses[::2])) <= {200, 400}
        member.refresh_from_db()
        assert 3 <= spent <= 4
        assert (member.points_balance, member.lifetime_points) == (400 - 100 * spent, 400)
    call_command("check_ledger")


def test_a_manager_takes_points_while_they_are_spent(token):
    member, reward = make_member(lifetime=150), make_reward()

    def take() -> int:
        try:
            points.adjust(member=member, points=-100, reason="a mistake", staff_id="anna")
        except points.NotEnoughPoints:
            return 400
        return 200

    responses = at_once([take, redeeming(token, member, reward)] * 6)
    taken, redeemed = responses[::2], responses[1::2]
    assert taken.count(200) + statuses(redeemed).count(200) == 1
    member.refresh_from_db()
    assert member.points_balance == 50
    call_command("check_ledger")
