"""Whatever is done with members, points and rewards, in whatever order, the ledger balances: on many days."""

from tests.loyalty.points import ledger_machine


def test_the_ledger_balances_on_many_days(db):
    ledger_machine.run(100)
