"""Whatever is done with members, points and rewards, in whatever order, the ledger balances."""

import pytest

from tests.loyalty.points import ledger_days


@pytest.mark.slow
def test_the_ledger_always_balances(db):
    ledger_days.live(20)
