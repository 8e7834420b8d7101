"""The page of one code: its picture and address, what is changed there, and its chart."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.utils import timezone

from qrservice.models import Account, Code
from tests.conftest import make_user
from tests.qrservice.admin.pages import (
    ADD,
    CODES,
    SCANS,
    browser_of,
    make_scans,
    page_of,
    save,
    text_of,
)


def test_what_is_changed_stands_below_the_chart_and_is_saved_by_one_button(manager, code):
    page = text_of(manager.get(page_of(code)))
    assert re.findall(r'<input type="submit" value="([^"]+)"', page) == ["Save"]
    assert page.index("code-chart-heading") < page.index('name="target"') < page.index('name="_save"')


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
    assert "The target leads back to where it began" in text_of(save(manager, code, target=code.short_url))


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
    table = page[page.index("<summary>Show the numbers</summary>") :]
    assert table.count('<th scope="row">') == 30
    assert "<td>12,345</td>" in table
    assert table.count("<td>0</td>") == 29


def test_the_chart_has_an_axis_and_a_bar_for_each_day_with_scans(manager, code):
    now = timezone.now()
    make_scans(code, *[now] * 1000, now - timedelta(days=1))
    page = text_of(manager.get(page_of(code)))
    ticks = page[page.index("plot-ticks") :].partition("</ol>")[0]
    assert re.findall("<li>([^<]+)</li>", ticks) == ["1,000", "500", "0"]
    columns = re.findall(r'<rect class="column( column-running)?" [^>]*height="([^"]+)%"', page)
    assert columns == [("", "0")] * 28 + [
        ("", "1.0"),
        (" column-running", "100.0"),
    ]  # one scan among a thousand is seen
    assert (page.count("No scans"), page.count("No orders")) == (0, 0)  # of a month, gaps say so


def test_a_code_that_was_never_scanned_has_an_empty_chart(manager, code):
    page = text_of(manager.get(page_of(code)))
    assert "0 in total, at most 0 in one day." in page
    columns = re.findall(r'<rect class="column( column-running)?" [^>]*height="([^"]+)%"', page)
    assert columns == [("", "0")] * 29 + [(" column-running", "0")]


@pytest.mark.parametrize("page", ["list", "code", "add", "scans"])
def test_the_pages_keep_the_strict_policy(manager, code, page):
    make_scans(code, timezone.now())
    address = {"list": CODES, "code": page_of(code), "add": ADD, "scans": SCANS}[page]
    content = text_of(manager.get(address))
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|\son\w+=", content)
