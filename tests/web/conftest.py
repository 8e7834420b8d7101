"""What the log shows."""

import io
import logging

import pytest

from web.log import ProblemFilter


@pytest.fixture
def console():
    [handler] = [each for each in logging.getLogger().handlers if each.get_name() == "console"]
    return handler


@pytest.fixture
def log(console):
    """What the console handler writes, as if the process had just begun."""
    written, [kept] = io.StringIO(), list(console.filters)
    before, console.filters = console.setStream(written), [ProblemFilter()]
    yield written
    console.setStream(before)
    console.filters = [kept]
