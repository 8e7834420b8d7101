"""The programme is one row, which managers change, with what it means in words."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse

from config.models import Venue
from loyalty.models import Location, Programme
from tests.conftest import browser_of, make_user
from tests.loyalty.admin.pages import text_of
from tests.loyalty.making import make_member
from tests.reading import read

pytestmark = pytest.mark.django_db

LIST = reverse("admin:loyalty_programme_changelist")
ADD = reverse("admin:loyalty_programme_add")
PAGE = reverse("admin:loyalty_programme_change", args=[1])
DEFAULTS = {
    "signup_bonus": "100", "points_per_unit": "1", "confirm_above": "500",
    "silver_from": "1000", "gold_from": "5000", "platinum_from": "10000",
    "silver_multiplier": "1.25", "gold_multiplier": "1.5", "platinum_multiplier": "2",
}  # fmt: skip


def save(client, address: str, **changed):
    return client.post(address, DEFAULTS | changed)


def test_the_list_leads_to_the_one_row(managers_browser):
    assert managers_browser.get(LIST)["Location"] == ADD
    assert save(managers_browser, ADD)["Location"] == LIST
    assert managers_browser.get(LIST)["Location"] == PAGE
    assert managers_browser.get(ADD).status_code == 403
    assert managers_browser.post(PAGE.replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert Programme.objects.count() == 1


def test_the_page_says_what_the_programme_means_and_again_after_a_change(managers_browser):
    page = text_of(managers_browser.get(ADD))
    assert "Joining gives 100 points. A bill of €40.00 gives 40 in bronze, 50 in silver" in page
    assert "reaches silver after about 23 weeks, gold after about 2 years and platinum after about 3½ years." in page
    assert save(managers_browser, ADD, silver_from="500", points_per_unit="2", signup_bonus="1").status_code == 302
    page = text_of(managers_browser.get(PAGE))
    assert "Joining gives 1 point. A bill of €40.00 gives 80 in bronze, 100 in silver" in page
    assert "reaches silver after about 7 weeks" in page
    save(managers_browser, PAGE, silver_from="1500", points_per_unit="2", signup_bonus="1")
    history = read(managers_browser.get(PAGE.replace("change", "history"))).text
    assert "Changed points for silver from 500 to 1,500." in history


def test_labels_name_the_currency(managers_browser, settings):
    settings.CURRENCY = "GBP"
    page = read(managers_browser.get(ADD))
    assert "Points per £1" in page
    assert page.field("confirm_above").element.getprevious().text == "£"


def test_months_after_which_points_expire_are_set_here_with_what_that_means(managers_browser, clock):
    clock(datetime(2026, 8, 31, 12, tzinfo=UTC))
    assert "Points don&#x27;t expire." in text_of(managers_browser.get(ADD))
    save(managers_browser, ADD, expires_after_months="6")
    assert "Points expire 6 months after they came onto the card: those of today on 1 Mar 2027." in text_of(
        managers_browser.get(PAGE)
    )
    assert Programme.objects.get().expires_after_months == 6
    assert "less than or equal to 120" in text_of(save(managers_browser, PAGE, expires_after_months="121"))


def test_a_manager_is_warned_of_the_points_that_would_be_lost_at_once(managers_browser, clock):
    clock(datetime(2026, 8, 31, 12, tzinfo=UTC))
    save(managers_browser, ADD)
    for joined, balance in ((datetime(2025, 1, 1, tzinfo=UTC), 700), (datetime(2026, 8, 1, tzinfo=UTC), 300)):
        make_member(lifetime=balance, created_at=joined)
    words = "700 points of 1 member are older: they expire in the coming night."
    for months, is_warned in (("24", False), ("6", True)):
        page = managers_browser.post(PAGE, DEFAULTS | {"expires_after_months": months}, follow=True)
        assert (words in text_of(page)) is is_warned, months
    call_command("expire_points")
    assert words not in text_of(managers_browser.post(PAGE, DEFAULTS | {"expires_after_months": "6"}, follow=True))


def test_what_was_refused_changes_nothing_and_says_why(managers_browser):
    save(managers_browser, ADD)
    page = text_of(save(managers_browser, PAGE, gold_from="900", silver_multiplier="0.5"))
    assert "This needs more points than the tier before it." in page
    assert "greater than or equal to 1" in page
    assert Programme.objects.get().gold_from == 5000


def test_cashiers_do_not_see_it(browser_client):
    browser_client.force_login(make_user("Cashiers"))
    assert browser_client.get(LIST).status_code in {302, 403}


def test_the_location_of_the_tables_is_chosen_here_by_who_may_change_the_venue(managers_browser):
    place = Location.objects.create(name="Corner")
    save(managers_browser, ADD, location=str(place.pk))
    assert Venue.objects.get().location == place
    assert f'<option value="{place.pk}" selected>' in text_of(managers_browser.get(PAGE))
    may_change_points = make_user("Cashiers", "carla")
    may_change_points.user_permissions.set(
        Permission.objects.filter(
            codename__in=["view_programme", "change_programme"], content_type__app_label="loyalty"
        )
    )
    User.objects.filter(pk=may_change_points.pk).update(is_staff=True)
    save(browser_of(may_change_points), PAGE, signup_bonus="5")
    assert (Programme.objects.get().signup_bonus, Venue.objects.get().location) == (5, place)
