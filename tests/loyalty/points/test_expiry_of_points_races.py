"""Points expire in two processes, and while they are spent."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from loyalty.models import PointTransaction, Programme
from loyalty.points.services import expiry
from tests.at_once import at_once
from tests.loyalty.making import make_location, make_member, make_reward
from tests.loyalty.points.test_points_races import awarding, redeeming, statuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture(autouse=True)
def _one_month(transactional_db) -> None:
    Programme.objects.create(expires_after_months=1)


def make_members(number: int):
    """Return members with 100 points that expire and 100 that don't."""
    members = [make_member(created_at=timezone.now() - timedelta(days=50), balance=200) for _ in range(number)]
    PointTransaction.objects.filter(type="bonus").update(created_at=timezone.now())
    return members


def expiring() -> int:
    return expiry.expire(now=timezone.now()).points


def test_of_several_runs_at_once_one_takes_each_points(token):
    members = make_members(15)
    assert sum(at_once([expiring] * 4)) == 15 * 100
    for member in members:
        member.refresh_from_db()
        assert member.points_balance == 100
    call_command("check_ledger")


def test_points_that_are_spent_meanwhile_do_not_expire_too(token):
    reward, location = make_reward(points=150), make_location()
    for _ in range(2):
        members = make_members(4)
        calls = [redeeming(token, member, reward) for member in members]
        calls += [awarding(token, member, location, 30) for member in members]
        responses = at_once([expiring, expiring, *calls])
        assert set(statuses(responses[2:6])) <= {200, 400}
        assert statuses(responses[6:]) == [200] * 4
        for member, (status, _text) in zip(members, responses[2:6], strict=True):
            member.refresh_from_db()
            # 150 spent in time leave the recent points, 50 of them used; too late they were not there.
            assert member.points_balance in ({80} if status == 200 else {130, 230})
    call_command("check_ledger")
