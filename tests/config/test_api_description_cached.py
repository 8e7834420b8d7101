"""The OpenAPI description is made once in a process: it takes a fifth of a second."""

import gzip

import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2
from rest_framework.test import APIClient

from config.views import api as views
from tests.at_once import at_once

pytestmark = pytest.mark.django_db


def test_it_is_made_once_whatever_the_address_says(api, monkeypatch):
    made = OpenApiJsonRenderer2().render(SchemaGenerator().get_schema(public=True), renderer_context={})
    api.get("/api/schema")
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    for query in ("", "?lang=de", "?version=2", "?x=1", "?format=json"):
        for encoding in ("gzip", "identity"):
            response = api.get(f"/api/schema{query}", headers={"accept-encoding": encoding})
            assert (response.status_code, response["Content-Type"]) == (200, "application/json"), query
            assert response.headers.get("Content-Encoding", "identity") == encoding, query
            assert "Accept-Encoding" in response["Vary"], query
            assert (gzip.decompress(response.content) if encoding == "gzip" else response.content) == made, query


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_many_first_requests_at_once_all_get_it():
    views._description.cache_clear()
    responses = at_once([lambda: APIClient(raise_request_exception=False).get("/api/schema")] * 16)
    assert {response.status_code for response in responses} == {200}
    assert len({response.content for response in responses}) == 1
