"""Six thousand orders, discounts, parts, payments and refunds, 500 at each party, eight at a time."""

import pytest

from tests.restaurant.billing.test_bill_sums_races import play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", range(0, 1200, 100))
def test_the_sums_hold_whatever_happens_at_once(transactional_db, seed):
    play(500, seed=seed)
