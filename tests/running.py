"""How pytest runs the tests: its hooks, for tests/conftest.py."""

import gc
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, partial

import hypothesis
import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.servers import CHROMIUM, ROOT

LEFT_OUT = pytest.StashKey[list[str]]()
# What takes long to set up, or most of the database's connections: one process runs all files that need it.
SHARED = {  # the browser's tests are the longest part by far: half of them is worth a second installation
    "guests' browser": r"^tests/browser/test_(a_|all|bill_of|cart|members|menu_(?!in)|order|points_from|sums)",
    "browser": r"^tests/browser/|[(, ]installation[,)]",
    "races": r"mark\.race\b",
    "servers": r"\b(http|sockets)_port\b",
    "demonstration": r"[(, ](demo|demonstration)[,)]",
}


# Generated cases assert no duration, and neither does what generates them: machines have other work.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give `tmp_path` a folder of this run's own.

    Every run of pytest closes the usual one to other users, also to the one that a PostgreSQL of root's runs as.
    """
    if not config.option.basetemp:
        config.option.basetemp = tempfile.mkdtemp(prefix="regulars-tests-")
        config.add_cleanup(partial(shutil.rmtree, config.option.basetemp, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among what is imported and collected: all of it stays, and looking takes as long again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the browser's tests where there is none."""
    if not CHROMIUM:
        browser = [item for item in items if item.get_closest_marker("browser")]
        config.stash[LEFT_OUT] = [item.nodeid for item in browser]
        items[:] = [item for item in items if item not in browser]
        config.hook.pytest_deselected(items=browser)


class FilesTogether(LoadScopeScheduling):
    """One process runs all tests of a file, and of files that share something. (`--dist loadgroup` can't, since
    pytest 9.2: its groups are lost on the way.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return _group_of(nodeid.partition("::")[0])


@cache
def _group_of(path: str) -> str:
    named = f"{path}\n{(ROOT / path).read_text(encoding='utf-8')}"
    return next((group for group, pattern in SHARED.items() if re.search(pattern, named)), path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesTogether:
    return FilesTogether(config, log)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left_out := config.stash.get(LEFT_OUT, []):
        terminalreporter.section("NOT RUN: there is no Chromium", sep="!", red=True, bold=True)
        terminalreporter.write_line(f"{len(left_out)} browser tests were left out. Install it: apt install chromium")
        for name in left_out:
            terminalreporter.write_line(f"  {name}")
