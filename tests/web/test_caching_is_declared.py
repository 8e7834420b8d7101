"""No page or JSON is stored by shared caches or shown again unasked, unless its view says so."""

import pytest

from tests.conftest import PAGE, make_user, signed_in

pytestmark = pytest.mark.django_db

ACCEPTS = pytest.mark.parametrize("accept", [PAGE, "application/json"])
PATHS = [
    "/",
    "/till",
    "/tables/print",
    "/rewards",
    "/signup",
    "/reports",
    "/reports/restaurant/day",
    "/reports/restaurant/lines",
    "/kitchen",
    "/floor",
    "/sign-in",
    "/password",
    "/staff",
    "/setup",
    "/tables/range",
    "/floor/plan",
]


@ACCEPTS
@pytest.mark.parametrize("path", PATHS)
def test_every_response_says_how_it_may_be_cached(path, accept):
    for client in (signed_in(make_user("Managers")), signed_in(make_user("Floor"))):
        assert "private" in client.get(path, headers={"accept": accept})["Cache-Control"]


def test_so_does_an_error_without_a_session(api):
    assert api.get("/till")["Cache-Control"] == "private, no-cache"
    assert api.get("/till", headers={"accept": PAGE})["Cache-Control"] == "private, no-cache"


def test_what_a_view_says_stays(api, table):
    response = api.get(table.qr_code_url.partition("8000")[2])
    assert response["Cache-Control"].startswith("public, max-age=")
