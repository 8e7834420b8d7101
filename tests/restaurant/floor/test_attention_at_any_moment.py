"""The statement of what needs attention is compiled once: every moment in it follows now."""

from datetime import UTC, date, datetime, timedelta

from restaurant.floor.queries.attention import rows_at

MOMENTS = [datetime(2026, 3, 29, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 23, 59, tzinfo=UTC)]
LATE_AFTER = timedelta(minutes=15)


def test_its_moments_are_always_as_far_from_now():
    one, other = (rows_at(moment, LATE_AFTER).query.sql_with_params() for moment in MOMENTS)
    assert one[0] == other[0]
    distances = [
        [each - moment if isinstance(each, datetime) else each for each in values]
        for moment, (_sql, values) in zip(MOMENTS, (one, other), strict=True)
    ]
    assert distances[0] == distances[1]
    assert -LATE_AFTER in distances[0]


def test_it_has_no_other_values_that_could_be_taken_for_moments():
    _sql, values = rows_at(MOMENTS[0], LATE_AFTER).query.sql_with_params()
    assert not [each for each in values if isinstance(each, timedelta) or type(each) is date]
