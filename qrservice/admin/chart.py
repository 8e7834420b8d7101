"""The geometry of the chart of scans by day in `templates/admin/qrservice/code/_chart.html`."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from web.templatetags.reports import shown


@dataclass(frozen=True, slots=True)
class Bar:
    """In units of the SVG's viewBox; `y` counts from the top."""

    day: date
    number: str  # empty for none
    x: int
    y: int
    height: int


class Chart:
    HEIGHT = 100
    STEP = 20  # from one day to the next
    BAR = 14

    def __init__(self, days: list[tuple[date, int]]) -> None:
        self.days = days
        self.width = self.STEP * len(days)
        self.total = shown(sum(number for _, number in days), "number")
        self._highest = max((number for _, number in days), default=0)
        self.highest = shown(self._highest, "number")

    @cached_property
    def bars(self) -> list[Bar]:
        return [self._bar(place, day, number) for place, (day, number) in enumerate(self.days)]

    def _bar(self, place: int, day: date, number: int) -> Bar:
        # At least 2, so that a single scan among thousands is visible.
        height = max(2, round(self.HEIGHT * number / self._highest)) if number else 0
        return Bar(
            day,
            shown(number, "number") if number else "",
            place * self.STEP + (self.STEP - self.BAR) // 2,
            self.HEIGHT - height,
            height,
        )
