"""What every response says of itself: how it may be cached, what it depends on, and what its page may load."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from tests.conftest import PAGE, make_user
from tests.described import RICH, SESSION, make_venue
from tests.web.addresses import addresses

pytestmark = pytest.mark.django_db

JSON = "application/json"
QUERIES = {
    "/rewards": f"customerId={RICH}",
    "/table/7/cart": f"sessionId={SESSION}",
    "/table/7/close": f"sessionId={SESSION}",
}
PAGES_ALONE = ["/", "/sign-in", "/password"]  # whatever is asked for
REFUSED = ["/table/8", "/reports/restaurant/menu?days=x", "/tables"]
FOR_ALL = {"/api/docs", "/api/schema"}  # which are the same for everybody
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|\son\w+=")


def paths() -> Iterator[str]:
    for address in addresses():
        if address.is_of_the_framework and "get" in address.methods and not address.path.startswith("/v1/"):
            query = QUERIES.get(address.path)
            yield f"{address.path}?{query}" if query else address.path
    yield from PAGES_ALONE + REFUSED


def varies(response) -> set[str]:
    return {name.strip().lower() for name in response.get("Vary", "").split(",")}


def faults(path: str, response) -> set[str]:
    """What is wrong with its headers, or with its page."""
    policy = response.get("Content-Security-Policy", "")
    wrong = {
        "cached": not {"private", "no-store"} & set(re.split(r",\s*", response.get("Cache-Control", ""))),
        "of all kinds": "accept" not in varies(response) and path not in PAGES_ALONE,
        "of everybody": response.status_code < 400 and "cookie" not in varies(response),
        "failed": response.status_code >= 500,
    }
    if path in FOR_ALL:
        wrong = {}
    if response["Content-Type"].startswith("text/html") and response.status_code != 302:
        wrong["policy"] = "default-src 'self'" not in policy or "unsafe" in policy
        wrong["inline"] = bool(INLINE.search(response.content.decode()))
    return {fault for fault, is_so in wrong.items() if is_so}


@pytest.mark.slow
def test_every_response_says_how_it_is_cached_and_what_it_depends_on_and_no_page_has_anything_inline():
    make_venue()
    manager, stranger = Client(), Client()
    manager.force_login(make_user("Managers"))
    wrong, statuses = {}, {}
    for path in paths():
        for client in (manager, stranger):
            for accept in (PAGE, JSON):
                response = client.get(path, headers={"accept": accept})
                statuses[path, accept, client is manager] = response.status_code
                if faults(path, response):
                    wrong[path, accept, client is manager] = faults(path, response)
    assert wrong == {}
    opened = [path for path in paths() if statuses[path, PAGE, True] == 200]
    assert len(opened) > 40, opened


def test_so_does_what_is_not_there_which_nobody_keeps(client):
    for accept in (PAGE, JSON):
        assert faults("/nowhere", client.get("/nowhere", headers={"accept": accept})) == {"cached"}


def test_what_a_view_says_stays(api, table):
    response = api.get(table.qr_code_url.partition("8000")[2])
    assert response["Cache-Control"].startswith("public, max-age=")


def test_the_redirect_after_a_form_is_for_browsers_alone(client, session, soup):
    client.get("/table/7")
    response = client.post("/table/7/cart", {"add": str(soup.pk)}, headers={"Accept": PAGE})
    assert (response.status_code, varies(response) >= {"accept", "cookie"}) == (303, True)


def test_what_is_compressed_for_some_says_so_to_all(client, table, soup):
    for path in ("/table/7", "/signup", "/", "/sign-in", "/api/schema"):
        for encoding in ("gzip", "identity"):
            response = client.get(path, headers={"Accept": PAGE, "Accept-Encoding": encoding})
            assert response.get("Content-Encoding", "identity") == encoding, path
            assert "accept-encoding" in varies(response), path


def test_a_refusal_outside_the_views_says_so_too(one_window, client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "1/day"}
    client.get("/qr/unknown")
    for accept in (PAGE, JSON):
        headers = {"Accept": accept}
        too_large = client.post("/members", b"x" * 2_000_000, content_type=JSON, headers=headers)
        too_many = client.get("/qr/unknown", headers=headers)
        found = [(each.status_code, "accept" in varies(each)) for each in (too_large, too_many)]
        assert found == [(413, True), (429, True)]
