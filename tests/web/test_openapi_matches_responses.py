"""Schemathesis reads the OpenAPI description and sends each endpoint what it allows and what it does not.

No answer may be a 5xx, have a status or a type of content that is not described, or another shape. Of the ids that it
sends, many are those of what exists here, so that it gets past the 404s.
"""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error

from config.wsgi import application
from tests.conftest import PAGE
from tests.described import CHECKS, config, description, make_credentials, make_venue, member_cookies

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXAMPLES = 3  # an endpoint, besides the boundary values that Schemathesis works out itself; `make fuzz` sends 10⁵

schema = schemathesis.openapi.from_dict(description(), config=config(deterministic=True))
PLAIN = {"Accept-Encoding": "identity"}  # nothing here would unpack a compressed answer
bounded = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


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


@schema.parametrize()
@bounded
def test_to_a_stranger(case):
    case.call_and_validate(app=application, headers=PLAIN, checks=CHECKS)


@schema.parametrize()
@bounded
def test_to_a_manager(case, credentials):
    case.call_and_validate(app=application, headers=PLAIN | credentials, checks=CHECKS)


@schema.include(path_regex="^/(member|rewards|checkin|signup)").parametrize()
@bounded
def test_to_a_member(case):
    case.call_and_validate(app=application, headers=PLAIN, cookies=member_cookies(), checks=CHECKS)


@schema.parametrize()
@bounded
def test_to_a_manager_s_browser(case, credentials):
    case.call_and_validate(app=application, headers=PLAIN | credentials | {"Accept": PAGE}, checks=[not_a_server_error])
