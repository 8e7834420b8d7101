"""Schemathesis reads the OpenAPI description and sends each endpoint what it allows and what it does not.

No answer may be a 5xx, have a status or a type of content that is not described, or another shape. Of the ids that it
sends, many are those of what exists here, so that it gets past the 404s.
"""

from collections.abc import Callable
from functools import cache
from urllib.parse import unquote

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.urls import is_valid_path
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources

# Private, and without it pytest's plugin would make the cases of all endpoints at collection, in every process.
from schemathesis.pytest._test_builder import build_operation_test

from config.wsgi import application
from tests.conftest import PAGE
from tests.described import CHECKS, config, description, make_credentials, make_venue, member_cookies

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXAMPLES = 3  # an endpoint, besides the boundary values that Schemathesis works out itself; `make fuzz` sends 10⁵

DESCRIPTION = description()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}
ENDPOINTS = list(OPERATIONS)
OPEN = {name for name, operation in OPERATIONS.items() if {} in operation["security"]}  # to whoever is nobody here
OF_MEMBERS = [each for each in ENDPOINTS if each.split()[1].startswith(("/member", "/rewards", "/checkin", "/signup"))]
PLAIN = {"Accept-Encoding": "identity"}  # nothing here would unpack a compressed answer
bounded = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@cache
def schema_for(test: str, *, boundaries: bool) -> schemathesis.schemas.BaseSchema:
    """One for each test: requests whose method an endpoint does not have are generated once by each schema."""
    schema = schemathesis.openapi.from_dict(DESCRIPTION, config=config(deterministic=True))
    schema.config.phases.coverage.enabled = boundaries
    return schema


@pytest.fixture
def try_out(request) -> Callable[..., None]:
    """`try_out(endpoint, send)` sends the endpoint's examples, and its boundary values if wanted."""

    def try_out(endpoint: str, send: Callable[[schemathesis.Case], object], *, boundaries: bool = True) -> None:
        @bounded
        def test(case: schemathesis.Case) -> None:
            send(case)

        schema = schema_for(request.node.originalname, boundaries=boundaries)
        operation = next(each.ok() for each in schema.get_all_operations() if each.ok().label == endpoint)
        run = build_operation_test(
            config=schema.config, operation=operation, test_func=test, given_kwargs={}, feedback=FeedbackSources()
        )
        run()

    return try_out


@pytest.fixture(autouse=True)
def _no_limits(settings):

    rates = dict.fromkeys(settings.RATE_LIMITS, "1000000/min")
    settings.RATE_LIMITS = rates


@pytest.fixture(autouse=True)
def _requests_leave_the_test_its_transaction():
    """As Django's test client does: a server closes connections that are in the middle of one."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def _a_venue():
    make_venue()


@pytest.fixture
def credentials(_a_venue) -> dict[str, str]:
    """A manager's, and an API key's."""
    return make_credentials()


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_to_a_stranger(try_out, endpoint):
    """Boundary values only where the answer isn't a 401 whatever is sent."""
    is_open = endpoint in OPEN

    def send(case: schemathesis.Case) -> None:
        response = case.call_and_validate(app=application, headers=PLAIN, checks=CHECKS)
        if not is_open:
            assert response.status_code == (401 if is_valid_path(unquote(case.formatted_path)) else 404)

    try_out(endpoint, send, boundaries=is_open)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_to_a_manager(try_out, endpoint, credentials):
    headers = PLAIN | credentials
    try_out(endpoint, lambda case: case.call_and_validate(app=application, headers=headers, checks=CHECKS))


@pytest.mark.parametrize("endpoint", OF_MEMBERS)
def test_to_a_member(try_out, endpoint):
    def send(case: schemathesis.Case) -> None:
        case.call_and_validate(app=application, headers=PLAIN, cookies=member_cookies(), checks=CHECKS)

    try_out(endpoint, send)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_to_a_manager_s_browser(try_out, endpoint, credentials):
    """Without the boundary values: they are answered by the same code as to a program, which was sent them above."""
    headers = PLAIN | credentials | {"Accept": PAGE}

    def send(case: schemathesis.Case) -> None:
        case.call_and_validate(app=application, headers=headers, checks=[not_a_server_error])

    try_out(endpoint, send, boundaries=False)
