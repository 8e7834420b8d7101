"""Generated requests to every endpoint that the OpenAPI description names, alone and one after the other.

    make fuzz
    .venv/bin/python -m tests.fuzz --cases 5000 --minutes 5 --seed 7

Schemathesis makes the requests. In a scenario each takes ids from the responses before it: a member enrols, redeems,
and the code is confirmed. A quarter of the cases are those of single endpoints, also with what these do not allow.
Every few hundred cases begin with a new venue and somebody else who sends them. A 5xx, a status, header, type or shape
that is not described is a finding; with one, the command exits with 1. It has a database of its own in `var/fuzz`.
"""

import argparse
import logging
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.servers import ROOT

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ.setdefault("TEST_DATA_DIR", str(ROOT / "var" / "fuzz"))

import django

django.setup()

import hypothesis  # noqa: E402
import schemathesis  # noqa: E402
from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core import mail  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import setup_databases, setup_test_environment, teardown_databases  # noqa: E402
from hypothesis.errors import Flaky  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.failures import FailureGroup  # noqa: E402
from schemathesis.engine.errors import is_inconsistent_replay  # noqa: E402
from schemathesis.generation import GenerationMode  # noqa: E402

from config.wsgi import application  # noqa: E402
from tests.conftest import PAGE  # noqa: E402
from tests.database import use_template  # noqa: E402
from tests.described import description, make_credentials, make_venue, member_cookies  # noqa: E402
from tests.described_cases import CHECKS, config  # noqa: E402
from tests.described_links import with_links  # noqa: E402
from web import throttling  # noqa: E402

SCENARIOS = 20  # in a row
IN_SCENARIOS = 500  # cases, in a round of many
RESTARTS = 60
STEPS = 12  # in a scenario, at most
EXAMPLES = 4  # of each endpoint alone, in a round; fewer where fewer cases are wanted
PROBLEMS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Role:
    """Who sends a round's requests."""

    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    checks: list[Any] = field(default_factory=lambda: CHECKS)


class LastTraceback(logging.Handler):
    """Keeps what Django logs about the latest exception."""

    text = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.text = logging.Formatter().formatException(record.exc_info)


@dataclass
class Results:
    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    findings: dict[tuple[str, str], str] = field(default_factory=dict)
    tracebacks: LastTraceback = field(default_factory=LastTraceback)

    def send(self, case: Any, role: Role) -> Any:
        """Send it, and note what is wrong with the response."""
        self.tracebacks.text = ""
        response = case.call(app=application, headers=role.headers, cookies=role.cookies)
        self.cases += 1
        self.statuses[response.status_code] += 1
        self.called[case.operation.label] += 1
        self.succeeded[case.operation.label] += response.status_code < 400
        try:
            case.validate_response(response, checks=role.checks)
        except FailureGroup as failures:
            for failure in failures.exceptions:
                self._note(case, response, role, failure)
        return response

    def _note(self, case: Any, response: Any, role: Role, failure: Exception) -> None:
        key = (case.operation.label, f"{response.status_code}: {getattr(failure, 'title', failure)}")
        if key not in self.findings:
            request = case.as_curl_command(headers=role.headers)
            self.findings[key] = f"{request}\n{failure}\n{self.tracebacks.text}".rstrip()
            print(f"FOUND {key[0]}: {key[1]}", flush=True)


# --- a round ----------------------------------------------------------------------------------------


def empty_database() -> None:
    """Without staff's groups and permissions, which the migrations have made."""
    models = [model for name in ("qrservice", "loyalty", "restaurant", "config", "web") for model in models_of(name)]
    tables = ", ".join(f'"{model._meta.db_table}"' for model in models)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {tables}, auth_user, django_session RESTART IDENTITY CASCADE")
    cache.clear()
    throttling.reset_leases()
    mail.outbox.clear()


def models_of(name: str) -> list[Any]:
    return [model for model in apps.get_app_config(name).get_models() if model._meta.managed]


def new_venue(number: int) -> Role:
    """A venue, and the next one in turn of a manager, a stranger, a member and a manager's browser."""
    empty_database()
    make_venue()
    manager = make_credentials()
    plain = {"Accept-Encoding": "identity"}  # nothing here would unpack a compressed response
    roles = (
        Role(plain | manager),
        Role(plain),
        Role(plain | manager),
        Role(plain, member_cookies()),
        Role(plain | manager | {"Accept": PAGE}, checks=[not_a_server_error]),
    )
    return roles[number % len(roles)]


def generating(examples: int) -> hypothesis.settings:
    return hypothesis.settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


class Generator:
    def __init__(self, seed: int, cases: int) -> None:
        self.in_scenarios = min(IN_SCENARIOS, cases)  # of a round
        self.schema = schemathesis.openapi.from_dict(with_links(description()), config=config())
        self.seed = seed
        self.results = Results()
        self.role = Role()
        self.strategies = [strategy(result.ok()) for result in self.schema.get_all_operations()]
        self.examples = max(1, min(EXAMPLES, cases // len(self.strategies)))
        self.machine = self._machine()

    def run_round(self, number: int) -> None:
        self.role = new_venue(number)
        started = self.results.cases
        for attempt in range(RESTARTS):
            self._run_scenarios(f"{self.seed} {number} {attempt}")
            if self.results.cases - started >= self.in_scenarios:
                break
        for strategy in self.strategies:
            self._run_alone(strategy, f"{self.seed} {number}")

    def _run_scenarios(self, seed: str) -> None:
        """What a scenario finds depends on what those before it have stored. Hypothesis takes that for an error."""
        try:
            hypothesis.seed(seed)(self.machine).run(settings=generating(SCENARIOS))
        except Flaky:
            return
        except AssertionError as error:
            if not is_inconsistent_replay(error):
                raise

    def _machine(self) -> Any:
        generator = self

        class Scenario(self.schema.as_state_machine()):
            def call(self, case: Any, **kwargs: Any) -> Any:
                return generator.results.send(case, generator.role)

            def validate_response(self, *args: Any, **kwargs: Any) -> None:
                """`Results.send` has done it: a finding does not end the scenario."""

        return Scenario

    def _run_alone(self, strategy: Any, seed: str) -> None:
        @hypothesis.seed(seed)
        @generating(self.examples)
        @hypothesis.given(strategy)
        def send(case: Any) -> None:
            self.results.send(case, self.role)

        send()


def strategy(operation: Any) -> Any:
    """What the description allows; where there is something to get wrong, also what it does not allow."""
    allowed = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not operation.body and not list(operation.iter_parameters()):
        return allowed
    return allowed | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)


# --- the command ------------------------------------------------------------------------------------


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Sends generated requests to every endpoint.")
    parser.add_argument("--cases", type=int, default=100_000, help="how many requests (default 100,000)")
    parser.add_argument("--minutes", type=float, default=60, help="stop after so many minutes (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other requests (default 0)")
    return parser.parse_args()


def run(cases: int, minutes: float, seed: int) -> Results:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000000/min")
    generator, started, number = Generator(seed, cases), time.monotonic(), 0
    results = generator.results
    logging.getLogger("django.request").addHandler(results.tracebacks)
    logging.getLogger().handlers.clear()  # refusals are what is wanted here; exceptions are in the summary
    while results.cases < cases and time.monotonic() - started < minutes * 60:
        generator.run_round(number)
        number += 1
        print(f"{results.cases:,} cases in {time.monotonic() - started:.0f} s", flush=True)
    print(summary(results, time.monotonic() - started))
    return results


def summary(results: Results, seconds: float) -> str:
    never = sorted(set(results.called) - set(+results.succeeded))
    lines = [
        "",
        f"{results.cases:,} cases in {seconds:.0f} seconds, of {len(results.called)} endpoints",
        "by status: " + ", ".join(f"{status} {count:,}" for status, count in sorted(results.statuses.items())),
        f"never successful: {', '.join(never) or 'none'}",
        f"findings: {len(results.findings) or 'none'}",
    ]
    for (label, what), example in list(results.findings.items())[:PROBLEMS_SHOWN]:
        lines += ["", f"--- {label}: {what}", example]
    return "\n".join(lines)


def main() -> None:
    chosen = options()
    setup_test_environment(debug=False)
    use_template()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        results = run(chosen.cases, chosen.minutes, chosen.seed)
    finally:
        teardown_databases(databases, verbosity=0)
    sys.exit(1 if results.findings or not results.cases else 0)


if __name__ == "__main__":
    main()
