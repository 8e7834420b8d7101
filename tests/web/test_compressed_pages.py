"""Pages and JSON travel compressed to those that take it, and say what they depend on."""

import gzip

import pytest
from django.test import Client

from tests.conftest import PAGE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("accept", [PAGE, "application/json"])
def test_what_is_long_is_compressed_and_the_same(client, table, soup, accept):
    # Long enough that it is shorter compressed whatever the length of the name that is drawn for it.
    soup.description = "Bread, beans and black cabbage. " * 30
    soup.save()
    menu = f"/table/{table.table_number}"
    plain = client.get(menu, headers={"Accept": accept, "Accept-Encoding": "identity"})
    travelled = client.get(menu, headers={"Accept": accept, "Accept-Encoding": "br, gzip"})
    assert travelled["Content-Encoding"] == "gzip"
    assert int(travelled["Content-Length"]) == len(travelled.content)
    assert gzip.decompress(travelled.content) == plain.content
    assert not plain.has_header("Content-Encoding")
    for response in plain, travelled:
        assert "accept-encoding" in response["Vary"].lower()


def test_what_is_short_is_left_as_it_is():
    response = Client().get("/healthz", headers={"Accept-Encoding": "gzip"})
    assert response.status_code == 200
    assert not response.has_header("Content-Encoding")
