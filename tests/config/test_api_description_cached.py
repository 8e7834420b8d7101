"""The OpenAPI description is made once in a process: it takes a fifth of a second."""

import gzip

import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2
from rest_framework.test import APIClient

from config.views import api as views
from tests.at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("query", ["", "?lang=de", "?version=2", "?x=1", "?format=json"])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_it_is_made_once_whatever_the_address_says(api, monkeypatch, query, encoding):
    api.get("/api/schema")
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    response = api.get(f"/api/schema{query}", headers={"accept-encoding": encoding})
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.headers.get("Content-Encoding", "identity") == encoding
    assert "Accept-Encoding" in response["Vary"]
    body = gzip.decompress(response.content) if encoding == "gzip" else response.content
    monkeypatch.undo()
    assert body == OpenApiJsonRenderer2().render(SchemaGenerator().get_schema(public=True), renderer_context={})


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_many_first_requests_at_once_all_get_it():
    views._make.cache_clear()
    responses = at_once([lambda: APIClient(raise_request_exception=False).get("/api/schema")] * 16)
    assert {response.status_code for response in responses} == {200}
    assert len({response.content for response in responses}) == 1
