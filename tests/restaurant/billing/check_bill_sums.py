"""Two thousand orders, cancellations, payments and voids at one table, eight at a time."""

import pytest

from tests.restaurant.billing.test_bill_sums_races import play

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_sums_hold_whatever_happens_at_once(transactional_db):
    play(2_000)
