"""An Accept header longer than any browser's counts as none, and costs nothing."""

import time

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("accept", ["text/html," + "a/b;q=0.5," * 20_000, "text/html," + "," * 200_000, "x" * 200_000])
@pytest.mark.parametrize("path", ["/signup", "/nowhere", "/", "/sign-in", "/api/schema"])
def test_a_very_long_accept_header_takes_no_time(api, path, accept):
    api.get(path)
    began = time.thread_time()
    response = api.get(path, headers={"accept": accept})
    assert time.thread_time() - began < 0.1
    assert response.status_code in {200, 404}


def test_it_gets_json(api):
    response = api.get("/signup", headers={"accept": "text/html," + "a/b;q=0.5," * 100})
    assert response["Content-Type"] == "application/json"


def test_a_header_of_a_browser_with_many_types_gets_the_page(api):
    response = api.get("/signup", headers={"accept": "text/html," + "a/b;q=0.5," * 90})
    assert response["Content-Type"].startswith("text/html")
