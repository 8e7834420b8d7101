"""The staff's pages are the staff's, and the front page leads everyone to theirs."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from loyalty.models import Location, Member, PointTransaction
from loyalty.points.services import enrolment
from tests.conftest import PAGE, make_user, signed_in, undone
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def cashier(browser_client) -> Client:
    browser_client.force_login(make_user("Cashiers"))
    return browser_client


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_guest_is_led_to_the_staff_sign_in_and_who_has_no_group_is_refused(browser_client, subtests):
    for path in ["/till?q=mia", "/use/RWD-AAAAAA", "/confirmations/1"]:
        with subtests.test(path=path), undone():
            response = browser_client.get(path)
            assert response.status_code == 302
            assert response["Location"].startswith("/sign-in?next=")
            browser_client.force_login(User.objects.create_user("nobody"))
            assert browser_client.get(path).status_code == 403


def test_the_floor_sees_guests_and_hands_out_their_rewards_but_gives_no_points(browser_client):
    mia = enrolment.enrol(email="mia@example.com", name="Mia")
    place = Location.objects.create(name="Orchard Row")
    browser_client.force_login(make_user("Floor"))
    assert "Mia" in page(browser_client, "/till?q=mia")
    card = read(browser_client.get(f"/member/{mia.pk}"))
    assert "100 points" in card
    assert not card.all("button", "Add points")
    floor = signed_in(User.objects.get())
    earning = {"customerId": str(mia.pk), "locationId": str(place.pk), "orderTotal": 10}
    assert floor.post("/earn", earning, format="json").status_code == 403


def test_a_form_without_its_token_gives_nothing(cashier):
    mia = enrolment.enrol(email="mia@example.com", name="Mia")
    place = Location.objects.create(name="Orchard Row")
    fields = {"customerId": str(mia.pk), "locationId": str(place.pk), "orderTotal": "10"}
    assert cashier.post("/earn", fields).status_code == 403
    assert not PointTransaction.objects.filter(location=place).exists()


def test_the_front_page_leads_to_the_till_whoever_may_work_there(browser_client, subtests):
    for group, is_led in [("Cashiers", True), ("Floor", True), ("Managers", True)]:
        with subtests.test(group=group, is_led=is_led), undone():
            browser_client.force_login(make_user(group))
            assert ('href="/till"' in page(browser_client, "/")) is is_led


def test_a_visitor_is_led_to_enrolment_or_to_the_own_card(db):
    phone = Client(headers={"accept": PAGE})
    assert 'href="/till"' not in page(phone, "/")
    assert 'href="/signup"' in page(phone, "/")
    assert 'href="/member-sign-in"' in page(phone, "/")
    phone.post("/members", {"email": "own@example.com", "name": "Own Phone"})
    own = Member.objects.get()
    assert f'href="/member/{own.pk}"' in page(phone, "/")
    assert "Own Phone" in page(phone, "/")
    assert 'href="/signup"' not in page(phone, "/")


def test_a_forged_cookie_leads_to_nobodys_card(db):
    own = enrolment.enrol(email="own@example.com", name="Own Phone")
    phone = Client(headers={"accept": PAGE})
    phone.cookies["member"] = f"{own.pk}:1abcde:forged"
    assert "Own Phone" not in page(phone, "/")
    assert 'href="/signup"' in page(phone, "/")
