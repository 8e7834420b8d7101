"""How many queries the busiest calls take, authentication included: a till's queue waits for them."""

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
def _one_minute(clock):
    """Permits are leased for a minute: none begins between a first call and the one that is counted."""
    clock(timezone.now())


class Counted(CaptureQueriesContext):
    """The statements that read or write, without the frame of their transactions."""

    def __init__(self) -> None:
        super().__init__(connection)

    @property
    def statements(self) -> list[str]:
        texts = [query["sql"].lstrip() for query in self.captured_queries]
        return [text for text in texts if not text.upper().startswith(FRAME)]

    def at_most(self, allowed: int) -> None:
        assert 0 < len(self.statements) <= allowed, "\n".join(self.statements)


def test_the_statements_are_counted(member):
    with Counted() as counted:
        member.refresh_from_db()
    assert len(counted.statements) == 1


@pytest.fixture(params=["token", "session"])
def cashier_client(request, db):
    user = make_user("Cashiers")
    return with_token(user) if request.param == "token" else signed_in(user)


def test_an_award_takes_at_most_six(cashier_client, location, subtests):
    for headers in [{}, KEY]:
        with subtests.test(headers=headers), undone():
            cashier_client.post("/earn", earn_body(make_member(), location), format="json")
            body = earn_body(make_member(), location)
            with Counted() as counted:
                assert cashier_client.post("/earn", body, format="json", headers=headers).status_code == 200
            counted.at_most(6)


def test_an_award_with_a_new_tier_and_its_mail_takes_at_most_six(till, location, subtests):
    for headers in [{}, KEY]:
        with subtests.test(headers=headers), undone():
            body = earn_body(make_member(), location, 900)
            with Counted() as counted:
                assert till.post("/earn", body, format="json", headers=headers).json()["tier"] == "silver"
            assert Notification.objects.get().sent_at is not None
            counted.at_most(6)


def test_a_repeated_award_takes_at_most_six(till, location):
    body = earn_body(make_member(), location)
    till.post("/earn", body, format="json", headers=KEY)
    with Counted() as counted:
        assert till.post("/earn", body, format="json", headers=KEY).status_code == 200
    counted.at_most(6)


def test_a_redemption_by_the_member_takes_at_most_six(reward, subtests):
    for headers in [{}, KEY]:
        with subtests.test(headers=headers), undone():
            phone, member = enrol()
            phone.get(f"/rewards?customerId={member.pk}")  # leases permits, as every 30th request does
            with Counted() as counted:
                assert redeem(phone, member, reward, headers=headers).status_code == 200
            counted.at_most(6)


def test_a_redemption_by_the_till_takes_at_most_seven_two_of_them_to_authenticate(till, reward, subtests):
    for headers in [{}, KEY]:
        with subtests.test(headers=headers), undone():
            redeem(till, make_member(), reward)
            member = make_member()
            with Counted() as counted:
                assert redeem(till, member, reward, headers=headers).status_code == 200
            counted.at_most(7)


def test_a_repeated_redemption_takes_at_most_six(till, member, reward):
    redeem(till, member, reward, headers=KEY)
    with Counted() as counted:
        assert redeem(till, member, reward, headers=KEY).status_code == 200
    counted.at_most(6)


def test_the_list_of_rewards_takes_at_most_three_however_long_it_is(api, member, subtests):
    for rewards in [1, 40]:
        with subtests.test(rewards=rewards), undone():
            for number in range(rewards):
                make_reward(f"Reward {number}", number)
            with Counted() as counted:
                assert len(api.get(f"/rewards?customerId={member.pk}").json()["rewards"]) == rewards
            counted.at_most(3)


def test_a_card_takes_the_same_however_much_is_on_it(till, django_assert_max_num_queries, subtests):
    for redeemed in [1, 10]:
        with subtests.test(redeemed=redeemed), undone():
            phone, member = enrol()
            for _ in range(redeemed):
                assert redeem(till, member, make_reward(points=10)).status_code == 200
            phone.get(f"/member/{member.pk}")  # permits of its limit are leased for several requests
            with django_assert_max_num_queries(6):
                assert len(phone.get(f"/member/{member.pk}").json()["redemptions"]) == redeemed
