"""Schemathesis reads the OpenAPI description and sends each endpoint what it allows and what it does not.

No response may be a 5xx, have a status or a type of content that is not described, or another shape. Of the ids that it
sends, many are those of what exists here, so that it gets past the 404s. The sweep sends boundary values as well
(check_openapi_matches_responses.py), and `make fuzz` 10⁵ of these requests.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pytest
from django.urls import is_valid_path

from config.wsgi import application
from tests.conftest import PAGE, undone
from tests.described import make_credentials, make_venue, member_cookies
from tests.web.server import connections_left_open

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXAMPLES = 1  # of each endpoint, besides those of the description
PLAIN = {"Accept-Encoding": "identity"}  # nothing here would unpack a compressed response
OF_MEMBERS = ("/member", "/rewards", "/checkin", "/signup")
OWN = ("/member/", "/rewards")  # where others than a member do not get far


@dataclass
class Role:
    name: str
    is_sent: Callable[[Any], bool]
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    checks_shape: bool = True


def is_open(case: Any) -> bool:
    """Whether whoever is nobody here may call its endpoint."""
    return {} in case.operation.definition.raw["security"]


def is_own(case: Any) -> bool:
    return case.path.startswith(OWN)


def is_example(case: Any) -> bool:
    return case.meta.phase.name.value != "coverage"


def roles() -> list[Role]:
    """Boundary values are sent by one of them: who gets past the refusals. A browser is answered by the same code."""
    manager = make_credentials()
    return [
        Role("a stranger", lambda case: is_example(case) or (is_open(case) and not is_own(case))),
        Role("a manager", lambda case: is_example(case) or not is_open(case), manager),
        Role(
            "a member",
            lambda case: is_own(case) or (is_example(case) and case.path.startswith(OF_MEMBERS)),
            cookies=member_cookies(),
        ),
        Role("a browser", is_example, manager | {"Accept": PAGE}, checks_shape=False),
    ]


def send_all(settings: Any, *, examples: int, boundaries: bool) -> int:
    """The number of requests; an AssertionError lists all that is wrong."""
    from schemathesis.checks import not_a_server_error  # only where it is needed: it takes every process a second
    from schemathesis.core.failures import FailureGroup

    from tests.described_cases import CHECKS, cases

    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/min")
    make_venue()
    everybody, wrong, sent = roles(), [], 0
    for of_an_endpoint in cases(examples, boundaries):
        for role in everybody:
            with undone(), connections_left_open():
                for case in filter(role.is_sent, of_an_endpoint):
                    sent += 1
                    response = case.call(app=application, headers=PLAIN | role.headers, cookies=role.cookies)
                    try:
                        case.validate_response(response, checks=CHECKS if role.checks_shape else [not_a_server_error])
                    except FailureGroup as failures:
                        wrong.append(f"{role.name}: {failures}")
                    if role.name == "a stranger" and not is_open(case):
                        expected = 401 if is_valid_path(unquote(case.formatted_path)) else 404
                        if response.status_code != expected:
                            wrong.append(f"{role.name}: {case.as_curl_command()}: {response.status_code}")
    assert wrong == [], "\n\n".join(wrong)
    return sent


def test_every_endpoint_responds_to_everybody_as_it_is_described(settings):
    assert send_all(settings, examples=EXAMPLES, boundaries=False) > 400
