"""The list of codes in the admin, switching them off and on, and deleting them."""

from datetime import UTC, datetime, timedelta

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from qrservice import queries
from qrservice.models import Account, Code, Scan
from qrservice.services import codes
from tests.conftest import browser_of, make_user
from tests.qrservice.admin.pages import (
    ADD,
    CODES,
    SCANS,
    act,
    make_code,
    make_scans,
    page_of,
    row_of,
    save,
    text_of,
)
from tests.reading import read

# --- the list -------------------------------------------------------------------------------------


def test_the_list_shows_address_target_use_status_and_scans(managers_browser, code, clock):
    clock(datetime(2026, 3, 7, 12, tzinfo=UTC))
    make_scans(code, *(timezone.now() - timedelta(days=n) for n in range(3)))
    row = row_of(code, text_of(managers_browser.get(CODES)))
    for words in (f"/q/{code.slug} ", "example.com/menu", " 3 Today, 12:00 Active"):
        assert words in row


def test_the_list_begins_with_the_codes_to_print_and_has_others_by_their_kind(managers_browser, code):
    card = make_code("https://example.com/card", type="loyalty_member")
    reward, later = (make_code(f"https://example.com/{n}", type="reward_redemption") for n in range(2))
    poster = make_code("https://example.com/poster")

    def found(**by):
        return list(managers_browser.get(CODES, by).context["cl"].result_list)

    assert found() == [code, poster]
    assert found(kind="members") == [card]
    assert found(kind="rewards") == [later, reward]
    assert set(found(kind="all")) == {code, card, reward, later, poster}


def test_a_search_looks_in_all_codes_or_in_the_chosen_tab(managers_browser, code):
    card = make_code("https://example.com/menu", type="loyalty_member")
    assert set(managers_browser.get(CODES, {"q": "menu"}).context["cl"].result_list) == {code, card}
    assert list(managers_browser.get(CODES, {"q": "menu", "kind": "members"}).context["cl"].result_list) == [card]
    assert list(managers_browser.get(CODES, {"q": "menu", "kind": "places"}).context["cl"].result_list) == [code]


def test_a_tab_has_one_order_however_one_gets_there(managers_browser, code):
    poster, cards = make_code(), [make_code(type="loyalty_member") for _ in range(2)]

    def found(**by):
        return list(managers_browser.get(CODES, by).context["cl"].result_list)

    assert found() == found(kind="places") == found(kind="odd") == [code, poster]
    assert found(q="example") == found(kind="all", q="example") == [*reversed(cards), poster, code]


def test_tables_are_found_among_many_rewards_by_an_index(managers_browser, code):
    account = codes.built_in_account()
    Code.objects.bulk_create(
        Code(account=account, redirect_url="https://example.com/", metadata={"type": "reward_redemption"})
        for _ in range(2000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE qrservice_code")
    with CaptureQueriesContext(connection) as asked:
        assert list(managers_browser.get(CODES).context["cl"].result_list) == [code]
    listing = next(each["sql"] for each in asked if "scans_counted" in each["sql"])
    counting = next(each["sql"] for each in asked if "COUNT(*)" in each["sql"] and "qrservice_code" in each["sql"])
    for statement in (listing, counting):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # which is as cheap for so few rows
            cursor.execute(f"EXPLAIN {statement}")
            assert "code_standing" in " ".join(row[0] for row in cursor.fetchall())


def test_a_target_in_this_installation_is_shown_without_its_address(managers_browser, settings):
    code = make_code(f"{settings.APP_BASE_URL}/posters/spring")
    row = row_of(code, text_of(managers_browser.get(CODES)))
    assert row.startswith("/posters/spring ")


def test_a_long_target_is_shortened_in_the_list(managers_browser):
    code = make_code("https://example.com/" + "a" * 200)
    assert "a" * 100 not in row_of(code, text_of(managers_browser.get(CODES)))


def test_the_list_asks_as_many_questions_for_many_codes_as_for_one(
    managers_browser, code, django_assert_max_num_queries
):
    managers_browser.get(CODES)
    with django_assert_max_num_queries(12) as for_one:
        managers_browser.get(CODES)
    for n in range(30):
        make_scans(make_code(type=f"kind {n % 3}"), timezone.now())
    with django_assert_max_num_queries(len(for_one)):
        assert len(managers_browser.get(CODES).context["cl"].result_list) == 31


def test_scans_are_counted_up_to_a_bound(managers_browser, code, monkeypatch):
    monkeypatch.setattr(queries, "MAX_COUNTED", 5)
    make_scans(code, *[timezone.now()] * 5)
    assert " 5 " in row_of(code, text_of(managers_browser.get(CODES)))
    make_scans(code, *[timezone.now()] * 3)
    assert "over 5" in row_of(code, text_of(managers_browser.get(CODES)))


def test_codes_are_sorted_by_their_last_scan_and_never_scanned_ones_come_last(managers_browser, code):
    never, early = make_code(), make_code()
    make_scans(code, timezone.now())
    make_scans(early, timezone.now() - timedelta(days=3))
    column = managers_browser.get(CODES).context["cl"].list_display.index("last_scan")
    found = managers_browser.get(CODES, {"o": f"-{column}"}).context["cl"].result_list
    assert list(found) == [code, early, never]


def test_a_code_is_found_by_slug_target_analytics_id_and_metadata(managers_browser, code, settings):
    wanted = make_code("https://example.org/lunch", section="Fenêtre sud", table_number=42)
    # Nothing of chance, in which 42 may be found too.
    Code.objects.filter(pk=code.pk).update(slug="ABCDEFGH", analytics_id="other", metadata={"type": "other"})
    short = f"{settings.APP_BASE_URL}/q/{wanted.slug.lower()}"
    texts = ["example.org/lunch", "fenêtre", "42", wanted.slug.lower(), wanted.analytics_id, short, short.upper()]
    found = {words: list(managers_browser.get(CODES, {"q": words}).context["cl"].result_list) for words in texts}
    assert found == {words: [wanted] for words in texts}


def test_codes_are_filtered_by_status_and_account(managers_browser, code):
    account = Account.objects.create(name="Sister restaurant")
    other = codes.create(account=account, redirect_url="https://example.com/", metadata={"type": ["odd"]})
    codes.update(code=other, status="disabled")

    def found(**by):
        return list(managers_browser.get(CODES, by).context["cl"].result_list)

    assert found(status__exact="disabled") == [other]
    assert found(account__id__exact=account.pk) == [other]


# --- switching ------------------------------------------------------------------------------------


def test_codes_are_switched_off_and_on_from_the_list(managers_browser, code, client):
    other = make_code()
    page = act(managers_browser, "switch_off", code, other)
    assert "2 codes were switched off." in text_of(page)
    assert client.get(f"/q/{code.slug}").status_code == 410
    assert "1 code was switched on." in text_of(act(managers_browser, "switch_on", code))
    assert client.get(f"/q/{code.slug}").status_code == 302
    assert LogEntry.objects.filter(object_id=str(code.pk)).count() == 2


def test_a_code_is_switched_off_and_on_on_its_page(managers_browser, code, client):
    assert save(managers_browser, code, status="disabled").status_code == 302
    assert client.get(f"/q/{code.slug}").status_code == 410
    assert save(managers_browser, code, status="active").status_code == 302
    assert client.get(f"/q/{code.slug}").status_code == 302
    assert "valid choice" in text_of(save(managers_browser, code, status="nonsense"))


def test_who_may_only_look_can_not_switch(db, code):
    user = make_user("Cashiers")
    looker = browser_of(user)
    user.user_permissions.add(Permission.objects.get(codename="view_code"))
    assert "Switch off" not in text_of(looker.get(CODES))
    act(looker, "switch_off", code)
    code.refresh_from_db()
    assert code.status == "active"
    assert code.target in text_of(looker.get(page_of(code)))
    assert save(looker, code, target="https://example.org/").status_code == 403


# --- deleting -------------------------------------------------------------------------------------


def delete_page(code: Code) -> str:
    return reverse("admin:qrservice_code_delete", args=[code.pk])


def test_a_manager_can_not_delete_a_code(managers_browser, code):
    codes.update(code=code, status="disabled")
    assert "Delete" not in read(managers_browser.get(page_of(code))).names("link")
    assert managers_browser.post(delete_page(code), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(managers_browser.get(CODES))


def test_a_superuser_deletes_a_code_that_is_switched_off_and_nothing_else(owners_browser, code):
    assert owners_browser.post(delete_page(code), {"post": "yes"}).status_code == 403
    act(owners_browser, "delete_selected", code, post="yes")
    assert Code.objects.exists()
    codes.update(code=code, status="disabled")
    make_scans(code, *[timezone.now()] * 500)
    page = text_of(owners_browser.get(delete_page(code)))
    assert "Scans: 500" in page
    assert len(page) < 30_000  # not one line for each scan
    assert owners_browser.post(delete_page(code), {"post": "yes"}).status_code == 302
    assert not Code.objects.exists()
    assert not Scan.objects.exists()


# --- others ---------------------------------------------------------------------------------------


def test_nobody_else_sees_codes_and_scans(db, client):
    cashier, waiter = browser_of(make_user("Cashiers")), browser_of(make_user("Floor"))
    for address in (CODES, ADD, SCANS):
        assert client.get(address).status_code == 302
        assert [user.get(address).status_code for user in (cashier, waiter)] == [403, 403]
