"""`python -m tests.fuzz`: it reaches every endpoint, and fails when one of them does."""

import os
import re
import subprocess
import sys

from drf_spectacular.generators import SchemaGenerator

from tests.servers import ROOT, database_url

# An endpoint that fails.
BROKEN = """
from tests import fuzz
from restaurant.ordering.views import menu
fuzz.SCENARIOS = 1  # each endpoint alone is enough
def menu_state():
    raise RuntimeError("a secret of ours")
menu.menu_state = menu_state
fuzz.main()
"""


def fuzz(*command: str, cases: int = 100) -> subprocess.CompletedProcess:
    """In a database of its own on the tests' server: starting another one takes seconds."""
    options = ["--cases", str(cases), "--minutes", "5"]
    url = re.sub(r"/\w+\?", f"/fuzz_{os.getpid()}?", database_url())
    # Unlike what serves requests, it waits for its database.
    environment = {name: text for name, text in os.environ.items() if name != "SERVES_REQUESTS"}
    return subprocess.run(
        [sys.executable, *command, *options],
        cwd=ROOT,
        env=environment | {"DATABASE_URL": url, "TESTED_SERVER": "yes"},
        check=False,
        text=True,
        capture_output=True,
    )


def endpoints() -> int:
    return sum(map(len, SchemaGenerator().get_schema(public=True)["paths"].values()))


def test_without_findings_it_exits_with_0_and_says_what_it_did():
    done = fuzz("-m", "tests.fuzz")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "findings: none" in done.stdout
    assert f"of {endpoints()} endpoints" in done.stdout


def test_an_endpoint_that_fails_is_named_with_the_request_and_the_traceback():
    done = fuzz("-c", BROKEN, cases=2 * endpoints())
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FOUND GET /table/{table_number}/sold-out: 500" in done.stdout
    assert "RuntimeError: a secret of ours" in done.stdout
    assert "curl" in done.stdout
