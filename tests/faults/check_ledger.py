"""Ten thousand operations on points at once: `make faults` runs it, and every test run two hundred of them."""

import pytest

from tests.loyalty.points import concurrent_ledger

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_after_ten_thousand_operations_the_ledger_balances(transactional_db):
    run = concurrent_ledger.run(10_000)
    print(f"done: {dict(run.done)}; refused: {dict(run.refused)}")
    assert set(run.done) == {operation.__name__ for operation in concurrent_ledger.OPERATIONS}
    assert sum(run.done.values()) + sum(run.refused.values()) == 10_000
    concurrent_ledger.check()
