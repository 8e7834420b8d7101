"""The user who was signed in is stored beside the staffId of the request, and survives the user's deletion."""

import pytest
from django.contrib.auth.models import User

from loyalty.models import Confirmation, Member, PointTransaction, Redemption
from tests.conftest import browser_of, make_user
from tests.loyalty.admin.pages import exported, list_of, page_of, text_of, words_of
from tests.loyalty.making import earn_body, enrol, redeem

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager():
    return browser_of(make_user("Managers", "mia"))


def test_an_award_in_somebody_else_s_name_says_who_was_signed_in(till, member, location, manager):
    body = earn_body(member, location, 9_999_999, staffId="manager")
    response = till.post("/earn", body, format="json")
    assert response.status_code == 200
    assert set(response.json()) == {"pointsEarned", "newBalance", "tier", "message"}
    row = PointTransaction.objects.get(staff_id="manager")
    assert row.recorded_by == "carla"
    assert exported(manager, "pointtransaction")[0][-2:] == ["Staff", "Entered by"]
    assert exported(manager, "pointtransaction", q="carla")[1][-2:] == ["manager", "carla"]
    for page in (list_of("pointtransaction"), page_of(row), page_of(member)):
        assert "carla" in text_of(manager.get(page))


def test_a_session_is_recorded_like_a_token_also_without_a_staff_id(cashier, member, location):
    assert cashier.post("/earn", earn_body(member, location), format="json").status_code == 200
    row = PointTransaction.objects.latest("created_at")
    assert (row.staff_id, row.recorded_by) == ("cashiers", "cashiers")


def test_a_confirmation_and_a_redemption_at_the_till_say_who_was_signed_in(till, member, reward, manager):
    code = redeem(till, member, reward).json()["redemptionCode"]
    response = till.post(f"/use/{code}/confirm", {"staffId": "manager"}, format="json")
    assert set(response.json()) == {"success", "message"}
    redemption = Redemption.objects.get()
    assert redemption.recorded_by == PointTransaction.objects.get(type="redeem").recorded_by == "carla"
    confirmation = Confirmation.objects.get()
    assert (confirmation.staff_id, confirmation.recorded_by) == ("manager", "carla")
    assert "manager carla" in words_of(manager.get(page_of(redemption)))
    heading, row = exported(manager, "redemption")
    assert dict(zip(heading, row, strict=True))["Entered by"] == "carla"


def test_it_survives_the_user(till, member, location):
    till.post("/earn", earn_body(member, location), format="json")
    User.objects.get(username="carla").delete()
    assert PointTransaction.objects.latest("created_at").recorded_by == "carla"


def test_what_a_guest_does_is_recorded_by_nobody(reward):
    phone, member = enrol()
    assert redeem(phone, member, reward).status_code == 200
    assert set(PointTransaction.objects.values_list("recorded_by", flat=True)) == {None}
    assert Redemption.objects.get().recorded_by is None


def test_an_enrolment_at_the_till_says_who_was_signed_in(cashier):
    cashier.post("/members", {"email": "bob@example.com", "name": "Bob"}, format="json")
    assert PointTransaction.objects.get(customer=Member.objects.get()).recorded_by == "cashiers"


def test_points_given_in_the_admin_say_who_was_signed_in(manager, member):
    page = f"/admin/loyalty/member/{member.pk}/points/"
    manager.post(page, {"direction": "give", "points": "5", "reason": "Burnt toast"})
    row = PointTransaction.objects.get(type="bonus")
    assert (row.staff_id, row.recorded_by) == ("mia", "mia")
