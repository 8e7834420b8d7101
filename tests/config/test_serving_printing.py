"""When `serve` starts and stops `print_tickets`. With a real process: check_serving_processes.py, by `make sweep`."""

import pytest
from django.db import OperationalError

from config.serving import background, printing
from config.serving.printing import PAUSES, STEADY, Printing
from tests.servers import wait_for


class Process:
    """One that runs until it is stopped, or until a test sets its status."""

    def __init__(self, command: list[str]) -> None:
        self.command, self.returncode = command, None

    def poll(self) -> int | None:
        return self.returncode

    def terminate(self) -> None:
        self.returncode = -15

    def wait(self, _timeout: float) -> int | None:
        return self.returncode


@pytest.fixture
def started(monkeypatch) -> list[Process]:
    processes: list[Process] = []
    monkeypatch.setattr(
        printing.subprocess, "Popen", lambda command, **_: (processes.append(Process(command)), processes[-1])[1]
    )
    return processes


def test_it_runs_while_a_printer_is_active_and_is_started_again_when_it_dies(started, caplog):
    own = Printing()
    own.check()
    assert started == []
    own.is_wanted = True
    own.check()
    own.check()
    assert [process.command[1:] for process in started] == [["manage.py", "print_tickets", "--with-parent"]]
    started[0].returncode = -9
    own.check()
    assert len(started) == 2
    assert caplog.messages == ["Printing stopped by itself (status -9). Starting it again in 0 s."]
    own.is_wanted = False
    own.check()
    assert (started[1].returncode, own.process) == (-15, None)


def test_of_deaths_in_a_row_each_is_followed_by_a_longer_pause(started, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(printing.time, "monotonic", lambda: now[0])
    own = Printing()
    own.is_wanted = True
    own.check()
    for number, pause in enumerate((*PAUSES, PAUSES[-1]), 1):
        started[-1].returncode = 1
        own.check()
        now[0] += pause / 2
        own.check()
        assert len(started) == (number if pause else number + 1)
        now[0] += pause / 2
        own.check()
        assert len(started) == number + 1
    now[0] += STEADY + 1
    started[-1].returncode = 1
    own.check()  # a death by itself
    assert len(started) == len(PAUSES) + 3


def test_a_thread_looks_for_printers_and_believes_the_last_answer_while_the_database_is_away(started, monkeypatch):
    answers: list[object] = [{}, {1: "Pass"}, OperationalError("away")]
    asked = []

    def active_printers() -> object:
        asked.append(answers[0] if len(answers) == 1 else answers.pop(0))
        if isinstance(asked[-1], Exception):
            raise asked[-1]
        return asked[-1]

    monkeypatch.setattr(printing, "active_printers", active_printers)
    monkeypatch.setattr(background, "FIND_PRINTERS_EVERY", 0.01)
    with background.work():
        wait_for(lambda: len(asked) > 3, "several looks")
        wait_for(lambda: started, "printing to start")
        assert started[0].returncode is None
    assert [process.returncode for process in started] == [-15]
