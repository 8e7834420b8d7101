"""`serve` tidies by itself: soon after its start, and every night of the venue."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from config.serving import nightly
from config.serving.nightly import Nightly

START = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def pass_until(clock, monkeypatch) -> Callable[[datetime], None]:
    """Let the time pass by every clock; `clock` alone sets the machine's."""

    def to(moment: datetime) -> None:
        clock(moment)
        monkeypatch.setattr(nightly, "monotonic", (moment - START).total_seconds)

    return to


@pytest.fixture
def starts(monkeypatch) -> list[list[str]]:
    """Commands that end as soon as they are started."""
    commands: list[list[str]] = []
    monkeypatch.setattr(nightly.subprocess, "call", lambda command, **_: commands.append(command) or 0)
    return commands


def test_it_tidies_ten_minutes_after_the_start_and_at_half_past_four_in_the_venue(pass_until, settings, starts):
    settings.TIME_ZONE = "America/New_York"  # five hours behind
    pass_until(START)
    own, at = Nightly(), []
    for minute in range(0, 3 * 24 * 60, 10):
        now = START + timedelta(minutes=minute)
        pass_until(now)
        own.check()
        at += [now] * (sum(command[2] == "tidy" for command in starts) - len(at))
    first, *nights = at
    assert first == START + timedelta(minutes=10)
    assert nights == [datetime(2026, 11, day, 9, 30, tzinfo=UTC) for day in (21, 22, 23)]
    assert [command[1:] for command in starts] == [["manage.py", "tidy"], ["manage.py", "expire_points"]] * 4


def test_a_failure_is_a_line_for_the_operator_and_it_is_tried_again_the_next_night(
    pass_until, starts, monkeypatch, caplog
):
    monkeypatch.setattr(nightly.subprocess, "call", lambda command, **_: starts.append(command) or 1)
    pass_until(START)
    own = Nightly()
    for hours in (1, 2, 3, 24, 25, 26):
        pass_until(START + timedelta(hours=hours))
        own.check()
    assert caplog.messages == ["Tidying failed (status 1).", "The expiry of points failed (status 1)."] * 2
    assert len(starts) == 4


def test_a_clock_that_was_set_is_believed_after_ten_minutes(clock, pass_until, starts):
    pass_until(START)
    own = Nightly()
    for minutes in (10, 15):
        pass_until(START + timedelta(minutes=minutes))
        own.check()
    starts.clear()
    for ahead in (timedelta(days=400), timedelta(0)):  # and ten seconds later it is right again
        clock(START + timedelta(minutes=15) + ahead)
        own.check()
        own.check()
    assert starts == []
    for minutes in (20, 25, 26):
        pass_until(START + timedelta(minutes=minutes))
        own.check()
    assert [command[2] for command in starts] == ["tidy", "expire_points"]
