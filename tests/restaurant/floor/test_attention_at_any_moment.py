"""Statements of the floor and of what needs attention are compiled once: every moment in them follows now."""

from datetime import UTC, date, datetime, timedelta

import pytest

from restaurant.floor.queries.attention import rows_at
from restaurant.floor.queries.floor import unseen_at
from restaurant.floor.queries.tables import unclosed_at

MOMENTS = [datetime(2026, 3, 29, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 23, 59, tzinfo=UTC)]
LATE_AFTER = timedelta(minutes=15)


@pytest.fixture(
    params=[rows_at, lambda now, _late: unseen_at(now), unclosed_at], ids=["attention", "unseen", "unclosed"]
)
def statement_at(request):
    return lambda now: request.param(now, LATE_AFTER).query.sql_with_params()


def test_its_moments_are_always_as_far_from_now(statement_at):
    one, other = map(statement_at, MOMENTS)
    assert one[0] == other[0]
    distances = [
        [each - moment if isinstance(each, datetime) else repr(each) for each in values]
        for moment, (_sql, values) in zip(MOMENTS, (one, other), strict=True)
    ]
    assert distances[0] == distances[1]
    assert [each for each in distances[0] if isinstance(each, timedelta)]


def test_it_has_no_other_values_that_could_be_taken_for_moments(statement_at):
    _sql, values = statement_at(MOMENTS[0])
    assert not [each for each in values if isinstance(each, timedelta) or type(each) is date]
