"""The code is made before the points are taken: what if the reward has changed by then?"""

import pytest
from django.core.management import call_command

from loyalty.models import Redemption
from loyalty.rewards.services import redemptions
from qrservice.models import Code
from tests.loyalty.making import change, make_member, make_reward, redeem

pytestmark = pytest.mark.django_db


@pytest.fixture
def meanwhile(monkeypatch):
    """`meanwhile(reward, ...)`: while the first code is being made, a manager changes the reward."""
    make = redemptions.make_qr_code

    def change_once(reward, **values) -> None:
        def make_code(redemption):
            monkeypatch.setattr(redemptions, "make_qr_code", make)
            change(reward, **values)
            return make(redemption)

        monkeypatch.setattr(redemptions, "make_qr_code", make_code)

    return change_once


def states() -> list[str]:
    return list(Code.objects.order_by("created_at").values_list("status", flat=True))


def test_a_reward_that_gets_dearer_costs_what_it_costs_then(till, meanwhile):
    member, reward = make_member(lifetime=500), make_reward(points=100)
    meanwhile(reward, points_required=200)
    assert redeem(till, member, reward).status_code == 200
    assert states() == ["disabled", "active"]
    member.refresh_from_db()
    assert (member.points_balance, Redemption.objects.get().points_spent) == (300, 200)
    call_command("check_ledger")


def test_a_reward_that_gets_too_dear_or_is_taken_away_is_refused(till, meanwhile):
    member, reward = make_member(lifetime=150), make_reward(points=100)
    meanwhile(reward, points_required=200)
    response = redeem(till, member, reward)
    assert (response.status_code, response.json()["pointsNeeded"]) == (400, 50)
    change(reward, points_required=100)
    meanwhile(reward, available=False)
    response = redeem(till, member, reward)
    assert (response.status_code, set(response.json())) == (404, {"error"})
    assert states() == ["disabled", "disabled"]
    member.refresh_from_db()
    assert (member.points_balance, Redemption.objects.count()) == (150, 0)
