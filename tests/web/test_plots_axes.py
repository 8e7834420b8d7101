"""The axis of a plot: zero, and two or three round numbers with their unit."""

from decimal import Decimal

import pytest

from web.templatetags.plots import axis, tick_text


@pytest.mark.parametrize(
    ("most", "is_whole", "ticks"),
    [
        (0, True, [0, 1, 2]), (1, True, [0, 1, 2]), (2, True, [0, 1, 2]), (3, True, [0, 1, 2, 3]),
        (4, True, [0, 2, 4]), (7, True, [0, 5, 10]), (51, True, [0, 20, 40, 60]), (75, True, [0, 25, 50, 75]),
        (2835, True, [0, 1000, 2000, 3000]), (Decimal("0.07"), False, [0, Decimal("0.05"), Decimal("0.10")]),
        (Decimal("2000.01"), False, [0, 1000, 2000, 3000]),
    ],
)  # fmt: skip
def test_it_holds_the_highest_bar(most, is_whole, ticks):
    assert axis(most, is_whole=is_whole) == ticks
    assert axis(most, is_whole=is_whole)[-1] >= most


def test_its_numbers_have_their_unit_and_no_needless_decimals():
    texts = [tick_text(Decimal(value), kind) for value, kind in (("1000", "money"), ("0.5", "money"), ("20", "number"))]
    assert texts == ["€1,000", "€0.50", "20"]
