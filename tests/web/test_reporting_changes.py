"""The line under a tile: how its figure differs from the period before."""

from decimal import Decimal

import pytest
from django.template import engines

from tests.reading import read
from web.reporting import Tile
from web.templatetags.reports import direction

TEMPLATE = "{% include 'web/_change.html' %}"


def drawn(value, before, kind: str = "number", **more) -> str:
    tile = Tile("Orders", value, kind, **{"before": before, "period": "Yesterday"} | more)
    return engines["django"].from_string(TEMPLATE).render({"tile": tile}).strip()


def change(*figures, **more) -> str:
    """In words, without what it is compared with."""
    return read(f"<div>{drawn(*figures, **more)}</div>").text.partition(" than ")[0]


@pytest.mark.parametrize(
    ("value", "before", "words"),
    [
        (200, 200, "No change"), (0, 0, "No change"),
        (201, 200, "1 more"), (199, 200, "1 fewer"), (202, 200, "1% more"),
        (225, 200, "13% more"), (175, 200, "13% fewer"), (249, 200, "25% more"),
        (0, 1000, "100% fewer"), (1, 1000, "99% fewer"), (2000, 1000, "100% more"), (70000, 200, "34,900% more"),
        (Decimal("10.05"), Decimal("10.00"), "0.5% more"), (Decimal("9.95"), Decimal("10.00"), "0.5% less"),
        (Decimal("100.96"), Decimal("100.00"), "1% more"), (Decimal("9999.99"), Decimal("10000.00"), "0.1% less"),
    ],
)  # fmt: skip
def test_in_words_and_by_how_much(value, before, words):
    assert change(value, before, "number" if isinstance(value, int) else "money") == words


def tone(value, before: int = 200, kind: str = "number") -> str:
    html = drawn(value, before, kind)
    assert html.startswith('<p class="tile-change tile-')
    return html.removeprefix('<p class="tile-change tile-').partition('"')[0]


@pytest.mark.parametrize(
    ("value", "wanted"), [(2049, "same"), (1951, "same"), (2000, "same"), (2050, "up"), (1950, "down"), (0, "down")]
)
def test_less_than_three_percent_are_neither_good_nor_bad(value, wanted):
    """Of the figure that is shown: 2.5 is 3."""
    assert tone(Decimal(value), 2000, "money") == wanted
    assert [direction(Decimal(each)) for each in (2, -2, 3, -3)] == ["", "", "up", "down"]  # in tables
    assert [direction(each) for each in (None, Decimal(0), Decimal("Infinity"))] == ["", "", "up"]


@pytest.mark.parametrize(
    ("value", "before", "words", "wanted"),
    [
        (5, 6, "1 fewer", "neutral"), (16, 22, "6 fewer", "neutral"), (39, 43, "4 fewer", "neutral"),
        (0, 19, "19 fewer", "down"), (1200, 2, "1,198 more", "up"), (6, 6, "No change", "same"),
        (85, 99, "14 fewer", "down"), (100, 110, "9% fewer", "down"), (109, 110, "1 fewer", "same"),
    ],
)  # fmt: skip
def test_of_few_the_difference_is_a_number_and_has_a_colour_where_it_is_no_chance(value, before, words, wanted):
    assert (change(value, before), tone(value, before)) == (words, wanted)
    assert change(Decimal(5), Decimal(10), "money") == "50% less"
    assert tone(Decimal(5), 10, "money") == "down"


def test_of_nothing_there_is_no_percentage():
    assert change(5, 0) == "None before"
    assert "strong" not in drawn(5, 0)


def test_a_figure_that_is_not_known_is_not_compared():
    assert change(None, 3) == change(3, None) == "Not available"
    assert change(3, None, period="") == ""


def test_what_it_is_compared_with_is_there():
    line = read(drawn(Decimal("5"), Decimal("1234.5"), "money"))
    assert line.text == "99% less than €1,234.50"
    assert " ".join(line.element.text_content().split()) == "▼ 99% less than €1,234.50"  # the arrow is not read out
