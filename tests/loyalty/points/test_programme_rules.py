"""An owner's settings hold for every award from then on, and cost an award no query."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from loyalty.models import Programme
from loyalty.points.admin.programme import weeks_to_tiers
from tests.conftest import undone
from tests.loyalty.making import change, earn_body, enrol, make_member


def test_a_purchase_gives_floor_of_the_base_times_the_multiplier(subtests):
    for changed, points in [
        ({}, [40, 50, 60, 80]),
        ({"points_per_unit": Decimal("0.1")}, [4, 5, 6, 8]),
        ({"points_per_unit": Decimal(10)}, [409, 511, 613, 818]),
        ({"silver_multiplier": Decimal(1), "platinum_multiplier": Decimal("3.33")}, [40, 40, 60, 133]),
    ]:
        with subtests.test(changed=changed, points=points):
            programme, total = Programme(**changed), Decimal("40.99")
            assert [programme.points_for(total, tier) for tier in ("bronze", "silver", "gold", "platinum")] == points


def test_weeks_to_each_tier(subtests):
    for changed, weeks in [
        ({}, [23, 103, 186]),
        ({"signup_bonus": 5000}, [0, 0, 84]),
        ({"points_per_unit": Decimal("0.01")}, [None, None, None]),
    ]:
        with subtests.test(changed=changed, weeks=weeks):
            found = weeks_to_tiers(Programme(**changed), weekly=Decimal(40))
            assert list(found.items()) == list(zip(["silver", "gold", "platinum"], weeks, strict=True))


@pytest.mark.django_db
def test_an_award_follows_the_programme_and_its_tier_too(till, member, location):
    Programme.objects.create(points_per_unit=2, silver_from=150, gold_from=200, platinum_from=300)
    body = earn_body(member, location, 30)
    first, second = (till.post("/earn", body, format="json").json() for _ in range(2))
    assert (first["pointsEarned"], first["tier"]) == (60, "silver")
    assert (second["pointsEarned"], second["tier"]) == (75, "gold")


@pytest.mark.django_db
def test_a_change_of_thresholds_moves_nobody_until_their_next_award(till, location):
    member = make_member(lifetime=600)
    Programme.objects.create(silver_from=500)
    member.refresh_from_db()
    assert member.tier == "bronze"
    response = till.post("/earn", earn_body(member, location, 1), format="json")
    assert response.json()["tier"] == "silver"


@pytest.mark.django_db
def test_joining_gives_the_bonus_of_the_programme(api):
    Programme.objects.create(signup_bonus=250)
    assert api.get("/signup").json()["signupBonus"] == 250
    phone, member = enrol()
    assert (member.points_balance, member.lifetime_points, member.tier) == (250, 250, "bronze")
    assert phone.get(f"/member/{member.pk}").json()["nextTier"]["pointsToGo"] == 750


@pytest.mark.django_db
def test_an_award_reads_the_programme_in_the_statement_that_locks(till, member, location):
    body = earn_body(member, location)
    till.post("/earn", body, format="json")
    with CaptureQueriesContext(
        connection,
    ) as before:
        till.post("/earn", body, format="json")
    Programme.objects.create(points_per_unit=3)
    with CaptureQueriesContext(connection) as after:
        assert till.post("/earn", body, format="json").json()["pointsEarned"] == 30
    assert len(after) == len(before)
    assert [query["sql"] for query in after if "loyalty_programme" in query["sql"]] == [
        query["sql"] for query in after if "FOR NO KEY UPDATE OF member" in query["sql"]
    ]


@pytest.mark.django_db
def test_nonsense_is_refused(subtests):
    for wrong in [
        {"silver_from": 0},
        {"gold_from": 1000},
        {"platinum_from": 4999},
        {"silver_multiplier": Decimal("0.99")},
        {"platinum_multiplier": Decimal("10.01")},
        {"signup_bonus": 100_001},
        {"points_per_unit": Decimal(0)},
        {"confirm_above": Decimal(0)},
    ]:
        with subtests.test(wrong=wrong), undone():
            with pytest.raises(ValidationError) as caught:
                Programme(**wrong).full_clean()
            assert next(iter(caught.value.message_dict)) in {*wrong, "__all__"}


@pytest.mark.django_db
def test_the_database_refuses_a_second_row_and_thresholds_that_fall():
    row = Programme.objects.create()
    with pytest.raises(IntegrityError, match="programme_is_one_row"), transaction.atomic():
        Programme.objects.filter(pk=1).update(id=2)
    with pytest.raises(IntegrityError, match="programme_thresholds_rise"), transaction.atomic():
        change(row, gold_from=1000)
