"""Whatever is done with members, points and rewards, in whatever order, the ledger balances."""

import pytest

from tests.loyalty.points import ledger_machine


@pytest.mark.slow
def test_the_ledger_always_balances(db):
    ledger_machine.run(20)
