"""Browsers that keep no cookies are told that nothing but allowing them helps. For orders see the gate's tests."""

import pytest
from django.test import Client

from tests.config.collecting import open_venue, phone_with_card
from tests.conftest import PAGE

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    """Her phone, and her card, at a venue that earns."""
    open_venue()
    return phone_with_card()


@pytest.mark.parametrize("path", ["/sign-in", "/admin/login/"])
def test_staff_who_sign_in_are_told_what_is_missing(path):
    form, page = {"username": "anna", "password": "x"}, {"Accept": PAGE, "Referer": f"http://testserver{path}"}
    browser = Client(enforce_csrf_checks=True, headers=page)
    assert "Your browser sent no cookies" in browser.post(path, form).text
    browser.get(path)  # which sets one
    assert "This page was open for too long" in browser.post(path, form).text


def test_a_member_whose_card_does_not_stay_open_is_told_why(ada):
    card = f"/member/{ada[1].pk}"
    for came_from, is_told in (("/signup", True), ("/member-sign-in/x", True), ("/rewards", False), ("", False)):
        answer = Client(headers={"Accept": PAGE, "Referer": f"http://testserver{came_from}"}).get(card)
        assert ("Your browser sent no cookies" in answer.text) == is_told, came_from
    assert Client(headers={"Referer": "http://["}).get(card).status_code == 200
