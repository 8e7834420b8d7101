"""QR codes in the admin say which table, card, reward or location they belong to."""

import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from loyalty.models import Member, Redemption
from qrservice.models import Code
from qrservice.services import codes
from tests.conftest import browser_of, make_table, make_user
from tests.loyalty.making import enrol, make_location, make_reward
from tests.qrservice.admin.pages import CODES, make_code, page_of, row_of, save, text_of
from tests.reading import read

pytestmark = pytest.mark.django_db

PRINT = re.compile("^Print the card")


def leading_to(path: str, settings) -> Code:
    return make_code(f"{settings.APP_BASE_URL}/{path}")


def member() -> Member:
    return enrol("oisin@example.com", "Oisin Garcia")[1]


def test_the_list_names_what_each_code_is_used_for(managers_browser, settings):
    make_table(12, section="Terrace")
    location, oisin = make_location("Harbour"), member()
    codes_by_text = {
        # What it opens is the same for all tables and all cards.
        "Table 12 Terrace /q/": leading_to("table/12", settings),
        "Table 13 Opens the menu of this table /q/": leading_to("table/13", settings),
        "Card of Oisin Garcia – /q/": leading_to(f"member/{oisin.pk}", settings),
        "Check-in at Harbour Opens the page to collect points": leading_to(f"checkin/{location.pk}", settings),
        "Reward code RWD-NONE42 Opens the till, for a reward": leading_to("use/RWD-NONE42", settings),
    }
    page = text_of(managers_browser.get(CODES, {"kind": "all"}))
    for words, code in codes_by_text.items():
        assert words in row_of(code, page)
    assert {(link.name, link["href"]) for link in read(page).all("link", PRINT)} == {
        ("Print the card of Table 12", "/tables/print?numbers=12"),
        ("Print the card of Check-in at Harbour", f"/locations/{location.pk}/print"),
    }
    assert read(managers_browser.get(CODES, {"kind": "members"})).all("link", PRINT) == []


def test_a_reward_s_code_says_what_became_of_it(managers_browser, settings):
    ends, coffee, oisin = {}, make_reward("Coffee"), member()
    for name, status, hours, words in (
        ("RWD-AAAAAA", "active", 1, "Waiting"), ("RWD-BBBBBB", "active", -1, "Expired"),
        ("RWD-CCCCCC", "used", -1, "Used"), ("RWD-DDDDDD", "cancelled", 1, "Cancelled"),
    ):  # fmt: skip
        Redemption.objects.create(
            customer=oisin, reward=coffee, points_spent=1, redemption_code=name, status=status,
            expires_at=timezone.now() + timedelta(hours=hours),
        )  # fmt: skip
        ends[leading_to(f"use/{name}", settings)] = (f"Reward code {name} Opens the till, for Coffee /q/", f" {words}")
    page = text_of(managers_browser.get(CODES, {"kind": "all"}))
    wrong = {code.target: row_of(code, page) for code, (first, last) in ends.items()
             if not (row_of(code, page).startswith(first) and row_of(code, page).endswith(f"{last} –"))}  # fmt: skip
    assert wrong == {}
    for code in ends:
        codes.update(code=code, status="disabled")
    page = text_of(managers_browser.get(CODES, {"kind": "all"}))
    assert [code.target for code in ends if " Disabled" not in row_of(code, page)] == []


def test_what_is_gone_or_odd_is_named_without_a_link(managers_browser, settings):
    paths = ["member/nobody", f"member/{uuid.UUID(int=1)}", "checkin/%00", "use/%00", "table/99999999999999", "table/x"]
    odd = [leading_to(path, settings) for path in paths]
    page = text_of(managers_browser.get(CODES))
    assert [code.target for code in odd if "Opens" not in row_of(code, page)] == []
    for code in odd:
        assert not re.search(
            "/admin/(loyalty|restaurant)/[a-z]+/[^/]+/change/", text_of(managers_browser.get(page_of(code)))
        )


def test_other_targets_are_shown_as_they_are(managers_browser, settings):
    base = settings.APP_BASE_URL = "https://regulars.example"
    for target in ("https://example.org/table/7", f"{base}/", f"{base}/nothing-here", f"{base}s/table/7"):
        code = make_code(target)
        assert "Belongs to: –" in read(managers_browser.get(page_of(code))), target


def test_the_page_of_a_code_leads_to_what_it_belongs_to_and_to_what_it_opens(managers_browser, settings):
    table = make_table(12)
    code = leading_to("table/12", settings)
    page = read(managers_browser.get(page_of(code)))
    assert ("Table 12", reverse("admin:restaurant_table_change", args=[table.pk])) in page.links()
    assert page.one("link", "Opens the menu of this table")["href"] == code.target
    codes.update(code=code, redirect_url="https://example.org/")
    assert "Belongs to: –" in read(managers_browser.get(page_of(code)))


def test_the_code_of_a_table_leads_elsewhere_only_if_that_is_meant(managers_browser, settings):
    make_table(12)
    code = leading_to("table/12", settings)
    page = text_of(managers_browser.get(page_of(code)))
    assert "What is printed for Table 12 opens this address." in page
    refused = text_of(save(managers_browser, code, target="https://example.org/"))
    assert "This is the code of Table 12. Tick this box" in refused
    code.refresh_from_db()
    assert code.target == f"{settings.APP_BASE_URL}/table/12"
    assert save(managers_browser, code, metadata='{"a": 1}').status_code == 302  # which moves nothing
    code.refresh_from_db()
    assert save(managers_browser, code, target="https://example.org/", sure="on").status_code == 302
    code.refresh_from_db()
    assert (code.target, code.metadata) == ("https://example.org/", {"a": 1})
    assert "shall lead elsewhere" not in text_of(managers_browser.get(page_of(code)))
    assert "Yes" not in LogEntry.objects.order_by("pk").last().get_change_message()


def test_who_may_not_see_members_gets_no_link_to_one(settings):
    user = make_user("Cashiers")
    user.user_permissions.add(Permission.objects.get(codename="view_code"))
    user.groups.clear()
    oisin = member()
    code = leading_to(f"member/{oisin.pk}", settings)
    assert reverse("admin:loyalty_member_change", args=[oisin.pk]) not in text_of(browser_of(user).get(page_of(code)))


def test_many_codes_are_named_with_as_many_queries_as_a_few(managers_browser, settings, django_assert_max_num_queries):
    def codes_of(number: int) -> None:
        make_table(number)
        leading_to(f"table/{number}", settings)
        leading_to(f"member/{enrol(f'{number}@example.com', f'Guest {number}')[1].pk}", settings)

    codes_of(1)
    managers_browser.get(CODES, {"kind": "all"})
    with django_assert_max_num_queries(14) as for_two:
        managers_browser.get(CODES, {"kind": "all"})
        few = len(for_two)
    for number in range(2, 12):
        codes_of(number)
    with django_assert_max_num_queries(few):
        assert "Card of Guest 11" in text_of(managers_browser.get(CODES, {"kind": "all"}))
