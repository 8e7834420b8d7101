"""The programme is one row, which managers change, with what it means in words."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse

from config.models import Venue
from loyalty.models import Location, Programme
from tests.conftest import browser_of, make_user, undone
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
    assert save(managers_browser, ADD)["Location"] == PAGE
    assert managers_browser.get(LIST)["Location"] == PAGE
    assert managers_browser.get(ADD).status_code == 403
    assert managers_browser.post(PAGE.replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert Programme.objects.count() == 1


def test_the_page_says_what_the_programme_means_and_again_after_a_change(managers_browser):
    page = text_of(managers_browser.get(ADD))
    assert "Joining gives 100 points. A bill of €40.00 gives 40 in bronze, 50 in silver" in page
    assert "reaches silver after about 23 weeks, gold after about 2 years and platinum after about 3½ years." in page
    assert save(managers_browser, ADD, silver_from="500", points_per_unit="2", signup_bonus="1")["Location"] == PAGE
    page = text_of(managers_browser.get(PAGE))
    assert "Joining gives 1 point. A bill of €40.00 gives 80 in bronze, 100 in silver" in page
    assert "reaches silver after about 7 weeks" in page
    save(managers_browser, PAGE, silver_from="1,500", points_per_unit="2", signup_bonus="1")
    history = read(managers_browser.get(PAGE.replace("change", "history"))).text
    assert "Changed points for silver from 500 to 1,500." in history


def test_the_tiers_are_a_table_of_points_and_multipliers(managers_browser):
    save(managers_browser, ADD)
    for tier, erased_at in (("silver", None), ("gold", None), ("gold", None), ("gold", datetime.now(UTC))):
        make_member(tier=tier, erased_at=erased_at)
    table = read(managers_browser.get(PAGE)).one("table")
    rows = [[field["name"] for field in row.all("field")] for row in table.all("row")[1:]]
    tiers = ("silver", "gold", "platinum")
    assert rows == [[], *([f"{tier}_from", f"{tier}_multiplier"] for tier in tiers)]
    heads = "From lifetime points Multiplier bronze 0 members 0 1"
    assert f"{heads} silver 1 member Silver from Silver multiplies by gold 2 members Gold from" in table  # as heard
    signs = [span.text for span in table.element.iter("span") if span.get("aria-hidden") == "true"]
    assert signs == ["×"] * 4  # as seen


def test_thousands_stand_apart_and_may_be_written_so(managers_browser):
    def begins(address: str) -> list[str]:
        page = read(managers_browser.get(address))
        return [page.field(f"{tier}_from")["value"] for tier in ("silver", "gold", "platinum")]

    assert begins(ADD) == ["1,000", "5,000", "10,000"]
    save(managers_browser, ADD, silver_from="1,250", gold_from="12 500", platinum_from="20000")
    programme = Programme.objects.get()
    assert (programme.silver_from, programme.gold_from, programme.platinum_from) == (1250, 12500, 20000)
    assert begins(PAGE) == ["1,250", "12,500", "20,000"]
    for wrong in ("1.5", "1,5", "12,34", "x", "", "0", "-1", "100,000,001"):
        assert save(managers_browser, PAGE, silver_from=wrong).status_code == 200
    assert Programme.objects.get().silver_from == 1250


def test_points_that_never_expire_are_an_empty_field_that_says_so(managers_browser):
    assert read(managers_browser.get(ADD)).field("expires_after_months")["placeholder"] == "Never"
    save(managers_browser, ADD, expires_after_months="")
    assert Programme.objects.get().expires_after_months is None


def test_settings_are_read_before_a_field_gets_the_focus(managers_browser):
    assert 'data-model-name="programme"' not in text_of(managers_browser.get(ADD))
    assert 'data-model-name="reward"' in text_of(managers_browser.get(reverse("admin:loyalty_reward_add")))


def test_without_a_script_the_explanation_says_when_it_changes(managers_browser):
    assert "This updates when you save." in text_of(managers_browser.get(ADD))


def preview_of(client, **changed):
    return client.get(f"{LIST}preview/", DEFAULTS | changed)


def test_what_is_filled_in_is_explained_before_it_is_saved(managers_browser):
    save(managers_browser, ADD)
    answer = preview_of(managers_browser, points_per_unit="3", silver_from="1200").json()
    assert answer["note"] == "As filled in, and not saved yet."
    assert "A bill of €40.00 gives 120 in bronze, 150 in silver" in answer["sentences"][0]
    assert "Silver begins at 1,200 lifetime points, gold at 5,000 and platinum at 10,000." in answer["sentences"]
    assert Programme.objects.get().silver_from == 1000


def test_what_can_not_be_saved_has_no_explanation(managers_browser, subtests):
    for changed in [{"gold_from": "900"}, {"points_per_unit": ""}, {"signup_bonus": "x"}]:
        with subtests.test(changed=changed), undone():
            assert preview_of(managers_browser, **changed).json() == {"note": "Not all of these numbers can be saved."}


def test_only_who_may_see_the_programme_gets_an_explanation(browser_client):
    for sign_in in (lambda: browser_client.force_login(make_user("Cashiers")), browser_client.logout):
        sign_in()
        response = preview_of(browser_client)
        assert response.status_code in {302, 403}
        assert b"lifetime" not in response.content


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
    assert preview_of(managers_browser).json()["warning"] == ""
    assert preview_of(managers_browser, expires_after_months="24").json()["warning"] == ""
    words = "700 points of 1 member are older: they expire in the night after you save this."
    assert preview_of(managers_browser, expires_after_months="6").json()["warning"] == words
    assert words not in text_of(managers_browser.get(PAGE))
    save(managers_browser, PAGE, expires_after_months="6")
    assert words in text_of(managers_browser.get(PAGE))
    call_command("expire_points")
    assert words not in text_of(managers_browser.get(PAGE))


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
