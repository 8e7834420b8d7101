import json
import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from qrservice import queries
from qrservice.models import Account, Code, Scan
from qrservice.services import codes
from tests.conftest import make_user
from tests.qrservice.admin.pages import (
    ADD,
    CODES,
    SCANS,
    act,
    browser_of,
    make_code,
    make_scans,
    page_of,
    row_of,
    save,
    text_of,
)

# --- the list -------------------------------------------------------------------------------------


def test_the_list_shows_address_target_use_status_and_scans(manager, code):
    make_scans(code, *(timezone.now() - timedelta(days=n) for n in range(3)))
    row = row_of(code, text_of(manager.get(CODES)))
    for words in (f"/q/{code.slug} ", "example.com/menu Tables", " 3 Today, "):
        assert words in row
    assert "Active" not in row  # as all codes of the list


def test_the_list_has_a_column_of_states_once_they_differ(manager, code):
    other = make_code("https://example.com/poster", type="restaurant_table")
    head = 'class="sortable column-state'
    assert head not in text_of(manager.get(CODES))
    codes.update(code=other, status="disabled")
    page = text_of(manager.get(CODES))
    assert head in page
    assert row_of(code, page).endswith(" Active")
    assert row_of(other, page).endswith(" Disabled")
    order = re.search(r'column-state"><a href="\?(o=\d+)', page)[1]
    codes.update(code=other, status="active")
    assert head in text_of(manager.get(f"{CODES}?{order}")).replace("sorted ascending column-state", "column-state")


def test_what_is_changed_is_saved_above_the_chart_and_by_one_button(manager, code):
    page = text_of(manager.get(page_of(code)))
    assert re.findall(r'<input type="submit" value="([^"]+)"', page) == ["Save"]
    assert page.index('name="status"') < page.index('name="_save"') < page.index("code-chart-heading")


def test_the_page_of_a_code_offers_downloads_in_one_menu_and_its_address_to_copy(manager, code):
    page = text_of(manager.get(page_of(code)))
    menu = re.search(r'class="drop drop-down">\s*<summary>Download</summary>(.*?)</details>', page, re.DOTALL)[1]
    assert re.findall(r'download="[^"]*?(-\d+\.png|\.svg|\.pdf)"', menu) == ["-512.png", "-2048.png", ".svg", ".pdf"]
    assert re.search(rf'<input id="short-address"[^>]* value="[^"]*/q/{code.slug}" readonly', page)
    assert 'data-copies="short-address"' in page


def test_the_last_scan_is_told_as_in_the_list(manager, code):
    assert "never" in text_of(manager.get(page_of(code)))
    make_scans(code, timezone.now())
    told = re.search(r"<time [^>]*>(Today, [^<]+)</time>", text_of(manager.get(CODES)))[1]
    assert re.search(rf"<dt>Last scan</dt>\s*<dd><time [^>]*>{told}</time>", text_of(manager.get(page_of(code))))


def test_the_list_begins_with_the_codes_to_print_and_has_tabs_for_members_and_rewards(manager, code):
    card = make_code("https://example.com/card", type="loyalty_member")
    reward, later = (make_code(f"https://example.com/{n}", type="reward_redemption") for n in range(2))
    poster = make_code("https://example.com/poster")

    def found(**by):
        return list(manager.get(CODES, by).context["cl"].result_list)

    assert found() == [code, poster]
    assert found(kind="members") == [card]
    assert found(kind="rewards") == [later, reward]
    assert set(found(kind="all")) == {code, card, reward, later, poster}
    page = text_of(manager.get(CODES))
    tabs = re.findall(r'<a href="([^"]*)"( aria-current="true")?>([^<]+)</a>', page[page.index("Kinds of codes") :])[:4]
    assert tabs == [
        ("?", ' aria-current="true"', "Tables and check-in"),
        ("?kind=members", "", "Members"),
        ("?kind=rewards", "", "Rewards"),
        ("?kind=all", "", "All"),
    ]


def test_a_search_looks_in_all_codes_or_in_the_chosen_tab(manager, code):
    card = make_code("https://example.com/menu", type="loyalty_member")
    assert set(manager.get(CODES, {"q": "menu"}).context["cl"].result_list) == {code, card}
    assert list(manager.get(CODES, {"q": "menu", "kind": "members"}).context["cl"].result_list) == [card]
    assert list(manager.get(CODES, {"q": "menu", "kind": "places"}).context["cl"].result_list) == [code]


def test_a_tab_has_one_order_however_one_gets_there(manager, code):
    poster, cards = make_code(), [make_code(type="loyalty_member") for _ in range(2)]

    def found(**by):
        return list(manager.get(CODES, by).context["cl"].result_list)

    assert found() == found(kind="places") == found(kind="odd") == [code, poster]
    assert found(q="example") == found(kind="all", q="example") == [*reversed(cards), poster, code]


def test_a_tab_is_kept_when_filters_are_cleared(manager, code):
    assert "Clear filters" not in text_of(manager.get(CODES, {"kind": "all"}))
    page = text_of(manager.get(CODES, {"kind": "all", "status__exact": "active"}))
    assert '<a class="filters-clear" href="?kind=all">Clear filters</a>' in page


def test_tables_are_found_among_many_rewards_by_an_index(manager, code):
    account = codes.built_in_account()
    Code.objects.bulk_create(
        Code(account=account, redirect_url="https://example.com/", metadata={"type": "reward_redemption"})
        for _ in range(2000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE qrservice_code")
    with CaptureQueriesContext(connection) as asked:
        assert list(manager.get(CODES).context["cl"].result_list) == [code]
    listing = next(each["sql"] for each in asked if "scans_counted" in each["sql"])
    counting = next(each["sql"] for each in asked if "COUNT(*)" in each["sql"] and "qrservice_code" in each["sql"])
    for statement in (listing, counting):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # which is as cheap for so few rows
            cursor.execute(f"EXPLAIN {statement}")
            assert "code_standing" in " ".join(row[0] for row in cursor.fetchall())


def test_a_target_in_this_installation_is_shown_without_its_address(manager, settings):
    code = make_code(f"{settings.APP_BASE_URL}/posters/spring")
    row = row_of(code, text_of(manager.get(CODES)))
    assert row == f"/posters/spring /q/{code.slug} 0 –"


def test_a_long_target_is_shortened_in_the_list(manager):
    code = make_code("https://example.com/" + "a" * 200)
    assert "a" * 100 not in row_of(code, text_of(manager.get(CODES)))


def test_the_list_asks_as_many_questions_for_many_codes_as_for_one(manager, code, django_assert_max_num_queries):
    manager.get(CODES)
    with django_assert_max_num_queries(12) as for_one:
        manager.get(CODES)
    for n in range(30):
        make_scans(make_code(type=f"kind {n % 3}"), timezone.now())
    with django_assert_max_num_queries(len(for_one)):
        assert text_of(manager.get(CODES)).count("code-name") == 31


def test_scans_are_counted_up_to_a_bound_in_the_list_and_exactly_on_the_page(manager, code, monkeypatch):
    monkeypatch.setattr(queries, "MAX_COUNTED", 5)
    make_scans(code, *[timezone.now()] * 5)
    assert " 5 " in row_of(code, text_of(manager.get(CODES)))
    make_scans(code, *[timezone.now()] * 3)
    assert "over 5" in row_of(code, text_of(manager.get(CODES)))
    assert manager.get(page_of(code)).context["scan_count"] == "8"


def test_codes_are_sorted_by_their_last_scan_and_never_scanned_ones_come_last(manager, code):
    never, early = make_code(), make_code()
    make_scans(code, timezone.now())
    make_scans(early, timezone.now() - timedelta(days=3))
    column = manager.get(CODES).context["cl"].list_display.index("last_scan")
    found = manager.get(CODES, {"o": f"-{column}"}).context["cl"].result_list
    assert list(found) == [code, early, never]


@pytest.mark.parametrize(
    "words", ["example.org/lunch", "fenêtre", "42", "{slug}", "{analytics_id}", "{short}", "{capitals}"]
)
def test_a_code_is_found_by_slug_target_analytics_id_and_metadata(manager, code, words, settings):
    wanted = make_code("https://example.org/lunch", section="Fenêtre sud", table_number=42)
    code.metadata = {"type": "other"}
    code.save()
    short = f"{settings.APP_BASE_URL}/q/{wanted.slug.lower()}"
    words = words.format(
        slug=wanted.slug.lower(), analytics_id=wanted.analytics_id, short=short, capitals=short.upper()
    )
    assert list(manager.get(CODES, {"q": words}).context["cl"].result_list) == [wanted]


def test_codes_are_filtered_by_status_account_and_type(manager, code):
    account = Account.objects.create(name="Sister restaurant")
    other = codes.create(account=account, redirect_url="https://example.com/", metadata={"type": ["odd"]})
    codes.update(code=other, status="disabled")

    def found(**by):
        return list(manager.get(CODES, by).context["cl"].result_list)

    assert found(status__exact="disabled") == [other]
    assert found(account__id__exact=account.pk) == [other]
    assert found(type="restaurant_table") == [code]
    assert found(type="-") == []
    none = make_code()
    assert found(type="-") == [none]


def test_codes_of_members_and_rewards_are_filtered_by_type_among_all(manager, code):
    card, reward = make_code(type="loyalty_member"), make_code(type="reward_redemption")

    def offered(**by):
        specs = {spec.title: spec for spec in manager.get(CODES, by).context["cl"].filter_specs}
        return [str(words) for _, words in specs["used for"].lookup_choices] if "used for" in specs else []

    assert offered(kind="all") == offered(q="example") == ["Tables", "Members' cards", "Reward codes", "none"]
    assert offered() == ["Tables", "none"]
    assert offered(kind="members") == []
    for kind, wanted in (("loyalty_member", card), ("reward_redemption", reward)):
        assert list(manager.get(CODES, {"kind": "all", "type": kind}).context["cl"].result_list) == [wanted]


# --- switching ------------------------------------------------------------------------------------


def test_codes_are_switched_off_and_on_from_the_list(manager, code, client):
    other = make_code()
    page = act(manager, "switch_off", code, other)
    assert "2 codes were switched off." in text_of(page)
    assert client.get(f"/q/{code.slug}").status_code == 410
    assert "1 code was switched on." in text_of(act(manager, "switch_on", code))
    assert client.get(f"/q/{code.slug}").status_code == 302
    assert LogEntry.objects.filter(object_id=str(code.pk)).count() == 2


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


def test_who_may_only_look_reads_where_a_tables_code_leads_and_is_asked_nothing(db, table, manager):
    code = Code.objects.get(metadata__type="restaurant_table")
    assert "Change where it leads" in text_of(manager.get(page_of(code)))
    user = make_user("Cashiers")
    looker = browser_of(user)
    user.user_permissions.add(Permission.objects.get(codename="view_code"))
    page = text_of(looker.get(page_of(code)))
    assert "Change where it leads" not in page
    assert "shall lead elsewhere" not in page
    plain = page.partition("For programs")[0]
    assert f'<div class="readonly">{code.target}</div>' in plain


# --- one code -------------------------------------------------------------------------------------


def test_the_page_of_a_code_has_its_picture_address_and_downloads(manager, code, settings):
    page = text_of(manager.get(page_of(code)))
    assert f"{settings.APP_BASE_URL}/q/{code.slug}" in page
    for address in ("?size=512", "?size=2048", ".svg", ".pdf"):
        assert f'href="/qr/{code.slug}{address}" download="{code.slug}' in page


def test_the_target_is_changed_and_followed(manager, code, client):
    assert save(manager, code, target="https://example.org/new").status_code == 302
    assert client.get(f"/q/{code.slug}").headers["Location"] == "https://example.org/new"


def test_a_target_in_this_installation_follows_its_address(manager, code, settings):
    save(manager, code, target=f"{settings.APP_BASE_URL}/table/7")
    code.refresh_from_db()
    assert code.base_url == settings.APP_BASE_URL
    settings.APP_BASE_URL = "https://moved.example"
    assert code.target == "https://moved.example/table/7"
    assert 'value="https://moved.example/table/7"' in text_of(manager.get(page_of(code)))
    save(manager, code, target="https://example.org/away")
    code.refresh_from_db()
    assert code.base_url == ""


def test_only_what_was_changed_is_written(manager, code, settings):
    save(manager, code, target=f"{settings.APP_BASE_URL}/table/7")
    first_address = settings.APP_BASE_URL
    settings.APP_BASE_URL = "https://moved.example"
    save(manager, code, target="https://moved.example/table/7", metadata='{"a": 1}')
    code.refresh_from_db()
    assert (code.redirect_url, code.base_url) == (f"{first_address}/table/7", first_address)
    assert code.metadata == {"a": 1}


def test_saving_without_a_change_writes_nothing(manager, code):
    before = code.updated_at
    save(manager, code, metadata=json.dumps(code.metadata, indent=4).replace("\n", "\r\n"))
    code.refresh_from_db()
    assert code.updated_at == before
    assert LogEntry.objects.get().get_change_message() == "No fields changed."


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("", "This field is required."),
        ("ftp://example.com/", "The target must be an absolute http or https address with a host."),
        ("javascript:alert(1)", "The target must be an absolute http or https address with a host."),
        ("https://user:secret@example.com/", "The target must not contain a user name or password."),
        ("https://example.com/a b", "The target must not contain spaces or control characters."),
        ("https://example.com/" + "a" * 2048, "The target has more than 2048 characters."),
    ],
)
def test_a_wrong_target_is_refused_with_a_sentence(manager, code, target, sentence):
    assert sentence in text_of(save(manager, code, target=target))
    code.refresh_from_db()
    assert code.target == "https://example.com/menu"


def test_a_target_with_a_short_host_name_is_fine(manager, code):
    assert save(manager, code, target="http://till:8000/menu").status_code == 302


@pytest.mark.parametrize(
    ("metadata", "sentence"),
    [
        ('{"a": 1,\n oops}', "in line 2, column 2."),
        ("[1, 2]", "The metadata must be a JSON object."),
        ("null", "The metadata must be a JSON object."),
        ('{"a": NaN}', "The metadata can&#x27;t be written as JSON."),
        ('{"a": "\\u0000"}', "The metadata must not contain null characters"),
        (json.dumps({"a": "b" * 4100}), "The metadata is larger than 4096 bytes as JSON."),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": %s}' % ("1" * 5000), "too large"),
    ],
)
def test_wrong_metadata_are_refused_with_a_sentence_and_kept_in_the_form(manager, code, metadata, sentence):
    response = save(manager, code, metadata=metadata)
    assert sentence in text_of(response)
    assert response.context["adminform"].form["metadata"].value() == metadata
    code.refresh_from_db()
    assert code.metadata["table_number"] == 7


def test_metadata_are_shown_readably_and_may_be_emptied(manager, code):
    assert "Fenêtre" in text_of(manager.get(page_of(code)))
    assert save(manager, code, metadata=" ").status_code == 302
    code.refresh_from_db()
    assert code.metadata == {}


def test_a_manager_adds_a_code_of_the_built_in_account(manager, settings):
    form = manager.get(ADD).context["adminform"].form
    account = form.get_initial_for_field(form.fields["account"], "account")
    target = f"{settings.APP_BASE_URL}/menu"
    response = manager.post(ADD, {"account": account, "target": target, "metadata": '{"type": "poster"}'})
    assert response.status_code == 302
    code = Code.objects.get()
    assert (code.account.name, code.target, code.base_url) == ("built-in", target, settings.APP_BASE_URL)
    assert (code.metadata, code.status) == ({"type": "poster"}, "active")
    assert LogEntry.objects.get().object_id == str(code.pk)


def test_the_account_of_a_code_stays(manager, code):
    other = Account.objects.create(name="other")
    save(manager, code, account=other.pk)
    code.refresh_from_db()
    assert code.account.name == Account.BUILT_IN


# --- the chart ------------------------------------------------------------------------------------


def test_the_chart_counts_scans_by_local_day(manager, code, settings):
    settings.TIME_ZONE = "Pacific/Auckland"
    with timezone.override("Pacific/Auckland"):
        midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    second = timedelta(seconds=1)
    make_scans(code, midnight, midnight - second, midnight - second, midnight - timedelta(days=31))
    chart = manager.get(page_of(code)).context["chart"]
    assert len(chart.days) == 30
    assert [number for _, number in chart.days[-2:]] == [2, 1]
    assert chart.days[-1][0] == midnight.date()
    assert chart.total == "3"


def test_the_numbers_of_the_chart_are_in_a_table(manager, code):
    make_scans(code, *[timezone.now()] * 12_345)
    page = text_of(manager.get(page_of(code)))
    table = page[page.index("<summary>Show as a table</summary>") :]
    assert table.count('<th scope="row">') == 30
    assert "<td>12,345</td>" in table
    assert table.count("<td>0</td>") == 29


def test_the_chart_has_an_axis_and_a_bar_for_each_day_with_scans(manager, code):
    now = timezone.now()
    make_scans(code, *[now] * 1000, now - timedelta(days=1))
    page = text_of(manager.get(page_of(code)))
    ticks = page[page.index("plot-ticks") :].partition("</ol>")[0]
    assert re.findall("<li>([^<]+)</li>", ticks) == ["1,000", "500", "0"]
    heights = re.findall(r'<rect class="column" [^>]*height="([^"]+)%"', page)
    assert heights == ["0"] * 28 + ["1.0", "100.0"]  # one scan among a thousand is seen


def test_a_code_that_was_never_scanned_has_an_empty_chart(manager, code):
    page = text_of(manager.get(page_of(code)))
    assert "0 in total, at most 0 in one day." in page
    assert set(re.findall(r'<rect class="column" [^>]*height="([^"]+)%"', page)) == {"0"}


@pytest.mark.parametrize("page", ["list", "code", "add", "scans"])
def test_the_pages_keep_the_strict_policy(manager, code, page):
    make_scans(code, timezone.now())
    address = {"list": CODES, "code": page_of(code), "add": ADD, "scans": SCANS}[page]
    content = text_of(manager.get(address))
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|\son\w+=", content)


# --- deleting -------------------------------------------------------------------------------------


def delete_page(code: Code) -> str:
    return reverse("admin:qrservice_code_delete", args=[code.pk])


def test_a_manager_can_not_delete_a_code(manager, code):
    codes.update(code=code, status="disabled")
    assert "deletelink" not in text_of(manager.get(page_of(code)))
    assert manager.post(delete_page(code), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(manager.get(CODES))


def test_a_superuser_deletes_a_code_that_is_switched_off_and_nothing_else(owner, code):
    assert owner.post(delete_page(code), {"post": "yes"}).status_code == 403
    act(owner, "delete_selected", code, post="yes")
    assert Code.objects.exists()
    codes.update(code=code, status="disabled")
    make_scans(code, *[timezone.now()] * 500)
    page = text_of(owner.get(delete_page(code)))
    assert "Scans: 500" in page
    assert "for good" in page
    assert len(page) < 30_000  # not one line for each scan
    assert owner.post(delete_page(code), {"post": "yes"}).status_code == 302
    assert not Code.objects.exists()
    assert not Scan.objects.exists()


# --- others ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [CODES, ADD, SCANS])
def test_nobody_else_sees_codes_and_scans(db, client, address):
    assert client.get(address).status_code == 302
    assert browser_of(make_user("Cashiers")).get(address).status_code == 403
    assert browser_of(make_user("Floor")).get(address).status_code == 403
