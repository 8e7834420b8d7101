"""A member is erased while the till and others work with the card."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from loyalty.errors import MemberErased
from loyalty.members.services import members
from loyalty.models import Member, Notification, PointTransaction, Programme
from loyalty.points.services import expiry
from tests.at_once import at_once
from tests.loyalty.making import make_location, make_member, make_reward
from tests.loyalty.points.test_points_races import awarding, poster, redeeming, statuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def erasing(token, member):
    return poster(token, f"/member/{member.pk}/erase", {})


def test_of_ten_at_once_one_erases_and_the_others_are_told_so(token):
    member = make_member()
    assert statuses(at_once([erasing(token, member)] * 10)) == [200] + [404] * 9
    assert Member.objects.get().name == "Erased member"


def test_points_that_are_earned_meanwhile_name_nobody(token):
    location, reward = make_location(), make_reward(points=10)
    for _ in range(2):
        cards = [make_member("Ada Lovelace", lifetime=990) for _ in range(3)]
        calls = []
        for member in cards:
            key = {"Idempotency-Key": member.email}
            calls += [awarding(token, member, location, 30, key), redeeming(token, member, reward, key)]
            calls += [erasing(token, member)]
        responses = at_once(calls)
        assert statuses(responses[2::3]) == [200] * 3
        assert set(statuses(responses[::3] + responses[1::3])) <= {200, 404}
    assert not PointTransaction.objects.exclude(idempotency_key=None).exists()
    assert not PointTransaction.objects.exclude(result="").exists()
    assert not Notification.objects.exists()
    assert set(Member.objects.values_list("name", flat=True)) == {"Erased member"}
    call_command("check_ledger")


def test_an_address_that_is_given_back_is_taken_once(token):
    member = make_member(email="ada@example.com")

    def enrolling() -> tuple[int, str]:
        response = APIClient().post("/members", {"email": "ADA@example.com", "name": "Ada"}, format="json")
        return response.status_code, response.content.decode()

    responses = at_once([erasing(token, member), *[enrolling] * 5])
    assert responses[0][0] == 200
    assert statuses(responses[1:]).count(201) <= 1
    assert set(statuses(responses[1:])) <= {201, 409}


def test_an_admin_s_correction_does_not_bring_the_name_back(token):
    for _ in range(3):
        member = make_member("Ada Lovelace")

        def correcting(member=member) -> str:
            try:
                members.correct(member=member, changes={"name": "Ada Byron"})
            except MemberErased:
                return "erased"
            return "changed"

        at_once([erasing(token, member), correcting, correcting])
        member.refresh_from_db()
        assert member.name == "Erased member"


def test_points_expire_once_while_the_card_is_erased(token):
    Programme.objects.create(expires_after_months=1)
    now = timezone.now()
    cards = [make_member(created_at=now - timedelta(days=60)) for _ in range(6)]
    at_once([*(erasing(token, member) for member in cards), lambda: expiry.expire(now=now)])
    assert sum(Member.objects.values_list("points_balance", flat=True)) == 0
    call_command("check_ledger")
