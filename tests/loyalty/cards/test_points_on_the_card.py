"""The points that a tier gives, on the card and in its activity."""

from decimal import Decimal

import pytest
from django.utils.html import strip_tags

from loyalty.models import Location, Member, Programme
from loyalty.points.services import points
from tests.conftest import undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def kiosk() -> Location:
    return Location.objects.create(name="Kiosk")


def card_of(phone) -> str:
    return " ".join(strip_tags(phone.get(f"/member/{Member.objects.get().pk}").content.decode()).split())


def award(kiosk: Location, total: str) -> None:
    points.award(member_id=str(Member.objects.get().pk), location_id=str(kiosk.pk), order_total=Decimal(total))


def rewards_of(phone) -> str:
    return " ".join(strip_tags(phone.get(f"/rewards?customerId={Member.objects.get().pk}").content.decode()).split())


def at_tier(tier: str, lifetime_points: int) -> None:
    Member.objects.update(tier=tier, lifetime_points=lifetime_points)


def test_the_card_says_what_its_tier_gives_and_the_next_one(phone, subtests):
    for tier, lifetime, words, further in [
        ("bronze", 100, "Bronze: 1 point for every €1 Next tier", "Silver: 1.25 points for every whole €1 100"),
        (
            "silver",
            1_000,
            "Silver: 1.25 points for every whole €1 Next tier",
            "Gold: 1.5 points for every whole €1 1,000 of",
        ),
        (
            "gold",
            5_000,
            "Gold: 1.5 points for every whole €1 Next tier",
            "Platinum: 2 points for every whole €1 5,000 of",
        ),
        ("platinum", 10_000, "Platinum: 2 points for every whole €1 Top tier", "Top tier 10,000 lifetime points"),
    ]:
        with subtests.test(tier=tier, lifetime=lifetime, words=words, further=further), undone():
            at_tier(tier, lifetime)
            card = card_of(phone)
            assert words in card
            assert further in card


def test_what_the_owner_sets_is_what_the_card_says(phone):
    Programme.objects.create(pk=1, points_per_unit="10", silver_multiplier="2.50")
    assert "Bronze: 10 points for every €1" in card_of(phone)
    at_tier("silver", 1_000)
    assert "Silver: 25 points for every €1" in card_of(phone)


def test_the_rewards_page_says_so_too_with_how_far_the_next_tier_is(phone):
    at_tier("gold", 7_581)
    assert "Gold: 1.5 points for every whole €1 Platinum: 2 points for every whole €1 2,419 to go" in rewards_of(phone)
    at_tier("platinum", 10_000)
    rewards = rewards_of(phone)
    assert "Platinum: 2 points for every whole €1" in rewards
    assert "Gold" not in rewards


def test_the_activity_says_by_what_a_bill_was_multiplied(phone, kiosk):
    award(kiosk, "20")
    assert "€20.00" in card_of(phone)
    assert "×" not in card_of(phone)
    at_tier("gold", 5_000)
    award(kiosk, "95.70")
    card = card_of(phone)
    assert "+142" in card
    assert "€95.70 · 95 points × 1.5" in card  # a member can work it out: 142.5
    assert card.count("×") == 1
    at_tier("platinum", 10_000)  # which doesn't change how the points of that day came about
    assert "€95.70 · 95 points × 1.5" in card_of(phone)


def test_where_several_tiers_would_give_the_same_the_activity_says_nothing(phone, kiosk):
    at_tier("silver", 1_000)
    award(kiosk, "1")  # a point in bronze, silver and gold
    card = card_of(phone)
    assert "€1.00" in card
    assert "×" not in card
    Programme.objects.create(pk=1, silver_multiplier=3)  # and today's rules don't explain those of that day
    award(kiosk, "10")
    assert card_of(phone).count("€10.00 · 10 points × 3") == 1
    Programme.objects.update(silver_multiplier="1.4")
    assert "×" not in card_of(phone)
