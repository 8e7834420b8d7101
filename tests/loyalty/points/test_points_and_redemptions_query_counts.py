"""Limits of the statements that the busiest calls take, with authentication: a till's queue waits for them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from loyalty.models import Notification
from tests.conftest import make_user, signed_in, undone
from tests.loyalty.making import earn_body, enrol, make_member, make_reward, redeem, with_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

KEY = {"Idempotency-Key": "one tap"}
FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@pytest.fixture(autouse=True)
def _one_minute(noon, clock):
    """Permits are leased for a minute: none begins between a first call and the one that is counted."""
    clock(timezone.now())


def counted(call):
    """Return the call's response, and the statements that read or write, without those of transactions."""
    with CaptureQueriesContext(connection) as captured:
        response = call()
    assert response.status_code == 200
    texts = [query["sql"].lstrip() for query in captured.captured_queries]
    return response, [text for text in texts if not text.upper().startswith(FRAME)]


def earn(client, location, member=None, total=10, headers=()):
    body = earn_body(member or make_member(), location, total)
    return lambda: client.post("/earn", body, format="json", headers=dict(headers))


def test_an_award_takes_at_most_six_by_token_and_by_session_with_and_without_a_key(location):
    user = make_user("Cashiers")
    for client, with_news in ((with_token(user), 6), (signed_in(user), 7)):
        earn(client, location)()
        for headers in ({}, KEY):
            with undone():
                member = make_member()
                for _ in range(2):  # the second one with a key is a repeat
                    _response, statements = counted(earn(client, location, member, headers=headers))
                    assert 0 < len(statements) <= 6, statements
                response, statements = counted(earn(client, location, total=900, headers=headers))
                assert response.json()["tier"] == "silver"
                assert Notification.objects.get().sent_at is not None
                assert len(statements) <= with_news, statements  # the mail included


def test_a_redemption_takes_at_most_seven_and_one_more_to_authenticate_a_till(till, reward):
    other = make_member(lifetime=1000)
    redeem(till, other, reward)
    for headers in ({}, KEY):
        with undone():
            phone, member = enrol()
            phone.get(f"/rewards?customerId={member.pk}")  # leases permits, as every 30th request does
            _response, statements = counted(lambda: redeem(phone, member, reward, headers=headers))  # noqa: B023
            assert 0 < len(statements) <= 7, statements
            _response, statements = counted(lambda: redeem(till, other, reward, headers=headers))  # noqa: B023
            assert len(statements) <= 8, statements
    redeem(till, other, reward, headers=KEY)
    _response, statements = counted(lambda: redeem(till, other, reward, headers=KEY))  # a repeat
    assert len(statements) <= 6, statements


def test_rewards_and_cards_take_the_same_however_much_is_on_them(api, till, member):
    for rewards in (1, 40):
        with undone():
            for number in range(rewards):
                make_reward(f"Reward {number}", number)
            response, statements = counted(lambda: api.get(f"/rewards?customerId={member.pk}"))
            assert len(response.json()["rewards"]) == rewards
            assert len(statements) <= 3, statements
    for redeemed in (1, 10):
        with undone():
            phone, holder = enrol()
            for _ in range(redeemed):
                assert redeem(till, holder, make_reward(points=10)).status_code == 200
            phone.get(f"/member/{holder.pk}")  # permits of its limit are leased for several requests
            response, statements = counted(lambda: phone.get(f"/member/{holder.pk}"))  # noqa: B023
            assert len(response.json()["redemptions"]) == redeemed
            assert len(statements) <= 6, statements
