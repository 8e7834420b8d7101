"""What Schemathesis sends by the OpenAPI description, and what it checks. Importing it takes a second of processor."""

from collections.abc import Iterator

import hypothesis
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources

# Private, and without it pytest's plugin would make the cases of all endpoints at collection, in every process.
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.described import KNOWN, description

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def config(**generation: object) -> schemathesis.Config:
    """Of the ids that are sent, many are those of what exists, so that requests get past the 404s."""
    return schemathesis.Config.from_dict(
        {
            "seed": 4,
            "generation": {"database": "none", "no-shrink": True, **generation},
            "dictionaries": {name: {"values": values} for name, (values, _places) in KNOWN.items()},
            "parameters": {
                place: {"dictionary": name, "probability": 0.7}
                for name, (_, places) in KNOWN.items()
                for place in places
            },
        }
    )


def cases(examples: int, boundaries: bool) -> Iterator[list[schemathesis.Case]]:
    """Of each endpoint: the examples of its description, so many generated ones, and if wanted its boundary values."""
    schema = schemathesis.openapi.from_dict(description(), config=config(deterministic=True))
    schema.config.phases.coverage.enabled = boundaries
    schema.config.phases.coverage.unexpected_methods = {"delete", "options"}  # all others are refused by the same line
    for operation in schema.get_all_operations():
        yield _cases_of(operation.ok(), examples)


def _cases_of(operation: schemathesis.schemas.APIOperation, examples: int) -> list[schemathesis.Case]:
    cases = []

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    def note(case: schemathesis.Case) -> None:
        cases.append(case)

    run = build_operation_test(
        config=operation.schema.config,
        operation=operation,
        test_func=note,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    run()
    return cases
