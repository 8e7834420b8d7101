"""Ten thousand operations on points at once: `make faults` runs it, and every test run two hundred of them."""

import pytest

from tests.loyalty.points import ledger_play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_after_ten_thousand_operations_the_ledger_balances(transactional_db):
    stage = ledger_play.play(10_000)
    print(f"done: {dict(stage.done)}; refused: {dict(stage.refused)}")
    assert set(stage.done) == {operation.__name__ for operation in ledger_play.OPERATIONS}
    assert sum(stage.done.values()) + sum(stage.refused.values()) == 10_000
    ledger_play.check()
