"""POST /earn."""

import re
from decimal import Decimal

import pytest
from django.utils import timezone

from loyalty.models import PointTransaction, Programme
from tests.conftest import make_user, undone, unknown_id
from tests.loyalty.making import change, earn_body, make_member, with_token

pytestmark = pytest.mark.django_db

# Tier, lifetime points of its first, total, points: whole units times the multiplier, rounded down twice.
POINTS = [
    ("bronze", 100, "0.99", 0), ("bronze", 100, "1", 1), ("bronze", 100, "1.99", 1), ("bronze", 100, "99.99", 99),
    ("silver", 1000, "0.99", 0), ("silver", 1000, "1", 1), ("silver", 1000, "3", 3), ("silver", 1000, "4", 5),
    ("silver", 1000, "7.99", 8), ("silver", 1000, "100", 125),
    ("gold", 5000, "1", 1), ("gold", 5000, "2", 3), ("gold", 5000, "3.99", 4), ("gold", 5000, "101", 151),
    ("platinum", 10000, "0.5", 0), ("platinum", 10000, "1.99", 2), ("platinum", 10000, "33", 66),
    ("diamond", 6000, "10", 10),
]  # fmt: skip
TIERS = {0: "bronze", 999: "bronze", 1000: "silver", 4999: "silver", 5000: "gold", 9999: "gold", 10000: "platinum"}
# As written in JSON, rounded half up before anything is computed, points.
TOTALS = [
    ("12.345", "12.35", 12), ("12.344999", "12.34", 12), ("0.005", "0.01", 0), ("0.995", "1.00", 1),
    ("1.005", "1.01", 1), ("2.675", "2.68", 2), ("9.995", "10.00", 10), ("1e2", "100.00", 100), ("1.5E+1", "15.00", 15),
    ("99999999.99", "99999999.99", 99999999), ("99999999.994", "99999999.99", 99999999), ("0.01", "0.01", 0),
    ("7", "7.00", 7), ("7.0", "7.00", 7),
]  # fmt: skip
NO_TOTALS = [
    "0", "-0.0", "0.004", "-1", "-0.01", "99999999.995", "100000000", "1e400", "-1e400", "1e30", "1e-400",
    "true", "false", "null", '"10"', '"10,50"', '""', "[10]", "{}", "9" * 4000,
]  # fmt: skip


def earn(client, member, location, total=10, **values):
    return client.post("/earn", earn_body(member, location, total, **values), format="json")


def earn_text(client, member, location, number: str):
    """Send the order total written exactly like this."""
    body = f'{{"customerId": "{member.pk}", "locationId": "{location.pk}", "orderTotal": {number}}}'
    return client.post("/earn", body, content_type="application/json")


def purchase() -> PointTransaction:
    return PointTransaction.objects.get(order_total__isnull=False)


def test_an_award_is_stored_and_has_the_documented_response(till, member, location):
    now = timezone.now()
    response = earn(till, member, location, 42.5, staffId="till 3")
    assert response.status_code == 200
    assert set(response.json()) == {"pointsEarned", "newBalance", "tier", "message"}
    assert [response.json()[name] for name in ("pointsEarned", "newBalance", "tier")] == [42, 142, "bronze"]
    assert "42" in response.json()["message"]

    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points, member.tier) == (142, 142, "bronze")
    row = purchase()
    assert (row.customer, row.type, row.points, row.order_total) == (member, "earn", 42, Decimal("42.50"))
    assert (row.location, row.staff_id) == (location, "till 3")
    assert re.search("Purchase.*Harbour", row.description)
    assert now < row.created_at == member.last_activity_at


def test_points_are_whole_units_times_the_multiplier_of_the_tier_rounded_down_twice():
    found = [Programme().points_for(Decimal(total), tier) for tier, _lifetime, total, _points in POINTS]
    assert found == [points for *_, points in POINTS]


def test_the_tier_is_that_of_the_lifetime_points(till, location):
    assert {lifetime: Programme().tier_of(lifetime) for lifetime in TIERS} == TIERS
    for lifetime, total, before, after in (
        (100, 899, "bronze", "bronze"), (100, 900, "bronze", "silver"), (4999, 1, "silver", "gold"),
        (100, 9900, "bronze", "platinum"), (10000, 1, "platinum", "platinum"),
    ):  # fmt: skip
        member = make_member(lifetime=lifetime, balance=0)
        assert member.tier == before
        assert earn(till, member, location, total).json()["tier"] == after
        member.refresh_from_db()
        assert member.tier == after


def test_the_multiplier_is_that_of_the_tier_before_the_award(till, location):
    member = make_member(lifetime=999)
    awards = [earn(till, member, location, 100).json() for _ in range(2)]
    assert [(data["pointsEarned"], data["newBalance"], data["tier"]) for data in awards] == [
        (100, 1099, "silver"), (125, 1224, "silver"),
    ]  # fmt: skip


def test_spending_lowers_the_balance_and_never_the_tier(till, location):
    member = make_member(lifetime=5000, balance=0)
    data = earn(till, member, location, 10).json()
    assert (data["pointsEarned"], data["newBalance"], data["tier"]) == (15, 15, "gold")


def test_a_tier_that_is_unknown_or_too_high_is_mended_by_the_award(till, location):
    unknown, high = make_member(lifetime=6000, tier="diamond"), make_member(lifetime=100, tier="platinum")
    data = earn(till, unknown, location, 10).json()
    assert (data["pointsEarned"], data["tier"]) == (10, "gold")
    data = earn(till, high, location, 10).json()
    assert (data["pointsEarned"], data["newBalance"], data["tier"]) == (20, 120, "bronze")


def test_the_total_is_rounded_half_up_before_anything_is_computed(till, member, location):
    wrong = []
    for written, stored, points in TOTALS:
        with undone():
            response = earn_text(till, member, location, written)
            if (response.json().get("pointsEarned"), str(purchase().order_total)) != (points, stored):
                wrong.append((written, response.json(), purchase().order_total))
    assert wrong == []


def test_what_is_no_amount_is_400_and_named(till, member, location):
    responses = {written: earn_text(till, member, location, written) for written in NO_TOTALS}
    answers = {
        written: (response.status_code, set(response.json().get("fields", [])))
        for written, response in responses.items()
    }
    assert answers == dict.fromkeys(NO_TOTALS, (400, {"orderTotal"}))
    assert not PointTransaction.objects.filter(order_total__isnull=False).exists()


def test_an_unknown_member_or_location_is_404_and_changes_nothing(till, member, location):
    for field in ("customerId", "locationId"):
        response = earn(till, member, location, **{field: unknown_id()})
        assert (response.status_code, set(response.json())) == (404, {"error"})
    member.refresh_from_db()
    assert (member.points_balance, PointTransaction.objects.count()) == (100, 1)


def test_everything_that_is_wrong_is_named(till):
    response = till.post("/earn", {"orderTotal": "ten"}, format="json")
    assert set(response.json()["fields"]) == {"customerId", "locationId", "orderTotal"}


def test_without_a_staff_id_the_user_name_is_stored(till, member, location):
    longest = with_token(make_user("Cashiers", "c" * 150))
    for client, staff, stored in (
        (till, {}, "carla"), (till, {"staffId": ""}, "carla"), (till, {"staffId": None}, "carla"),
        (longest, {}, "c" * 150),
    ):  # fmt: skip
        with undone():
            assert earn(client, member, location, **staff).status_code == 200
            assert purchase().staff_id == stored


def test_ids_in_upper_case_are_the_same_and_unknown_fields_are_ignored(till, member, location):
    ids = {"customerId": str(member.pk).upper(), "locationId": str(location.pk).upper()}
    assert earn(till, member, location, **ids, points=1000, tier="platinum").json()["newBalance"] == 110
    assert purchase().customer == member


def test_more_points_than_the_columns_hold_are_refused(till, location):
    member = make_member(lifetime=2_147_483_647 - 9, balance=0)
    response = earn(till, member, location, 5)
    assert (response.status_code, set(response.json())) == (400, {"error"})
    assert earn(till, member, location, 4).json()["newBalance"] == 8


def test_an_award_of_nothing_is_still_a_visit(till, member, location):
    now = timezone.now()
    change(member, last_activity_at=None)
    assert earn(till, member, location, 0.5).json()["pointsEarned"] == 0
    member.refresh_from_db()
    assert member.last_activity_at > now
    assert purchase().points == 0
