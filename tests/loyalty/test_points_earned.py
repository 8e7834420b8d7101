"""POST /earn."""

from decimal import Decimal

import pytest

from loyalty.models import PointTransaction
from tests.conftest import make_user, unknown_id
from tests.loyalty.conftest import change, earn_body, make_member, with_token

pytestmark = pytest.mark.django_db


def earn(client, member, location, total=10, **values):
    return client.post("/earn", earn_body(member, location, total, **values), format="json")


def earn_text(client, member, location, number: str):
    """With the order total written exactly like this."""
    body = f'{{"customerId": "{member.pk}", "locationId": "{location.pk}", "orderTotal": {number}}}'
    return client.post("/earn", body, content_type="application/json")


def purchase() -> PointTransaction:
    return PointTransaction.objects.get(order_total__isnull=False)


def test_an_award_is_stored_and_has_the_documented_response(till, member, location, now):
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
    assert "Purchase" in row.description
    assert "Harbour" in row.description
    assert now < row.created_at == member.last_activity_at


@pytest.mark.parametrize(("tier", "lifetime", "total", "points"), [
    ("bronze", 100, 0.99, 0), ("bronze", 100, 1, 1), ("bronze", 100, 1.99, 1), ("bronze", 100, 99.99, 99),
    ("silver", 1000, 0.99, 0), ("silver", 1000, 1, 1), ("silver", 1000, 3, 3), ("silver", 1000, 4, 5),
    ("silver", 1000, 7.99, 8), ("silver", 1000, 100, 125),
    ("gold", 5000, 1, 1), ("gold", 5000, 2, 3), ("gold", 5000, 3.99, 4), ("gold", 5000, 101, 151),
    ("platinum", 10000, 0.5, 0), ("platinum", 10000, 1.99, 2), ("platinum", 10000, 33, 66),
])  # fmt: skip
def test_points_are_whole_units_times_the_tier_s_multiplier_rounded_down_twice(
    till, location, tier, lifetime, total, points
):
    member = make_member(lifetime=lifetime)
    assert member.tier == tier
    assert earn(till, member, location, total).json()["pointsEarned"] == points


@pytest.mark.parametrize(("lifetime", "total", "before", "after"), [
    (100, 899, "bronze", "bronze"), (100, 900, "bronze", "silver"), (999, 1, "bronze", "silver"),
    (4998, 1, "silver", "silver"), (4999, 1, "silver", "gold"), (9998, 1, "gold", "gold"),
    (9999, 1, "gold", "platinum"), (100, 5000, "bronze", "gold"), (100, 9900, "bronze", "platinum"),
    (10000, 1, "platinum", "platinum"),
])  # fmt: skip
def test_the_tier_after_an_award_is_that_of_the_lifetime_points(till, location, lifetime, total, before, after):
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


def test_an_unknown_tier_multiplies_by_one_and_is_mended(till, location):
    member = make_member(lifetime=6000, tier="diamond")
    data = earn(till, member, location, 10).json()
    assert (data["pointsEarned"], data["tier"]) == (10, "gold")


def test_a_tier_that_is_too_high_is_lowered_after_the_award(till, location):
    member = make_member(lifetime=100, tier="platinum")
    data = earn(till, member, location, 10).json()
    assert (data["pointsEarned"], data["newBalance"], data["tier"]) == (20, 120, "bronze")


@pytest.mark.parametrize(("written", "stored", "points"), [
    ("12.345", "12.35", 12), ("12.344999", "12.34", 12), ("0.005", "0.01", 0), ("0.995", "1.00", 1),
    ("1.005", "1.01", 1), ("2.675", "2.68", 2), ("9.995", "10.00", 10), ("1e2", "100.00", 100), ("1.5E+1", "15.00", 15),
    ("99999999.99", "99999999.99", 99999999), ("99999999.994", "99999999.99", 99999999), ("0.01", "0.01", 0),
    ("7", "7.00", 7), ("7.0", "7.00", 7),
])  # fmt: skip
def test_the_total_is_rounded_half_up_before_anything_is_computed(till, member, location, written, stored, points):
    response = earn_text(till, member, location, written)
    assert (response.status_code, response.json()["pointsEarned"]) == (200, points)
    assert purchase().order_total == Decimal(stored)


@pytest.mark.parametrize("written", [
    "0", "-0.0", "0.004", "-1", "-0.01", "99999999.995", "100000000", "1e400", "-1e400", "1e30", "1e-400",
    "true", "false", "null", '"10"', '"10,50"', '""', "[10]", "{}", "9" * 4000,
])  # fmt: skip
def test_what_is_no_amount_is_400_and_named(till, member, location, written):
    response = earn_text(till, member, location, written)
    assert response.status_code == 400
    assert set(response.json()["fields"]) == {"orderTotal"}
    assert not PointTransaction.objects.filter(order_total__isnull=False).exists()


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity", "9" * 5000, "1.", "01", "0x10", ""])
def test_what_is_no_json_is_400(till, member, location, written):
    response = earn_text(till, member, location, written)
    assert (response.status_code, set(response.json())) == (400, {"error"})


@pytest.mark.parametrize("field", ["customerId", "locationId"])
@pytest.mark.parametrize("value", [None, "", "seven", 7, True, [], {}, "0" * 32, "a\0b", f"{unknown_id()}x"])
def test_a_malformed_id_is_400_and_named(till, member, location, field, value):
    response = earn(till, member, location, **{field: value})
    assert (response.status_code, set(response.json()["fields"])) == (400, {field})


@pytest.mark.parametrize("field", ["customerId", "locationId"])
def test_an_unknown_id_is_404_and_changes_nothing(till, member, location, field):
    response = earn(till, member, location, **{field: unknown_id()})
    assert (response.status_code, set(response.json())) == (404, {"error"})
    member.refresh_from_db()
    assert member.points_balance == 100
    assert PointTransaction.objects.count() == 1


@pytest.mark.parametrize("field", ["customerId", "locationId", "orderTotal"])
def test_a_missing_field_is_400_and_named(till, member, location, field):
    body = earn_body(member, location)
    del body[field]
    response = till.post("/earn", body, format="json")
    assert (response.status_code, set(response.json()["fields"])) == (400, {field})


def test_everything_that_is_wrong_is_named(till):
    response = till.post("/earn", {"orderTotal": "ten"}, format="json")
    assert set(response.json()["fields"]) == {"customerId", "locationId", "orderTotal"}


@pytest.mark.parametrize("staff", [{}, {"staffId": ""}, {"staffId": None}])
def test_without_a_staff_id_the_user_name_is_stored(till, member, location, staff):
    assert earn(till, member, location, **staff).status_code == 200
    assert purchase().staff_id == "carla"


def test_the_longest_user_name_fits(member, location):
    client = with_token(make_user("Cashiers", "c" * 150))
    assert earn(client, member, location).status_code == 200
    assert purchase().staff_id == "c" * 150


@pytest.mark.parametrize(("staff", "status"), [("s" * 100, 200), ("s" * 101, 400), (7, 400), (["x"], 400), ("\0", 400)])
def test_a_staff_id_is_a_text_of_up_to_a_hundred_characters(till, member, location, staff, status):
    assert earn(till, member, location, staffId=staff).status_code == status


def test_ids_in_upper_case_are_the_same_ids(till, member, location):
    ids = {"customerId": str(member.pk).upper(), "locationId": str(location.pk).upper()}
    assert earn(till, member, location, **ids).status_code == 200
    assert purchase().customer == member


def test_unknown_fields_are_ignored(till, member, location):
    assert earn(till, member, location, points=1000, tier="platinum").json()["newBalance"] == 110


def test_more_points_than_the_columns_hold_are_refused(till, location):
    member = make_member(lifetime=2_147_483_647 - 9, balance=0)
    response = earn(till, member, location, 5)
    assert (response.status_code, set(response.json())) == (400, {"error"})
    assert earn(till, member, location, 4).json()["newBalance"] == 8


def test_without_a_key_every_call_counts(till, member, location):
    assert [earn(till, member, location).json()["newBalance"] for _ in range(3)] == [110, 120, 130]


def test_an_award_of_nothing_is_still_a_visit(till, member, location, now):
    change(member, last_activity_at=None)
    assert earn(till, member, location, 0.5).json()["pointsEarned"] == 0
    member.refresh_from_db()
    assert member.last_activity_at > now
    assert purchase().points == 0
