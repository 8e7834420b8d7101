"""Members that are chosen in the list: a file of them, and the same points for each."""

import csv
import io

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from loyalty.models import Member, PointTransaction
from loyalty.rules import MAX_POINTS
from tests.conftest import undone
from tests.loyalty.admin.pages import list_of, text_of, words_of
from tests.loyalty.making import make_member
from tests.reading import read

GIVE = "/admin/loyalty/member/give-points/"


@pytest.fixture
def members(db) -> list[Member]:
    return [make_member(name, lifetime=100, email=f"{name}@example.com") for name in ("Ada", "Bob")]


def choose(client, action: str, members):
    chosen = [str(member.pk) for member in members]
    return client.post(list_of("member"), {"action": action, "_selected_action": chosen})


def form_of(client, members, **values) -> dict:
    sent = read(choose(client, "give_points", members)).lists()
    return {"key": sent["key"], "member": sent["member"], "points": 25, "reason": "A storm"} | values


def given() -> list[tuple]:
    rows = PointTransaction.objects.filter(type="bonus").order_by("customer__name")
    return list(rows.values_list("customer__name", "points", "description", "staff_id"))


def test_the_chosen_are_in_the_file_and_no_others(managers_browser, members):
    make_member("Cleo")
    rows = list(
        csv.reader(io.StringIO(choose(managers_browser, "download_chosen", members).getvalue().decode("utf-8-sig")))
    )
    assert [row[0] for row in rows] == ["Name", "Ada", "Bob"]


def test_each_of_the_chosen_gets_the_points_once(managers_browser, members):
    assert "Give points to 2 members" in words_of(choose(managers_browser, "give_points", members))
    form = form_of(managers_browser, members)
    assert "25 points given to 2 members." in words_of(managers_browser.post(GIVE, form, follow=True))
    assert given() == [("Ada", 25, "A storm", "mia"), ("Bob", 25, "A storm", "mia")]
    assert "only counted once: 25 points." in words_of(managers_browser.post(GIVE, form, follow=True))
    page = managers_browser.post(GIVE, form | {"points": 30})
    assert "already sent with other values" in words_of(page)
    assert len(given()) == LogEntry.objects.count() == 2
    assert set(Member.objects.values_list("points_balance", "lifetime_points")) == {(125, 100)}


def test_what_can_not_be_given_is_asked_again(managers_browser, members, subtests):
    for values, sentence in [
        ({"points": 0}, "greater than or equal to 1"),
        ({"points": 10001}, "less than or equal to 10000"),
        ({"reason": " "}, "This field is required."),
    ]:
        with subtests.test(values=values, sentence=sentence), undone():
            page = managers_browser.post(GIVE, form_of(managers_browser, members) | values)
            assert sentence in words_of(page)
            assert text_of(page).count('name="member"') == 2
            assert given() == []


def test_who_can_have_no_more_is_named_and_the_others_get_theirs(managers_browser, members):
    form = form_of(managers_browser, members)
    Member.objects.filter(name="Ada").update(points_balance=MAX_POINTS)
    page = words_of(managers_browser.post(GIVE, form, follow=True))
    assert "25 points given to 1 member." in page
    assert "Without points: Ada." in page
    assert [row[0] for row in given()] == ["Bob"]


def test_who_was_erased_is_left_out(managers_browser, members):
    form = form_of(managers_browser, members)
    Member.objects.filter(name="Bob").update(erased_at=timezone.now())
    assert "Give points to 1 member Ada" in words_of(choose(managers_browser, "give_points", members))
    managers_browser.post(GIVE, form)
    assert [row[0] for row in given()] == ["Ada"]
    Member.objects.update(erased_at=timezone.now())
    assert choose(managers_browser, "give_points", members).status_code == 302
    assert "Erased members can't get points." in words_of(managers_browser.get(list_of("member")))


def test_only_who_may_change_members_may_give_to_several(cashiers_browser, managers_browser, members):
    form = form_of(managers_browser, members)
    assert cashiers_browser.post(GIVE, form).status_code == 403
    assert managers_browser.get(GIVE).status_code == 302
    assert given() == []
