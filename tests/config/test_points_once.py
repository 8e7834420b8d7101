"""A guest whose card collects at a table gets the points once, also from a till that knows the table."""

import pytest

from loyalty.models import PointTransaction
from restaurant.models import TableSession
from tests.config.collecting import close, earned, open_venue, phone_with_card, place
from tests.conftest import PAGE
from tests.loyalty.making import earn_body
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def location(db):
    return open_venue()


@pytest.fixture
def ada(location):
    return phone_with_card()


def test_the_till_says_what_comes_from_a_table_until_two_hours_after_it_was_closed(ada, session, soup, cashier):
    phone, member = ada
    place(phone, session, (soup, 3))

    def page() -> str:
        return read(cashier.get(f"/member/{member.pk}", headers={"accept": PAGE})).text

    assert "28 points come from table 7 when it is closed." in page()
    close(session)
    assert "28 points came from table 7 at" in page()
    TableSession.objects.update(ended_at=TableSession.objects.get().ended_at.replace(year=2025))
    assert "table 7" not in page()


def test_a_purchase_at_a_table_settles_what_the_card_collects_there_once(ada, location, session, soup, cashier, floor):
    phone, member = ada
    place(phone, session, (soup, 2))
    body = earn_body(member, location, 19, sessionId=str(session.pk))
    for _again in range(2):
        response = cashier.post("/earn", body, format="json")
        assert response.status_code == 200, response.content
        assert response.json() == {
            "pointsEarned": 19, "newBalance": 119, "tier": "bronze", "message": "19 points from the table."
        }  # fmt: skip
    row = PointTransaction.objects.get(order_total=19)
    assert response["Location"] == f"/transactions/{row.pk}"
    place(phone, session, (soup, 1))  # ordered after that
    close(session)
    assert earned(member) == [(19, "19.00"), (9, "9.50")]
    assert cashier.post("/earn", body, format="json").json()["pointsEarned"] == 28


def test_a_card_that_collects_nothing_there_is_refused(ada, location, session, soup, cashier):
    phone, member = ada
    place(phone, session, (soup, 2), collect=False)
    body = {"customerId": str(member.pk), "sessionId": str(session.pk)}
    refused = cashier.post("/earn", body, format="json")
    assert (refused.status_code, earned(member)) == (409, [])
    missing = cashier.post("/earn", {"customerId": str(member.pk)}, format="json")
    assert set(missing.json()["fields"]) == {"locationId", "orderTotal"}
