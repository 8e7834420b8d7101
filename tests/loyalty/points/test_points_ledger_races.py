"""Everything that moves points, at random and at once. `make faults` does it fifty times as often."""

import pytest

from tests.loyalty.points import ledger_play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_after_two_hundred_operations_the_ledger_balances(transactional_db):
    stage = ledger_play.play(200)
    # Which of so few are refused is for the threads to say.
    assert {*stage.done, *stage.refused} == {each.__name__ for each in ledger_play.OPERATIONS}
    ledger_play.check()
