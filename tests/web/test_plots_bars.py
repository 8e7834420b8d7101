"""Bars that rank: each as long as its figure, beside the longest."""

from web.reporting import Column, Table
from web.templatetags.plots import bars


def test_they_are_to_scale_and_the_least_can_still_be_seen():
    rows = [["Olives", 200], ["Bread", 50], ["Soup", 1], ["Salad", 0]]
    columns = [Column("Dish"), Column("Sold", "number")]
    shown = bars({}, Table("Dishes", columns, rows))
    assert [float(row["width"]) for row in shown["rows"]] == [100, 25, 1, 0]
