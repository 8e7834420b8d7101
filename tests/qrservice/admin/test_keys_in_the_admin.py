"""Keys and accounts in the admin: a secret is shown once."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from qrservice.models import Account, ApiKey
from qrservice.services import codes, keys
from tests.conftest import browser_of, make_user
from tests.qrservice.admin.pages import text_of
from tests.reading import read

KEYS = reverse("admin:qrservice_apikey_changelist")
ADD = reverse("admin:qrservice_apikey_add")
ACCOUNTS = reverse("admin:qrservice_account_changelist")


@pytest.fixture
def account(db) -> Account:
    return Account.objects.create(name="Sister restaurant")


def page_of(key: ApiKey) -> str:
    return reverse("admin:qrservice_apikey_change", args=[key.pk])


def add(client: Client, account: Account, **values):
    form = {"account": account.pk, "name": "Till", "can_generate": "on", "can_read_analytics": "on"}
    return client.post(ADD, form | values)


def act(client: Client, action: str, *chosen: ApiKey, **more):
    return client.post(KEYS, {"action": action, "_selected_action": [each.pk for each in chosen], **more}, follow=True)


def secret_in(response) -> str:
    fields = read(response).all("field")
    [field] = [field for field in fields if re.fullmatch(r"rq_[\w-]{43}", field.get("value") or "")]
    assert field.get("readonly") is not None
    return field["value"]


def everything_stored() -> str:
    """Every row of every table, sessions decoded, as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608
            rows += [row for (row,) in cursor.fetchall()]
    rows += [str(session.get_decoded()) for session in Session.objects.all()]
    return "\n".join(rows)


# --- shown once -----------------------------------------------------------------------------------


def test_a_new_key_is_shown_once_and_works(owners_browser, account):
    response = add(owners_browser, account, can_generate="")
    secret = secret_in(response)
    assert "can't be shown again" in read(response)
    key = keys.recognise(secret)
    assert (key.account, key.name, key.can_generate, key.can_read_analytics) == (account, "Till", False, True)
    assert "no-store" in response.headers["Cache-Control"]


def test_the_secret_is_nowhere_afterwards(owners_browser, account, caplog):
    with caplog.at_level("DEBUG"):
        response = add(owners_browser, account)
        secret = secret_in(response)
        later = [owners_browser.get(address) for address in (KEYS, ADD, ACCOUNTS, page_of(ApiKey.objects.get()))]
        later.append(owners_browser.get(reverse("admin:qrservice_apikey_history", args=[ApiKey.objects.get().pk])))
        later.append(owners_browser.get(reverse("admin:index")))
    for each in later:
        assert secret not in text_of(each)
    assert secret[:10] in everything_stored()  # so that this looks where it should
    assert secret not in everything_stored()
    assert not any(secret in cookie.value for cookie in owners_browser.cookies.values())
    assert not any(secret in str(value) for value in response.headers.values())
    assert secret not in caplog.text


def test_a_page_shown_after_the_key_carries_no_message(owners_browser, account):
    add(owners_browser, account)
    assert list(owners_browser.get(KEYS).context["messages"]) == []


def test_no_button_leads_past_the_secret(owners_browser, account):
    for button in ("_continue", "_addanother", "_popup"):
        assert secret_in(add(owners_browser, account, **{button: "1"}))


def test_the_digest_is_on_no_page(owners_browser, account):
    add(owners_browser, account)
    key = ApiKey.objects.get()
    account_page = reverse("admin:qrservice_account_change", args=[account.pk])
    for address in (KEYS, page_of(key), account_page):
        page = text_of(owners_browser.get(address))
        assert key.prefix in page
        assert key.digest not in page
        assert "digest" not in page


def test_a_key_can_not_be_edited_or_deleted(owners_browser, account):
    secret = secret_in(add(owners_browser, account))
    key = ApiKey.objects.get()
    assert owners_browser.post(page_of(key), {"digest": "0" * 64, "name": "Mine"}).status_code == 403
    assert (
        owners_browser.post(reverse("admin:qrservice_apikey_delete", args=[key.pk]), {"post": "yes"}).status_code == 403
    )
    assert "delete_selected" not in text_of(owners_browser.get(KEYS))
    add(owners_browser, account, digest="0" * 64, prefix="mine")
    assert not ApiKey.objects.filter(digest="0" * 64).exists()
    assert keys.recognise(secret).name == "Till"


def test_a_key_that_could_do_nothing_is_refused(owners_browser, account):
    assert "Choose at least one scope" in text_of(add(owners_browser, account, can_generate="", can_read_analytics=""))
    assert "in the past" in text_of(add(owners_browser, account, expires_at="2020-01-01T12:00"))
    assert not ApiKey.objects.exists()


def test_a_key_may_expire(owners_browser, account):
    secret_in(add(owners_browser, account, expires_at="2099-01-01T12:00"))
    assert ApiKey.objects.get().expires_at.year == 2099


# --- the list -------------------------------------------------------------------------------------


def test_the_list_tells_the_states_and_rights_of_keys(owners_browser, account):
    valid, _ = keys.create(account=account, name="valid", can_generate=False)
    gone, _ = keys.create(account=account, name="gone")
    keys.revoke(key=gone)
    old, _ = keys.create(account=account, name="old", expires_at=timezone.now() - timedelta(days=1))
    replaced, _ = keys.create(account=account, name="turning")
    successor, _ = keys.rotate(key=replaced)
    head, *rows = read(owners_browser.get(KEYS)).all("table")[-1].rows()
    shown = {row[1].rstrip("…"): dict(zip(head, row, strict=True)) for row in rows}
    assert {prefix: row["State"] for prefix, row in shown.items()} == {
        valid.prefix: "valid",
        gone.prefix: "revoked",
        old.prefix: "expired",
        replaced.prefix: "replaced, still valid",
        successor.prefix: "valid",
    }
    assert (shown[valid.prefix]["Scopes"], shown[successor.prefix]["Scopes"]) == ("analytics", "generate, analytics")
    assert shown[valid.prefix]["Expires"] == "never"


def test_the_lists_ask_as_many_questions_for_many_keys_as_for_one(
    owners_browser, account, django_assert_max_num_queries
):
    keys.create(account=account)
    account_page = reverse("admin:qrservice_account_change", args=[account.pk])
    for address in (KEYS, account_page):
        owners_browser.get(address)
        with django_assert_max_num_queries(12) as for_one:
            owners_browser.get(address)
        for _ in range(20):
            key, _secret = keys.create(account=account)
            keys.rotate(key=key)
        with django_assert_max_num_queries(len(for_one)):
            owners_browser.get(address)


# --- rotating and revoking ------------------------------------------------------------------------


def test_a_key_is_rotated_after_a_question_and_its_successor_shown_once(owners_browser, account):
    key, old_secret = keys.create(account=account, name="Till")
    asked = act(owners_browser, "rotate", key)
    assert "replacement key with the same scopes" in text_of(asked)
    assert ApiKey.objects.count() == 1
    secret = secret_in(act(owners_browser, "rotate", key, confirmed="yes"))
    assert keys.recognise(secret).replaces == key
    assert keys.recognise(old_secret) == key
    assert secret not in everything_stored()
    assert LogEntry.objects.count() == 2


def test_rotating_again_says_that_the_first_key_stops(owners_browser, account):
    first, first_secret = keys.create(account=account)
    second, _ = keys.rotate(key=first)
    assert f"{first.prefix}… (Sister restaurant) stops working immediately" in text_of(
        act(owners_browser, "rotate", second)
    )
    secret_in(act(owners_browser, "rotate", second, confirmed="yes"))
    assert keys.recognise(first_secret) is None


def test_a_key_is_not_rotated_twice_nor_two_at_once(owners_browser, account):
    key, _ = keys.create(account=account)
    successor, _ = keys.rotate(key=key)
    assert "already has a successor" in text_of(act(owners_browser, "rotate", key, confirmed="yes"))
    assert "Choose one key" in text_of(act(owners_browser, "rotate", key, successor, confirmed="yes"))
    assert ApiKey.objects.count() == 2


def test_keys_are_revoked_after_a_question(owners_browser, account):
    key, secret = keys.create(account=account)
    other, other_secret = keys.create(account=account)
    assert "can't be undone" in read(act(owners_browser, "revoke", key, other))
    assert keys.recognise(secret) == key
    assert "2 keys were revoked." in text_of(act(owners_browser, "revoke", key, other, confirmed="yes"))
    assert keys.recognise(secret) is None
    assert keys.recognise(other_secret) is None


# --- accounts -------------------------------------------------------------------------------------


def test_an_account_is_made(owners_browser):
    form = {"name": "Franchise"}
    assert owners_browser.post(reverse("admin:qrservice_account_add"), form).status_code == 302
    assert Account.objects.get(name="Franchise")


def test_the_built_in_account_keeps_its_name_and_stays(owners_browser):
    built_in = codes.built_in_account()
    owners_browser.post(reverse("admin:qrservice_account_change", args=[built_in.pk]), {"name": "Mine"})
    assert owners_browser.post(reverse("admin:qrservice_account_delete", args=[built_in.pk])).status_code == 403
    owners_browser.post(ACCOUNTS, {"action": "delete_selected", "_selected_action": [built_in.pk], "post": "yes"})
    assert Account.objects.get().name == Account.BUILT_IN


def test_an_account_with_keys_is_not_deleted(owners_browser, account):
    keys.create(account=account)
    owners_browser.post(reverse("admin:qrservice_account_delete", args=[account.pk]), {"post": "yes"})
    assert Account.objects.filter(pk=account.pk).exists()


# --- who may --------------------------------------------------------------------------------------


def test_keys_and_accounts_are_not_for_the_groups(db, account):
    for group in ("Managers", "Cashiers", "Floor"):
        browser = browser_of(make_user(group))
        assert [browser.get(address).status_code for address in (KEYS, ADD, ACCOUNTS)] == [403] * 3, group


def test_who_may_only_look_at_keys_can_do_nothing_with_them(db, account):
    key, secret = keys.create(account=account)
    user = make_user("Managers")
    user.user_permissions.add(Permission.objects.get(codename="view_apikey"))
    looker = browser_of(user)
    assert key.prefix in text_of(looker.get(KEYS))
    assert "Revoke…" not in read(looker.get(page_of(key))).names("button")
    act(looker, "revoke", key, confirmed="yes")
    act(looker, "rotate", key, confirmed="yes")
    assert looker.get(ADD).status_code == 403
    assert keys.recognise(secret) == key
    assert ApiKey.objects.count() == 1
