"""Points that several managers give and take at the same moment."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import Sum
from django.test import Client

from loyalty.models import Member
from loyalty.rewards.queries.ledger import unbalanced_members
from tests.at_once import at_once
from tests.loyalty.making import make_member

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def change_points(
    managers_browser: Client, member: Member, *, key: str, direction: str = "take", points: int = 100
) -> int:
    browser = Client()
    browser.cookies = managers_browser.cookies
    form = {"direction": direction, "points": points, "reason": "At once", "key": key}
    return browser.post(f"/admin/loyalty/member/{member.pk}/points/", form).status_code


def check(member: Member, balance: int, rows: int) -> None:
    member.refresh_from_db()
    assert member.points_balance == balance
    assert member.transactions.aggregate(total=Sum("points"))["total"] == balance
    assert member.transactions.count() == 1 + rows
    assert not unbalanced_members().exists()


def test_of_many_that_take_all_at_once_one_does(managers_browser, member):
    calls = [lambda n=n: change_points(managers_browser, member, key=str(n)) for n in range(8)]
    statuses = at_once(calls)
    assert sorted(statuses) == [200] * 7 + [302]  # the form again, with a sentence
    check(member, 0, 1)


def test_points_given_and_taken_at_once_all_count(managers_browser, member):
    give = [
        lambda n=n: change_points(managers_browser, member, key=f"g{n}", direction="give", points=7) for n in range(6)
    ]
    take = [lambda n=n: change_points(managers_browser, member, key=f"t{n}", points=3) for n in range(6)]
    assert at_once(give + take) == [302] * 12
    check(member, 100 + 6 * 7 - 6 * 3, 12)


def test_one_form_sent_many_times_at_once_counts_once(managers_browser, member):
    assert at_once([lambda: change_points(managers_browser, member, key="one form")] * 8) == [302] * 8
    check(member, 0, 1)
    assert LogEntry.objects.count() == 1


def test_one_form_for_several_sent_many_times_at_once_counts_once_for_each(managers_browser, member):
    other = make_member("Bob", lifetime=100, email="bob@example.com")
    form = {"member": [str(other.pk), str(member.pk)], "points": 5, "reason": "At once", "key": "one form"}

    def send() -> int:
        browser = Client()
        browser.cookies = managers_browser.cookies
        return browser.post("/admin/loyalty/member/give-points/", form).status_code

    assert at_once([send] * 6) == [302] * 6
    check(member, 105, 1)
    check(other, 105, 1)
    assert LogEntry.objects.count() == 2
