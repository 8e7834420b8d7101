"""Everything that moves points, at random and at once. `make faults` does it fifty times as often."""

import pytest

from tests.loyalty.points import concurrent_ledger

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_after_two_hundred_operations_the_ledger_balances(transactional_db):
    run = concurrent_ledger.run(200)
    # Which of so few are refused is for the threads to say.
    assert {*run.done, *run.refused} == {operation.__name__ for operation in concurrent_ledger.OPERATIONS}
    concurrent_ledger.check()
