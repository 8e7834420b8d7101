"""The last guests of today, before anybody is looked for: what they got can be taken back there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from loyalty.models import Confirmation, Member, PointTransaction
from loyalty.points.services import enrolment
from tests.conftest import make_user, undone
from tests.loyalty.cards.till.counter import take_backs

pytestmark = pytest.mark.django_db


def test_points_are_taken_back_from_the_list(counter, location, mia):
    noah = enrolment.enrol(email="noah@example.com", name="Noah")
    counter.open(f"/member/{mia.pk}").give("12.50")
    counter.open(f"/member/{noah.pk}").give("20")
    earned = PointTransaction.objects.get(customer=mia, order_total__isnull=False)
    counter.open("/till")
    assert take_backs(counter.seen)[1] == f"/transactions/{earned.pk}/reverse"
    assert "Yes, take 12 points back" in counter.page
    counter.send(f"/transactions/{earned.pk}/reverse", note="wrong guest")
    assert counter.at == f"/member/{mia.pk}"
    assert "12 points taken back. New balance: 100." in counter.page
    counter.open("/till")
    assert "Mia Kelly" not in counter.page
    assert len(take_backs(counter.seen)) == 1


def test_later_than_that_it_is_on_the_guests_page_alone(counter, location, mia, monkeypatch, subtests):
    for group in ["Cashiers", "Managers"]:
        with subtests.test(group=group), undone():
            counter.client.force_login(make_user(group, username=f"of-{group}"))
            counter.open(f"/member/{mia.pk}").give("12.50")
            assert len(take_backs(counter.open("/till").seen)) == 1
            with monkeypatch.context() as later:
                later.setattr("loyalty.rules.UNDO_WINDOW", timedelta(0))
                assert "Mia Kelly" in counter.open("/till").page
                assert take_backs(counter.seen) == []


def test_a_colleagues_guests_are_not_listed(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("12.50")
    counter.client.force_login(make_user("Cashiers", username="colleague"))
    assert "Mia Kelly" not in counter.open("/till").page


def test_the_sixth_guest_and_rewards_stand_below_those_who_came_last(counter, location, mia, redemption):
    counter.open(f"/use/{redemption.redemption_code}").send(f"/use/{redemption.redemption_code}/confirm")
    for number in range(5):
        other = enrolment.enrol(email=f"noah{number}@example.com", name=f"Noah {number}")
        counter.open(f"/member/{other.pk}").give("20")
    folded = counter.open("/till").seen.one("details", "Earlier today (1 entry)")
    assert (len(take_backs(counter.seen)), take_backs(folded)) == (5, [])
    assert f"/use/{redemption.redemption_code}" in folded.addresses()
    assert redemption.reward.name in folded
    counter.open(f"/member/{mia.pk}").give("12.50")
    assert len(take_backs(counter.open("/till").seen.one("details", "Earlier today (2 entries)"))) == 1
    listed = counter.client.get("/till", headers={"Accept": "application/json"}).json()["latest"]
    assert [row["name"] for row in listed] == ["Mia Kelly", "Noah 4", "Noah 3", "Noah 2", "Noah 1"]
    Confirmation.objects.update(undone_at=timezone.now())
    assert counter.open("/till").seen.one("details", "Earlier today (1 entry)")


def test_with_a_code_for_all_that_the_points_buy_nothing_is_said_to_be_redeemable(counter, mia, redemption):
    Member.objects.update(points_balance=100)
    page = counter.open(f"/member/{mia.pk}").seen
    assert "Redeem with points" not in page
    assert "to the first reward" not in page
    assert page.one("details", f"Redeem {redemption.reward.name} again")
    redemption.delete()
    assert "Redeem with points" in counter.open(f"/member/{mia.pk}").page


def test_a_percentage_has_no_zero_at_its_end(counter, mia, redemption, subtests):
    for value, text in [(10, "10%"), (12.5, "12.5%"), ("12.50", "12.5%"), (12.25, "12.25%")]:
        with subtests.test(value=value, text=text), undone():
            redemption.reward.reward_value = {"discount_percent": value}
            redemption.reward.save()
            assert f"Take {text} off the bill" in counter.open(f"/use/{redemption.redemption_code}").page
