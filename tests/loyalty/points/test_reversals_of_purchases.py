"""`POST /transactions/{id}/reverse`: a purchase is taken back, as if it had not been."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from loyalty.models import Notification, PointTransaction
from tests.conftest import make_user, undone
from tests.loyalty.making import earn_body, enrol, make_member, make_reward, redeem, with_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(db):
    return with_token(make_user("Managers", "mia"))


def buy(till, member, location, total: object = 50, **headers) -> str:
    """The address of the purchase."""
    response = till.post("/earn", earn_body(member, location, total), format="json", headers=headers)
    assert response.status_code == 200, response.content
    return response["Location"]


def take_back(client, address: str, **body):
    return client.post(f"{address}/reverse", body, format="json")


def reports(manager, member) -> list:
    paths = ["", "/segments", "/re-engagement"]
    found = [manager.get(f"/reports/loyalty{path}").json() for path in paths]
    return [*found, manager.get(f"/reports/members/{member.pk}").json()]


def test_everything_is_as_if_it_had_not_been(till, manager, location):
    _phone, member = enrol()
    buy(till, member, location, 60)
    member.refresh_from_db()
    before, figures = vars(member).copy(), reports(manager, member)
    address = buy(till, member, location, 48800)
    member.refresh_from_db()
    assert member.tier == "platinum"
    response = take_back(till, address, note="488.00")
    assert response.status_code == 200
    assert response.json() == {"pointsTaken": 48800, "pointsMissing": 0, "newBalance": 160, "tier": "bronze"}
    member.refresh_from_db()
    assert {**vars(member), "_state": None} == {**before, "_state": None}
    assert reports(manager, member) == figures
    call_command("check_ledger")
    row = PointTransaction.objects.get(type="reversal")
    assert (row.points, row.order_total, str(row.reverses_id)) == (-48800, -48800, address.rpartition("/")[2])
    assert (row.recorded_by, row.description) == ("carla", "Taken back: Purchase at Harbour (488.00)")
    assert Notification.objects.count() == 1  # of the way up


def test_a_card_lists_in_the_readers_language_what_somebody_did_in_another(till, location):
    phone, member = enrol()
    spanish = {"accept-language": "es"}
    address = buy(till, member, location, 500, **spanish)
    assert till.post(f"{address}/reverse", {"note": "wrong card"}, format="json", headers=spanish).status_code == 200
    buy(till, member, location, 500, **spanish)
    assert redeem(phone, member, make_reward(points=50), headers=spanish).status_code == 200
    lines = {}
    for language in ("en", "de"):
        card = phone.get(f"/member/{member.pk}", headers={"accept-language": language}).json()
        lines[language] = [line["description"] for line in card["activity"]]
    english = ["Redeemed: Free coffee", "Purchase at Harbour", "Taken back: Purchase at Harbour (wrong card)"]
    german = ["Eingelöst: Free coffee", "Bezahlt bei Harbour", "Zurückgenommen: Bezahlt bei Harbour (wrong card)"]
    assert lines == {
        "en": [*english, "Purchase at Harbour", "Welcome bonus"],
        "de": [*german, "Bezahlt bei Harbour", "Willkommensbonus"],
    }


def test_erasing_a_card_erases_what_staff_noted_beside_a_reversal(till, manager, location):
    _phone, member = enrol()
    take_back(till, buy(till, member, location), note="Ada's sister")
    assert manager.post(f"/member/{member.pk}/erase").status_code == 200
    row = PointTransaction.objects.get(type="reversal")
    assert "sister" not in row.description + row.result
    assert json.loads(row.result)["taken"] == 50


def test_what_was_spent_already_is_not_taken_below_zero(till, member, location):
    address = buy(till, member, location, 50)
    redeem(till, member, make_reward(points=120))
    response = take_back(till, address)
    assert response.json() == {"pointsTaken": 30, "pointsMissing": 20, "newBalance": 0, "tier": "bronze"}
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (0, 100)
    call_command("check_ledger")


def test_again_is_the_same_answer_and_changes_nothing(till, manager, member, location):
    address = buy(till, member, location, 50)
    first = take_back(till, address).json()
    buy(till, member, location, 7)
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert [take_back(client, address).json() for client in (till, manager)] == [first, first]
    member.refresh_from_db()
    assert member.points_balance == 107


def test_a_repeat_of_the_purchase_names_the_same_transaction(till, member, location):
    key = {"Idempotency-Key": "one tap"}
    addresses = {buy(till, member, location, 50, **key) for _ in range(2)}
    assert addresses == {f"/transactions/{PointTransaction.objects.purchases().get().pk}"}


def test_cashiers_take_back_their_own_within_15_minutes_and_managers_always(till, manager, member, location):
    other = with_token(make_user("Cashiers", "noah"))
    address = buy(till, member, location, 50)
    assert take_back(other, address).status_code == 403
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=14, seconds=58))
    assert take_back(till, address).status_code == 200
    address = buy(till, member, location, 50)
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=15))
    assert set(take_back(till, address).json()) == {"error"}
    assert take_back(till, address).status_code == 403
    assert take_back(manager, address).status_code == 200


def test_own_is_by_who_was_signed_in_and_not_by_what_the_till_said(till, member, location):
    other = with_token(make_user("Cashiers", "noah"))
    body = earn_body(member, location, 50, staffId="noah")
    address = till.post("/earn", body, format="json")["Location"]
    assert [take_back(client, address).status_code for client in (other, till)] == [403, 200]


def test_only_purchases_can_be_taken_back(till, manager, location):
    _phone, member = enrol()
    redeem(till, member, make_reward(points=20))
    take_back(till, buy(till, member, location))
    kinds = {row.type: row.pk for row in member.transactions.filter(order_total=None)}
    assert set(kinds) == {"earn", "redeem"}  # the first is the bonus for joining
    kinds["reversal"] = member.transactions.get(type="reversal").pk
    assert {take_back(manager, f"/transactions/{pk}").status_code for pk in kinds.values()} == {409}


def test_a_note_is_a_text_of_500_characters_and_a_body_is_not_needed(till, member, location):
    address = buy(till, member, location)
    assert list(take_back(till, address, note="x" * 501).json()["fields"]) == ["note"]
    assert list(take_back(till, address, note=5).json()["fields"]) == ["note"]
    assert till.post(f"{address}/reverse").status_code == 200


def test_the_card_shows_both_rows(till, member, location):
    take_back(till, buy(till, member, location))
    activity = till.get(f"/member/{member.pk}").json()["activity"]
    assert [(row["type"], row["points"], row.get("reversed")) for row in activity[:2]] == [
        ("reversal", -50, None),
        ("earn", 50, True),
    ]


def test_the_tier_is_that_of_what_is_left(till, location):
    member = make_member(lifetime=4995)
    address = buy(till, member, location, 10)
    assert buy(till, member, location, 10) != address
    member.refresh_from_db()
    assert (member.tier, member.lifetime_points) == ("gold", 4995 + 12 + 15)
    assert take_back(till, address).json()["tier"] == "gold"
    assert take_back(till, buy(till, member, location, 2)).json()["tier"] == "gold"
    latest = member.transactions.standing().purchases().get()
    assert take_back(till, f"/transactions/{latest.pk}").json()["tier"] == "silver"


def test_the_database_refuses_reversals_of_the_wrong_sign_without_a_row_and_twice(till, member, location, subtests):
    for values in [
    {"points": 5, "order_total": -5}, {"points": -5, "order_total": 5}, {"points": -5, "order_total": None},
    {"reverses": None}, {"type": "earn", "points": 5}, {},
]:  # fmt: skip
        with subtests.test(values=values), undone():
            take_back(till, buy(till, member, location))
            row = PointTransaction.objects.get(type="reversal")
            copy = {"customer": member, "type": "reversal", "points": -5, "order_total": -5, "reverses": row.reverses}
            names = "transaction_(sign_fits_its_type|reversal_names_its_row|is_reversed_once)"
            with pytest.raises(IntegrityError, match=names), transaction.atomic():
                PointTransaction.objects.create(**copy | values)
