"""The admin's first page: Django's list of models, by sections and in the house's words."""

import pytest

from tests.reading import read

pytestmark = pytest.mark.django_db

ADMIN = "/admin/"


def test_models_are_called_as_their_pages_are_and_lead_to_them(managers_browser):
    page = read(managers_browser.get(ADMIN))
    links = dict(page.links())
    assert (links["Menu items"], links["Table sessions"]) == (
        "/admin/restaurant/menuitem/",
        "/admin/restaurant/tablesession/",
    )
    assert "/admin/auth/user/" not in links.values()
    for name in ("Menu items", "Table sessions"):
        assert managers_browser.get(links[name]).status_code == 200


def test_what_one_has_changed_last_is_beside_it(managers_browser, soup):
    managers_browser.post(f"/admin/restaurant/menuitem/{soup.pk}/availability/", {"available": "no"})
    assert "Recent actions My actions Changed: Ribollita" in read(managers_browser.get(ADMIN)).text


def test_what_django_would_show_twice_leads_to_the_house_s_own_pages(managers_browser):
    assert managers_browser.get("/admin/restaurant/").headers["Location"] == ADMIN
    assert managers_browser.get("/admin/password_change/").headers["Location"] == "/password"
