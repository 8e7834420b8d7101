"""A member downloads what is stored about them."""

import pytest
from rest_framework.test import APIClient

from qrservice.models import Code, Scan
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.making import change, earn_body, enrol, make_member, make_reward, redeem, with_token
from tests.loyalty.members.test_sign_in_links import link, request_link

pytestmark = pytest.mark.django_db


def address(member) -> str:
    return f"/member/{member.pk}/data"


def test_the_file_has_everything(till, location):
    phone, member = enrol("ada@example.com", "Ada Lovelace")
    till.post("/earn", earn_body(member, location, 1000), format="json")
    code = redeem(phone, member, make_reward(points=50)).json()["redemptionCode"]
    till.post(f"/use/{code}/confirm", {"locationId": str(location.pk)}, format="json")
    Scan.objects.create(code=Code.objects.get(analytics_id=member.qr_analytics_id), city="Graz", device_type="iOS")
    request_link(phone, email=member.email)
    phone.post(link())
    change(member, note="Window table")
    response = phone.get(address(member), headers={"accept": PAGE})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["Content-Disposition"].startswith('attachment; filename="card-2')
    assert response["Cache-Control"] == "no-store"
    data = response.json()
    member.refresh_from_db()
    assert data["member"] == {
        "id": str(member.pk), "name": "Ada Lovelace", "email": "ada@example.com", "phone": "", "tier": "silver",
        "newEmail": "", "newEmailAskedAt": None,
        "pointsBalance": 1050, "lifetimePoints": 1100,
        "offersAgreedAt": None, "note": "Window table", **{name: data["member"][name] for name in (
            "joinedAt", "lastActivityAt", "signedInByLinkAt")},
    }  # fmt: skip
    assert [(row["type"], row["points"], row["location"]) for row in data["transactions"]] == [
        ("earn", 100, None), ("earn", 1000, "Harbour"), ("redeem", -50, None),
    ]  # fmt: skip
    assert data["transactions"][1]["orderTotal"] == 1000
    assert [(row["code"], row["status"]) for row in data["redemptions"]] == [(code, "used")]
    assert data["redemptions"][0]["confirmations"][0]["location"] == "Harbour"
    assert [row["title"] for row in data["notifications"]] == ["Welcome to silver"]
    assert [(row["city"], row["deviceType"]) for row in data["scans"]] == [("Graz", "iOS")]
    assert data["warnings"] == []


def test_the_number_of_queries_does_not_grow_with_the_history(till, location, django_assert_max_num_queries):
    phone, member = enrol()
    for _ in range(3):
        till.post("/earn", earn_body(member, location, 100), format="json")
        code = redeem(phone, member, make_reward(points=10)).json()["redemptionCode"]
        till.post(f"/use/{code}/confirm", {}, format="json")
    with django_assert_max_num_queries(11):
        assert len(phone.get(address(member)).json()["redemptions"]) == 3


def test_without_the_code_service_the_scans_are_not_known(code_service):
    phone, member = enrol()
    code_service()
    data = phone.get(address(member)).json()
    assert data["scans"] is None
    assert len(data["warnings"]) == 1


def test_the_member_and_managers_may_and_nobody_else(api, location):
    phone, member = enrol()
    assert with_token(make_user("Managers")).get(address(member)).status_code == 200
    assert api.get(address(member)).status_code == 401
    assert api.get(address(member), headers={"accept": PAGE})["Location"].startswith("/member-sign-in?next=")
    assert phone.get(address(make_member())).status_code == 403
    for group in ("Cashiers", "Floor"):
        assert signed_in(make_user(group)).get(address(member)).status_code == 403


def test_the_account_is_the_members_own_and_nobody_elses(api):
    phone, member = enrol()
    account = f"/member/{member.pk}/account"
    data = phone.get(account).json()
    assert list(data) == ["customerId", "name", "email", "newEmail", "phone", "offersAgreedAt", "notifications"]
    assert (data["customerId"], data["email"]) == (str(member.pk), member.email)
    assert phone.get(f"/member/{make_member().pk}/account").status_code == 403
    assert api.get(account).status_code == 401
    assert api.get(account, headers={"accept": PAGE})["Location"].startswith("/member-sign-in?next=")
    for group in ("Cashiers", "Floor", "Managers"):
        assert signed_in(make_user(group)).get(account).status_code == 403


def test_the_account_of_staff_leads_back_to_their_card_and_not_to_the_till():
    phone, member = enrol()
    assert f'href="/member/{member.pk}"' in account_page(phone, member)
    phone.force_login(make_user("Cashiers"))
    assert f'href="/member/{member.pk}?view=card"' in account_page(phone, member)


def account_page(phone, member):
    return phone.get(f"/member/{member.pk}/account", headers={"accept": PAGE}).content.decode()


def test_the_account_has_a_link_to_the_file_and_one_to_leave():
    phone, member = enrol()
    page = account_page(phone, member)
    assert f'href="{address(member)}" download' in page
    assert f'href="/member/{member.pk}/erase"' in page
    page = APIClient().get(f"/member/{member.pk}", headers={"accept": PAGE}).content.decode()
    assert "/account" not in page
