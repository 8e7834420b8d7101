"""A reward's code that is used at two tables at once."""

import pytest

from restaurant.models import Adjustment, TableSession
from tests.at_once import at_once
from tests.config.collecting import open_venue, phone_with_card
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.loyalty.making import make_reward, redeem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_at_two_tables_at_once_a_code_takes_something_off_one_bill(transactional_db):
    open_venue()
    phone, member = phone_with_card()
    reward, dish, user = make_reward(points=1, reward_value={"discount_percent": 50}), make_item(), make_user("Floor")
    sessions = [TableSession.objects.create(table=make_table(number)) for number in (7, 8, 9)]
    for session in sessions:
        number = session.table.table_number
        assert phone.post(f"/table/{number}/order", order_body(session, (dish, 1)), format="json").status_code == 200
    for _ in range(5):
        code = redeem(phone, member, reward).json()["redemptionCode"]

        def use(session: TableSession, client, code: str = code) -> dict:
            return client.post(f"/use/{code}/confirm", {"sessionId": str(session.pk)}, format="json").json()

        clients = [signed_in(user) for _ in sessions]
        answers = at_once([lambda s=s, c=c: use(s, c) for s, c in zip(sessions, clients, strict=True)])
        assert sorted(answer["applied"] is None for answer in answers) == [False, True, True]
        assert Adjustment.objects.filter(redemption_code=code).count() == 1
