"""`Vary`: what a response depends on, for caches between the server and its callers."""

import pytest
from django.test import Client

from tests.conftest import PAGE, make_user, order_body, unknown_id
from tests.loyalty.making import make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def paths(session, soup, api) -> dict[str, int]:
    """Addresses with two faces, and the status of each for a manager."""
    member = make_member()
    placed = api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()
    return {
        "/table/7": 200,
        "/table/8": 404,
        f"/table/7/cart?sessionId={session.pk}": 200,
        f"/table/7/close?sessionId={session.pk}": 200,
        f"/orders/{placed['orderId']}": 200,
        f"/orders/{unknown_id()}": 404,
        f"/member/{member.pk}": 200,
        f"/rewards?customerId={member.pk}": 200,
        "/signup": 200,
        "/member-sign-in": 200,
        "/kitchen": 200,
        "/floor": 200,
        "/till": 200,
        "/use/RWD-ZZZZZZ": 404,
        "/reports": 200,
        "/reports/loyalty": 200,
        "/reports/restaurant/menu?days=x": 400,
        "/tables": 405,
        "/nowhere": 404,
    }


def varies(response) -> set[str]:
    return {name.strip().lower() for name in response.get("Vary", "").split(",")}


@pytest.fixture
def manager_client(db) -> Client:
    client = Client()
    client.force_login(make_user("Managers"), backend="web.authentication.StaffBackend")
    return client


@pytest.mark.parametrize("accept", [PAGE, "application/json", "*/*"])
def test_page_and_json_are_told_apart_by_the_accept_header(manager_client, paths, accept):
    for path, status in paths.items():
        response = manager_client.get(path, headers={"Accept": accept})
        assert response.status_code == status, path
        assert "accept" in varies(response), path


@pytest.mark.parametrize("accept", [PAGE, "application/json"])
def test_what_staff_see_is_not_what_a_stranger_sees(manager_client, client, paths, accept):
    for path, status in paths.items():
        if status == 200:
            assert "cookie" in varies(manager_client.get(path, headers={"Accept": accept})), path
            assert "cookie" in varies(client.get(path, headers={"Accept": accept})), path


def test_the_way_to_the_sign_in_page_is_for_browsers_alone(client):
    response = client.get("/kitchen", headers={"Accept": PAGE})
    assert (response.status_code, varies(response) >= {"accept", "cookie"}) == (302, True)


def test_the_redirect_after_a_form_is_for_browsers_alone(client, session, soup):
    client.get("/table/7")
    response = client.post("/table/7/cart", {"add": str(soup.pk)}, headers={"Accept": PAGE})
    assert (response.status_code, varies(response) >= {"accept", "cookie"}) == (303, True)


@pytest.mark.parametrize("path", ["/table/7", "/signup", "/", "/sign-in", "/api/schema"])
def test_what_is_compressed_for_some_says_so_to_all(client, table, soup, path):
    for encoding in ("gzip", "identity"):
        response = client.get(path, headers={"Accept": PAGE, "Accept-Encoding": encoding})
        assert response.get("Content-Encoding", "identity") == encoding
        assert "accept-encoding" in varies(response)


@pytest.mark.parametrize("accept", [PAGE, "application/json"])
def test_a_refusal_outside_the_views_says_so_too(client, settings, accept):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "1/day"}
    headers = {"Accept": accept}
    too_large = client.post("/members", b"x" * 2_000_000, content_type="application/json", headers=headers)
    for _ in range(2):
        too_many = client.get("/qr/unknown", headers=headers)
    assert [(each.status_code, "accept" in varies(each)) for each in (too_large, too_many)] == [
        (413, True),
        (429, True),
    ]
