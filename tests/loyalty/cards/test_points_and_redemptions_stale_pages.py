"""Between looking and acting the world may change: a price, a session, a location."""

import re
import threading
from html import unescape

import psycopg
import pytest
from django.db import connection

from loyalty.models import Location, PointTransaction, Redemption
from tests.conftest import PAGE, make_user
from tests.loyalty.making import change, earn_body, enrol, make_location, make_member, make_reward, redeem
from tests.servers import PATIENCE, database_url, wait_for


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))


@pytest.mark.django_db
def test_a_reward_at_another_price_than_the_page_showed_is_not_redeemed():
    phone, member = enrol()
    reward = make_reward(points=50)
    address = f"/rewards/{reward.pk}/redeem"
    page = phone.get(f"{address}?customerId={member.pk}", headers={"accept": PAGE}).content.decode()
    change(reward, points_required=80)
    response = phone.post(address, fields(page), headers={"accept": PAGE}, format="multipart")
    assert response.status_code == 409
    assert "has changed to 80 points" in unescape(response.content.decode())
    assert not Redemption.objects.exists()
    # A program that does not say what it expects gets it for what it costs.
    assert redeem(phone, member, reward).status_code == 200


@pytest.mark.django_db
def test_a_wrong_expectation_is_named(till, member, reward):
    for wrong in ("80", 1.5, True, -1):
        body = {"customerId": str(member.pk), "expectedPoints": wrong}
        response = till.post(f"/rewards/{reward.pk}/redeem", body, format="json")
        assert (response.status_code, list(response.json()["fields"])) == (400, ["expectedPoints"])


@pytest.mark.django_db
def test_a_till_whose_session_has_ended_says_that_nothing_was_given_and_leads_back(browser_client, member, location):
    browser_client.force_login(make_user("Cashiers"))
    page = browser_client.get(f"/member/{member.pk}").content.decode()
    browser_client.cookies.pop("staff_session")
    form = fields(page) | {"orderTotal": "10"}
    referer = f"http://testserver/member/{member.pk}"
    response = browser_client.post("/earn", form, headers={"referer": referer})
    assert response.status_code == 401
    assert "Nothing was saved" in response.content.decode()
    assert f"/sign-in?next=%2Fmember%2F{member.pk}" in response.content.decode()
    assert not PointTransaction.objects.filter(location=location).exists()


@pytest.mark.django_db(transaction=True)
def test_a_location_that_is_deleted_while_points_are_given_is_404(till):
    member, location = make_member(), make_location()
    responses = []

    def earn() -> None:
        responses.append(till.post("/earn", earn_body(member, location), format="json"))
        connection.close()

    with psycopg.connect(database_url()) as other:
        other.execute("DELETE FROM loyalty_location WHERE id = %s", [location.pk])
        thread = threading.Thread(target=earn)
        thread.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        with psycopg.connect(database_url(), autocommit=True) as watcher:
            wait_for(lambda: watcher.execute(waiting).fetchone()[0], "the award to wait for the deletion", 20)
        other.commit()
        thread.join(PATIENCE)
    assert (responses[0].status_code, set(responses[0].json())) == (404, {"error"})
    assert not Location.objects.exists()
    member.refresh_from_db()
    assert member.points_balance == 100
