"""Tills, phones and managers that do the same thing at the same moment."""

import re

import pytest
from django.core import mail
from django.core.management import call_command
from rest_framework.test import APIClient

from config.models import StaffToken
from loyalty.models import Confirmation, Member, Redemption
from qrservice.models import Code
from tests.at_once import at_once
from tests.conftest import make_user
from tests.loyalty.making import make_location, make_member, make_reward, redeem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def new_client(group: str) -> APIClient:
    _token, key = StaffToken.objects.create(user=make_user(group))
    return APIClient(headers={"Authorization": f"Token {key}"})


def live_codes() -> list[str]:
    return list(Code.objects.filter(status="active").values_list("analytics_id", flat=True))


def test_of_ten_tills_that_confirm_one_code_nine_are_warned(transactional_db):
    till = new_client("Cashiers")
    code = redeem(till, make_member(), make_reward()).json()["redemptionCode"]

    def confirm() -> str:
        response = till.post(f"/use/{code}/confirm", {}, format="json")
        assert response.status_code == 200
        return response.json()["message"]

    messages = at_once([confirm] * 10)
    assert sum(message.startswith("Attention") for message in messages) == 9
    found = sorted(Confirmation.objects.values_list("found", flat=True))
    assert found == ["active"] + ["used"] * 9
    assert Confirmation.objects.filter(created_at=Redemption.objects.get().used_at).exists()


def test_ten_taps_on_one_form_are_one_confirmation(transactional_db):
    till = new_client("Cashiers")
    code = redeem(till, make_member(), make_reward()).json()["redemptionCode"]
    responses = at_once([lambda: till.post(f"/use/{code}/confirm", {"tap": "one form"}).content] * 10)
    assert len(set(responses)) == 1
    assert b"Attention" not in responses[0]
    assert Confirmation.objects.count() == 1


def test_of_ten_enrolments_of_one_address_one_gets_the_card(transactional_db):
    address = "ada@example.com"
    spellings = ["".join(c.upper() if n == i else c for i, c in enumerate(address)) for n in range(10)]

    def enrolling(email: str):
        body = {"email": email, "name": "Ada"}
        return lambda: APIClient().post("/members", body, format="json").status_code

    assert sorted(at_once([enrolling(email) for email in spellings])) == [201] + [409] * 9
    assert live_codes() == [Member.objects.get().qr_analytics_id]
    call_command("check_ledger")


def test_of_ten_codes_for_one_location_one_stays(transactional_db):
    manager, location = new_client("Managers"), make_location()

    def make() -> str:
        response = manager.post(f"/locations/{location.pk}/qr")
        assert response.status_code == 200
        return response.content.decode()

    responses = at_once([make] * 10)
    location.refresh_from_db()
    assert live_codes() == [location.earn_qr_analytics_id]
    assert len(set(responses)) == 1


def test_of_ten_phones_with_one_link_one_is_signed_in(transactional_db):
    member = make_member(email="ada@example.com")
    APIClient().post("/member-sign-in", {"email": member.email}, format="json")
    path = re.search(r"https?://[^/\s]+(/member-sign-in/\S+)", mail.outbox[0].body)[1]

    def use() -> tuple[int, bool]:
        response = APIClient().post(path)
        return response.status_code, "member" in response.cookies

    assert sorted(at_once([use] * 10)) == [(200, True)] + [(410, False)] * 9
