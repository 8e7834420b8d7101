"""The description covers what the framework itself responds, and errors have one shape."""

from copy import deepcopy

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.described_links import LINKS, with_links


@pytest.fixture(scope="module")
def description() -> dict:
    return SchemaGenerator().get_schema(public=True)


@pytest.fixture(scope="module")
def operations(description) -> dict:
    return {(method, path): each for path, found in description["paths"].items() for method, each in found.items()}


def test_errors_have_one_name(description):
    names = set(description["components"]["schemas"])
    assert "Error" in names
    assert not names & {"Refusal", "ServiceError"}
    fields = [set(schema.get("properties", {})) for schema in description["components"]["schemas"].values()]
    assert [field for field in fields if field in ({"error"}, {"error", "fields"})] == [{"error", "fields"}]


def test_every_error_has_a_sentence_in_its_description(operations):
    for called, operation in operations.items():
        for status, response in operation["responses"].items():
            assert response["description"] or int(status) < 400, (called, status)


def test_what_the_framework_refuses_is_described(operations):
    reads_body = operations["post", "/earn"]["responses"]
    assert {"400", "401", "403", "411", "413", "415"} <= set(reads_body)
    assert reads_body["415"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
    limited = operations["get", "/member/{customer_id}"]["responses"]
    assert "Retry-After" in limited["429"]["headers"]
    assert not {"400", "403", "413"} & set(limited)


def test_where_anyone_may_ask_no_credentials_are_needed(operations):
    assert {} in operations["get", "/member/{customer_id}"]["security"]
    assert {} not in operations["get", "/till"]["security"]
    assert {} not in operations["post", "/v1/generate/dynamic"]["security"]


def test_programs_send_and_read_json(operations):
    for operation in operations.values():
        assert set(operation.get("requestBody", {}).get("content", {})) <= {"application/json"}
        kinds = {kind for response in operation["responses"].values() for kind in response.get("content", {})}
        # The 404 of a table is plain text, and order lines, accounts and the journal are files.
        assert kinds <= {"application/json", "text/plain", "text/csv", "application/jsonl"}


def test_links_of_generated_requests_lead_from_and_to_what_is_described(description):
    paths = with_links(deepcopy(description))["paths"]
    links = [link for method, path, status in LINKS for link in paths[path][method]["responses"][status]["links"]]
    assert len(links) == sum(map(len, LINKS.values()))
