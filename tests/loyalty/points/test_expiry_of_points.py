"""Points expire, oldest first: by the command, and announced on the card."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from loyalty.models import Member, PointTransaction, Programme
from loyalty.points.services import expiry
from tests.conftest import make_user, undone
from tests.loyalty.making import change, earn_body, enrol, make_member, make_reward, redeem, with_token
from tests.reading import read

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def year(clock) -> Programme:
    """Points expire after a year; it is noon."""
    clock(NOON)
    return Programme.objects.create(expires_after_months=12)


@pytest.fixture
def newcomer() -> Member:
    """A card without points."""
    return make_member(lifetime=0)


def get(member: Member, points: int, at: datetime, type_: str = "earn") -> None:
    PointTransaction.objects.create(customer=member, type=type_, points=points, created_at=at)
    change(member, points_balance=member.points_balance + points)
    if type_ == "earn":
        change(member, lifetime_points=member.lifetime_points + points, awards=member.awards + 1)


def expired(member: Member) -> list[int]:
    rows = member.transactions.filter(type="expire").order_by("created_at")
    return [-points for points in rows.values_list("points", flat=True)]


def night(capsys) -> str:
    call_command("check_ledger")
    capsys.readouterr()
    call_command("expire_points")
    output = capsys.readouterr().out.strip()
    call_command("check_ledger")
    return output


def test_what_is_older_than_the_months_expires_once(newcomer, capsys):
    get(newcomer, 70, NOON - timedelta(days=365, minutes=1))
    get(newcomer, 5, NOON - timedelta(days=800), "bonus")
    get(newcomer, 30, NOON - timedelta(days=364))
    change(newcomer, tier="gold")
    assert night(capsys) == "Expired: 75 points of 1 members"
    assert night(capsys) == "Expired: 0 points of 0 members"
    newcomer.refresh_from_db()
    assert (newcomer.points_balance, newcomer.lifetime_points, newcomer.tier) == (30, 100, "gold")
    row = newcomer.transactions.get(type="expire")
    assert (row.points, row.description, row.staff_id, row.recorded_by) == (
        -75, "Expired: earned before 3 Mar 2025", "", None,
    )  # fmt: skip


def test_nothing_expires_without_months(newcomer, year, capsys):
    change(year, expires_after_months=None)
    get(newcomer, 70, NOON - timedelta(days=4000))
    assert night(capsys) == "Expired: 0 points of 0 members"
    year.delete()
    assert night(capsys) == "Expired: 0 points of 0 members"


def test_spending_uses_the_oldest_points_first(newcomer, till, capsys):
    get(newcomer, 100, NOON - timedelta(days=400))
    get(newcomer, 100, NOON - timedelta(days=300))
    redeem(till, newcomer, make_reward(points=80))
    night(capsys)
    assert expired(newcomer) == [20]
    redeem(till, newcomer, make_reward(points=80))
    night(capsys)
    assert expired(newcomer) == [20]


def test_a_cancelled_reward_gives_back_points_of_their_old_age(newcomer, till, clock, capsys):
    get(newcomer, 100, NOON - timedelta(days=360))
    get(newcomer, 100, NOON)
    code = redeem(till, newcomer, make_reward(points=100)).json()["redemptionCode"]
    clock(NOON + timedelta(days=10))
    night(capsys)
    assert expired(newcomer) == []
    assert till.post(f"/use/{code}/cancel").json()["newBalance"] == 200
    night(capsys)
    assert expired(newcomer) == [100]


def test_a_purchase_taken_back_takes_no_other_points_for_those_that_have_expired(newcomer, location, clock, capsys):
    manager = with_token(make_user("Managers"))
    clock(NOON - timedelta(days=400))
    purchases = [manager.post("/earn", earn_body(newcomer, location, 40), format="json")["Location"] for _ in range(2)]
    clock(NOON)
    redeem(manager, newcomer, make_reward(points=30))
    manager.post("/earn", earn_body(newcomer, location, 25), format="json")
    night(capsys)
    assert expired(newcomer) == [50]
    first, second = (manager.post(f"{address}/reverse", {}, format="json").json() for address in purchases)
    assert (first["pointsTaken"], first["pointsMissing"], first["newBalance"]) == (0, 0, 25)
    # Of its 40 points 10 had expired; the reward had used up the others.
    assert (second["pointsTaken"], second["pointsMissing"], second["newBalance"]) == (25, 5, 0)
    assert manager.post(f"{purchases[1]}/reverse", {}, format="json").json() == second
    night(capsys)
    assert expired(newcomer) == [50]


def test_a_purchase_that_was_taken_back_does_not_keep_older_points(newcomer, till, location, clock, capsys):
    get(newcomer, 60, NOON - timedelta(days=400))
    purchase = till.post("/earn", earn_body(newcomer, location, 50), format="json")["Location"]
    till.post(f"{purchase}/reverse", {}, format="json")
    night(capsys)
    assert expired(newcomer) == [60]


def test_the_card_says_what_expires_when(location, clock, year):
    clock(NOON - timedelta(days=200))
    phone, member = enrol()
    clock(NOON - timedelta(days=10))
    get(member, 20, NOON - timedelta(days=190))
    get(member, 7, NOON - timedelta(days=190), "bonus")
    get(member, -50, NOON - timedelta(days=20), "expire")
    clock(NOON)
    card = phone.get(f"/member/{member.pk}").json()
    assert card["expiring"] == [{"points": 50, "on": "2026-08-15"}, {"points": 27, "on": "2026-08-25"}]
    page = phone.get(f"/member/{member.pk}", headers={"accept": "text/html"}).content.decode()
    assert "50 points expire on 15 Aug 2026" in read(page)
    get(member, -49, NOON - timedelta(days=19), "expire")
    assert phone.get(f"/member/{member.pk}").json()["expiring"][0] == {"points": 1, "on": "2026-08-15"}
    assert "expiring" not in with_token(make_user("Cashiers")).get(f"/member/{member.pk}").json()
    change(year, expires_after_months=None)
    assert "expiring" not in phone.get(f"/member/{member.pk}").json()


def test_points_last_until_the_day_that_the_card_names(newcomer, year, subtests):
    for earned, months, day in [
        ("2026-01-31T10:00", 1, "2026-03-01"),
        ("2026-02-28T10:00", 6, "2026-08-28"),
        ("2024-02-29T10:00", 12, "2025-03-01"),
        ("2025-12-15T23:30", 13, "2027-01-15"),
    ]:
        with subtests.test(earned=earned, months=months, day=day), undone():
            newcomer.refresh_from_db()
            at = datetime.fromisoformat(f"{earned}+00:00")
            change(year, expires_after_months=months)
            get(newcomer, 10, at)
            midnight = datetime.fromisoformat(f"{day}T00:00+00:00")
            assert expiry.expire(now=midnight - timedelta(minutes=1)).points == 0
            assert expiry.expire(now=midnight + timedelta(hours=23, minutes=59)).points == 10


def test_a_run_reads_and_locks_a_batch_at_a_time(monkeypatch, django_assert_max_num_queries, year):
    monkeypatch.setattr(expiry, "BATCH", 3)
    for _ in range(8):
        get(make_member(lifetime=0), 10, NOON - timedelta(days=400))
        get(make_member(lifetime=0), 10, NOON)
    with django_assert_max_num_queries(1 + 7 * (2 + 6)):
        assert expiry.expire(now=NOON) == expiry.Expired(members=8, points=80)
