"""The page of one code: its picture and address, what is changed there, and its chart."""

import json
from datetime import UTC, datetime

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.utils import timezone

from qrservice.models import Account, Code
from tests.conftest import browser_of, make_user
from tests.qrservice.admin.pages import (
    ADD,
    CODES,
    SCANS,
    make_scans,
    page_of,
    row_of,
    save,
    text_of,
)
from tests.reading import read
from tests.web.test_headers_of_responses import INLINE


def test_the_page_of_a_code_has_its_picture_and_leads_to_files_of_it(managers_browser, code, settings):
    page = read(managers_browser.get(page_of(code)))
    address = f"{settings.APP_BASE_URL}/q/{code.slug}"
    assert page.one("image", f"QR code of {address}")
    image = f"/qr/{code.slug}"
    assert {address, f"{image}?size=512", f"{image}?size=2048", f"{image}.svg", f"{image}.pdf"} <= set(page.addresses())


def test_the_last_scan_is_told(managers_browser, code, clock):
    clock(datetime(2026, 3, 7, 14, 30, tzinfo=UTC))
    assert "Last scan: –" in read(managers_browser.get(page_of(code)))
    make_scans(code, timezone.now())
    assert "Last scan: Today, 14:30" in read(managers_browser.get(page_of(code)))
    assert "Today, 14:30" in row_of(code, text_of(managers_browser.get(CODES)))


def test_who_may_only_look_reads_where_a_tables_code_leads_and_is_asked_nothing(db, table, managers_browser):
    code = Code.objects.get(metadata__type="restaurant_table")
    assert "Change where it leads" in text_of(managers_browser.get(page_of(code)))
    user = make_user("Cashiers")
    looker = browser_of(user)
    user.user_permissions.add(Permission.objects.get(codename="view_code"))
    page = read(looker.get(page_of(code)))
    assert "Change where it leads" not in page
    assert "shall lead elsewhere" not in page
    assert code.target in page
    assert not [field for field in page.all("field") if field.get("name") == "target"]


def test_the_target_is_changed_and_followed(managers_browser, code, client):
    assert save(managers_browser, code, target="https://example.org/new").status_code == 302
    assert client.get(f"/q/{code.slug}").headers["Location"] == "https://example.org/new"


def test_a_target_in_this_installation_follows_its_address(managers_browser, code, settings):
    save(managers_browser, code, target=f"{settings.APP_BASE_URL}/table/7")
    code.refresh_from_db()
    assert code.base_url == settings.APP_BASE_URL
    settings.APP_BASE_URL = "https://moved.example"
    assert code.target == "https://moved.example/table/7"
    assert 'value="https://moved.example/table/7"' in text_of(managers_browser.get(page_of(code)))
    save(managers_browser, code, target="https://example.org/away")
    code.refresh_from_db()
    assert code.base_url == ""


def test_only_what_was_changed_is_written(managers_browser, code, settings):
    save(managers_browser, code, target=f"{settings.APP_BASE_URL}/table/7")
    first_address = settings.APP_BASE_URL
    settings.APP_BASE_URL = "https://moved.example"
    save(managers_browser, code, target="https://moved.example/table/7", metadata='{"a": 1}')
    code.refresh_from_db()
    assert (code.redirect_url, code.base_url) == (f"{first_address}/table/7", first_address)
    assert code.metadata == {"a": 1}


def test_saving_without_a_change_writes_nothing(managers_browser, code):
    before = code.updated_at
    save(managers_browser, code, metadata=json.dumps(code.metadata, indent=4).replace("\n", "\r\n"))
    code.refresh_from_db()
    assert code.updated_at == before
    assert LogEntry.objects.get().get_change_message() == "No fields changed."


WRONG_TARGETS = {
    "": "This field is required.",
    "ftp://example.com/": "The target must be an absolute http or https address with a host.",
    "javascript:alert(1)": "The target must be an absolute http or https address with a host.",
    "https://user:secret@example.com/": "The target must not contain a user name or password.",
    "https://example.com/a b": "The target must not contain spaces or control characters.",
    "https://example.com/" + "a" * 2048: "The target has more than 2048 characters.",
}


def test_a_wrong_target_is_refused_with_a_sentence(managers_browser, code):
    for target, sentence in WRONG_TARGETS.items():
        assert sentence in read(save(managers_browser, code, target=target)), target
    code.refresh_from_db()
    assert code.target == "https://example.com/menu"
    assert "The target leads back to where it began" in read(save(managers_browser, code, target=code.short_url))


def test_a_target_with_a_short_host_name_is_fine(managers_browser, code):
    assert save(managers_browser, code, target="http://till:8000/menu").status_code == 302


WRONG_METADATA = {
    '{"a": 1,\n oops}': "in line 2, column 2.",
    "[1, 2]": "The metadata must be a JSON object.",
    "null": "The metadata must be a JSON object.",
    '{"a": NaN}': "The metadata can't be written as JSON.",
    '{"a": "\\u0000"}': "The metadata must not contain null characters",
    json.dumps({"a": "b" * 4100}): "The metadata is larger than 4096 bytes as JSON.",
    "[" * 100_000: "nested too deeply",
    '{"a": %s}' % ("1" * 5000): "too large",
}


def test_wrong_metadata_are_refused_with_a_sentence_and_kept_in_the_form(managers_browser, code):
    for metadata, sentence in WRONG_METADATA.items():
        response = save(managers_browser, code, metadata=metadata)
        assert sentence in read(response), metadata[:30]
        assert response.context["adminform"].form["metadata"].value() == metadata
    code.refresh_from_db()
    assert code.metadata["table_number"] == 7


def test_metadata_are_shown_readably_and_may_be_emptied(managers_browser, code):
    assert "Fenêtre" in text_of(managers_browser.get(page_of(code)))
    assert save(managers_browser, code, metadata=" ").status_code == 302
    code.refresh_from_db()
    assert code.metadata == {}


def test_a_manager_adds_a_code_of_the_built_in_account(managers_browser, settings):
    form = managers_browser.get(ADD).context["adminform"].form
    account = form.get_initial_for_field(form.fields["account"], "account")
    target = f"{settings.APP_BASE_URL}/menu"
    response = managers_browser.post(ADD, {"account": account, "target": target, "metadata": '{"type": "poster"}'})
    assert response.status_code == 302
    code = Code.objects.get()
    assert (code.account.name, code.target, code.base_url) == ("built-in", target, settings.APP_BASE_URL)
    assert (code.metadata, code.status) == ({"type": "poster"}, "active")
    assert LogEntry.objects.get().object_id == str(code.pk)


def test_the_account_of_a_code_stays(managers_browser, code):
    other = Account.objects.create(name="other")
    save(managers_browser, code, account=other.pk)
    code.refresh_from_db()
    assert code.account.name == Account.BUILT_IN


def test_the_pages_keep_the_strict_policy(managers_browser, code):
    make_scans(code, timezone.now())
    for address in (CODES, page_of(code), ADD, SCANS):
        assert not INLINE.search(text_of(managers_browser.get(address))), address
