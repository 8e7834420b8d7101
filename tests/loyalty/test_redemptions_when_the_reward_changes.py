"""The code is made before the points are taken: what if the reward has changed by then?"""

import pytest
from django.core.management import call_command
from django.db import connection

from loyalty.models import Redemption
from tests.conftest import make_user
from tests.loyalty.making import change, make_member, make_reward, redeem, with_token
from tests.qrservice.misbehaving import CODE, says

# The other side of it is a thread, with a connection of its own.
pytestmark = pytest.mark.django_db(transaction=True)


def changing(act, reward, **values):
    """The code service responses, and meanwhile a manager has changed the reward."""

    def response(client, closing) -> None:
        change(reward, **values)
        connection.close()
        act(client, closing)

    return response


def redeem_while(code_service, reward, member, **values):
    """Redeem, while the reward changes. Return the response, and the methods that the code service received."""
    till = with_token(make_user("Cashiers"))
    made = says(CODE, 201)
    server = code_service(changing(made, reward, **values), made, made)
    response = redeem(till, member, reward)
    return response, [seen.method for seen in server.seen]


def test_a_reward_that_gets_dearer_costs_what_it_costs_then(code_service):
    member, reward = make_member(lifetime=500), make_reward(points=100)
    response, methods = redeem_while(code_service, reward, member, points_required=200)
    assert response.status_code == 200
    assert methods == ["POST", "PATCH", "POST"]  # the first code is disabled
    member.refresh_from_db()
    assert (member.points_balance, Redemption.objects.get().points_spent) == (300, 200)
    call_command("check_ledger")


def test_a_reward_that_gets_too_dear_is_refused(code_service):
    member, reward = make_member(lifetime=150), make_reward(points=100)
    response, methods = redeem_while(code_service, reward, member, points_required=200)
    assert (response.status_code, response.json()["pointsNeeded"]) == (400, 50)
    assert methods == ["POST", "PATCH"]
    member.refresh_from_db()
    assert member.points_balance == 150
    assert not Redemption.objects.exists()


def test_a_reward_that_is_taken_away_is_refused(code_service):
    member, reward = make_member(), make_reward()
    response, methods = redeem_while(code_service, reward, member, available=False)
    assert (response.status_code, set(response.json())) == (404, {"error"})
    assert methods == ["POST", "PATCH"]
    member.refresh_from_db()
    assert member.points_balance == 100
