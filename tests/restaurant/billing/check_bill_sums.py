"""Two thousand orders, discounts, parts, payments and refunds at one table, eight at a time."""

import pytest

from tests.restaurant.billing.test_bill_sums_races import play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", [0, 100, 200])
def test_the_sums_hold_whatever_happens_at_once(transactional_db, seed):
    play(2_000, seed=seed)
