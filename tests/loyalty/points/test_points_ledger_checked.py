"""`python manage.py check_ledger`, and what the database itself refuses."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from loyalty.models import Member, PointTransaction, Redemption
from tests.conftest import undone
from tests.loyalty.making import earn_body, enrol, make_member, make_reward, redeem

pytestmark = pytest.mark.django_db


def sql(statement: str, *values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.fixture
def members(till, location):
    """Some that have enrolled, earned and redeemed."""
    made = []
    for name in ("ada", "ben", "cem"):
        phone, member = enrol(f"{name}@example.com", name)
        till.post("/earn", earn_body(member, location, 250), format="json")
        assert redeem(phone, member, make_reward(points=150)).status_code == 200
        made.append(member)
    return made


def test_a_ledger_that_balances_is_reported_as_such(members, capsys):
    call_command("check_ledger")
    assert capsys.readouterr().out == "The ledger balances: 3 members.\n"


def test_an_empty_one_balances(db, capsys):
    call_command("check_ledger")
    assert "0 members" in capsys.readouterr().out


def test_one_that_does_not_balance_is_named_and_the_exit_status_is_1(members, capsys, subtests):
    for spoil in [
    "UPDATE loyalty_member SET points_balance = points_balance + 1 WHERE id = %s",
    "UPDATE loyalty_member SET points_balance = 0 WHERE id = %s",
    "UPDATE loyalty_member SET lifetime_points = lifetime_points - 1 WHERE id = %s",
    "UPDATE loyalty_member SET awards = awards + 1 WHERE id = %s",
    "UPDATE loyalty_member SET spend = spend - 0.01 WHERE id = %s",
    "UPDATE loyalty_pointtransaction SET order_total = 1 WHERE order_total > 0 AND customer_id = %s",
    "UPDATE loyalty_pointtransaction SET points = points + 1 WHERE type = 'earn' AND customer_id = %s",
    "UPDATE loyalty_pointtransaction SET type = 'bonus' WHERE type = 'earn' AND customer_id = %s",
    "UPDATE loyalty_pointtransaction SET type = 'expire' WHERE type = 'redeem' AND customer_id = %s",
    "DELETE FROM loyalty_pointtransaction WHERE customer_id = %s",
    "DELETE FROM loyalty_pointtransaction WHERE type = 'redeem' AND customer_id = %s",
    "UPDATE loyalty_redemption SET points_spent = points_spent - 1 WHERE customer_id = %s",
    "DELETE FROM loyalty_redemption WHERE customer_id = %s",
]:  # fmt: skip
        with subtests.test(spoil=spoil), undone():
            sql(spoil, members[1].pk)
            with pytest.raises(CommandError, match="does not balance for 1 of 3 members") as caught:
                call_command("check_ledger")
            assert caught.value.returncode == 1
            lines = capsys.readouterr().out.splitlines()
            assert len(lines) == 1
            assert lines[0].startswith(f"{members[1].pk}: balance ")


def test_it_says_what_is_stored_and_what_the_ledger_says(members, capsys):
    sql("UPDATE loyalty_member SET points_balance = 77 WHERE id = %s", members[0].pk)
    with pytest.raises(CommandError):
        call_command("check_ledger")
    message = capsys.readouterr().out
    assert "balance 77, ledger 200; lifetime 350, ledger 350; redemptions 150, ledger 150" in message


def test_a_transaction_of_the_wrong_member_shows_at_both(members):
    sql("UPDATE loyalty_pointtransaction SET customer_id = %s WHERE customer_id = %s", members[0].pk, members[1].pk)
    with pytest.raises(CommandError, match="2 of 3"):
        call_command("check_ledger")


def test_the_database_refuses_what_is_below_zero(member, subtests):
    for column in ["points_balance", "lifetime_points"]:
        with subtests.test(column), pytest.raises(IntegrityError, match="is_not_negative"), transaction.atomic():
            Member.objects.filter(pk=member.pk).update(**{column: -1})


def test_the_database_refuses_points_of_the_wrong_sign_and_unknown_types(member, subtests):
    for kind, points in [("earn", -1), ("bonus", -1), ("redeem", 1), ("expire", 1), ("gift", 0)]:
        refused = pytest.raises(IntegrityError, match="transaction_sign_fits_its_type")
        with subtests.test(kind), refused, transaction.atomic():
            PointTransaction.objects.create(customer=member, type=kind, points=points)


def test_the_database_refuses_a_second_card_for_one_address(db):
    make_member(email="ada@example.com")
    with pytest.raises(IntegrityError, match="member_email_whatever_its_case"), transaction.atomic():
        make_member(email="ADA@example.com")


def test_the_database_refuses_a_redemption_code_twice(member, reward):
    now = timezone.now()
    values = {"customer": member, "reward": reward, "points_spent": 0, "expires_at": now}
    Redemption.objects.create(redemption_code="RWD-AAAAAA", **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Redemption.objects.create(redemption_code="RWD-AAAAAA", **values)


def test_a_member_with_a_ledger_is_not_deleted(member):
    sql("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError), transaction.atomic():
        sql("DELETE FROM loyalty_member WHERE id = %s", member.pk)
    assert Member.objects.exists()
