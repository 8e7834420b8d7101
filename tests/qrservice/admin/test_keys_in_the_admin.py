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
from tests.conftest import make_user
from tests.qrservice.admin.pages import browser_of, text_of

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
    (secret,) = re.findall(r'value="(rq_[\w-]{43})" readonly', text_of(response))
    return secret


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


def test_a_new_key_is_shown_once_and_works(owner, account):
    response = add(owner, account, can_generate="")
    secret = secret_in(response)
    page = text_of(response)
    assert "can&#x27;t be shown again" in page or "can't be shown again" in page
    key = keys.recognise(secret)
    assert (key.account, key.name, key.can_generate, key.can_read_analytics) == (account, "Till", False, True)
    assert "no-store" in response.headers["Cache-Control"]


def test_the_secret_is_nowhere_afterwards(owner, account, caplog):
    with caplog.at_level("DEBUG"):
        response = add(owner, account)
        secret = secret_in(response)
        later = [owner.get(address) for address in (KEYS, ADD, ACCOUNTS, page_of(ApiKey.objects.get()))]
        later.append(owner.get(reverse("admin:qrservice_apikey_history", args=[ApiKey.objects.get().pk])))
        later.append(owner.get(reverse("admin:index")))
    for each in later:
        assert secret not in text_of(each)
    assert secret[:10] in everything_stored()  # so that this looks where it should
    assert secret not in everything_stored()
    assert not any(secret in cookie.value for cookie in owner.cookies.values())
    assert not any(secret in str(value) for value in response.headers.values())
    assert secret not in caplog.text


def test_a_page_shown_after_the_key_carries_no_message(owner, account):
    add(owner, account)
    assert list(owner.get(KEYS).context["messages"]) == []


@pytest.mark.parametrize("button", ["_continue", "_addanother", "_popup"])
def test_no_button_leads_past_the_secret(owner, account, button):
    assert secret_in(add(owner, account, **{button: "1"}))


def test_the_digest_is_on_no_page(owner, account):
    add(owner, account)
    key = ApiKey.objects.get()
    account_page = reverse("admin:qrservice_account_change", args=[account.pk])
    for address in (KEYS, page_of(key), account_page):
        page = text_of(owner.get(address))
        assert key.prefix in page
        assert key.digest not in page
        assert "digest" not in page


def test_a_key_can_not_be_edited_or_deleted(owner, account):
    secret = secret_in(add(owner, account))
    key = ApiKey.objects.get()
    assert owner.post(page_of(key), {"digest": "0" * 64, "name": "Mine"}).status_code == 403
    assert owner.post(reverse("admin:qrservice_apikey_delete", args=[key.pk]), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(owner.get(KEYS))
    add(owner, account, digest="0" * 64, prefix="mine")
    assert not ApiKey.objects.filter(digest="0" * 64).exists()
    assert keys.recognise(secret).name == "Till"


def test_a_key_that_could_do_nothing_is_refused(owner, account):
    assert "Choose at least one scope" in text_of(add(owner, account, can_generate="", can_read_analytics=""))
    assert "in the past" in text_of(add(owner, account, expires_at="2020-01-01T12:00"))
    assert not ApiKey.objects.exists()


def test_a_key_may_expire(owner, account):
    secret_in(add(owner, account, expires_at="2099-01-01T12:00"))
    assert ApiKey.objects.get().expires_at.year == 2099


# --- the list -------------------------------------------------------------------------------------


def test_the_list_tells_the_states_and_rights_of_keys(owner, account):
    valid, _ = keys.create(account=account, name="valid", can_generate=False)
    gone, _ = keys.create(account=account, name="gone")
    keys.revoke(key=gone)
    old, _ = keys.create(account=account, name="old", expires_at=timezone.now() - timedelta(days=1))
    replaced, _ = keys.create(account=account, name="turning")
    successor, _ = keys.rotate(key=replaced)
    page = text_of(owner.get(KEYS))

    def row(key: ApiKey) -> str:
        return next(row for row in page.split("<tr>") if page_of(key) in row)

    states = {
        valid: ">valid<",
        gone: ">revoked<",
        old: ">expired<",
        replaced: ">replaced, still valid<",
        successor: ">valid<",
    }
    for key, state in states.items():
        assert state in row(key)
        assert key.prefix in row(key)
    assert ">analytics<" in row(valid)
    assert ">generate, analytics<" in row(successor)
    assert ">never<" in row(valid)


def test_the_lists_ask_as_many_questions_for_many_keys_as_for_one(owner, account, django_assert_max_num_queries):
    keys.create(account=account)
    account_page = reverse("admin:qrservice_account_change", args=[account.pk])
    for address in (KEYS, account_page):
        owner.get(address)
        with django_assert_max_num_queries(12) as for_one:
            owner.get(address)
        for _ in range(20):
            key, _secret = keys.create(account=account)
            keys.rotate(key=key)
        with django_assert_max_num_queries(len(for_one)):
            owner.get(address)


# --- rotating and revoking ------------------------------------------------------------------------


def test_a_key_is_rotated_after_a_question_and_its_successor_shown_once(owner, account):
    key, old_secret = keys.create(account=account, name="Till")
    asked = act(owner, "rotate", key)
    assert "replacement key with the same scopes" in text_of(asked)
    assert ApiKey.objects.count() == 1
    secret = secret_in(act(owner, "rotate", key, confirmed="yes"))
    assert keys.recognise(secret).replaces == key
    assert keys.recognise(old_secret) == key
    assert secret not in everything_stored()
    assert LogEntry.objects.count() == 2


def test_rotating_again_says_that_the_first_key_stops(owner, account):
    first, first_secret = keys.create(account=account)
    second, _ = keys.rotate(key=first)
    assert f"{first.prefix}… (Sister restaurant) stops working immediately" in text_of(act(owner, "rotate", second))
    secret_in(act(owner, "rotate", second, confirmed="yes"))
    assert keys.recognise(first_secret) is None


def test_a_key_is_not_rotated_twice_nor_two_at_once(owner, account):
    key, _ = keys.create(account=account)
    successor, _ = keys.rotate(key=key)
    assert "already has a successor" in text_of(act(owner, "rotate", key, confirmed="yes"))
    assert "Choose one key" in text_of(act(owner, "rotate", key, successor, confirmed="yes"))
    assert ApiKey.objects.count() == 2


def test_keys_are_revoked_after_a_question(owner, account):
    key, secret = keys.create(account=account)
    other, other_secret = keys.create(account=account)
    assert "can't be undone" in text_of(act(owner, "revoke", key, other)).replace("&#x27;", "'")
    assert keys.recognise(secret) == key
    assert "2 keys were revoked." in text_of(act(owner, "revoke", key, other, confirmed="yes"))
    assert keys.recognise(secret) is None
    assert keys.recognise(other_secret) is None


def test_the_page_of_a_key_offers_what_can_be_done_with_it(owner, account):
    key, _ = keys.create(account=account)
    page = text_of(owner.get(page_of(key)))
    assert 'value="rotate"' in page
    assert 'value="revoke"' in page
    keys.rotate(key=key)
    page = text_of(owner.get(page_of(key)))
    assert 'value="rotate"' not in page
    assert 'value="revoke"' in page
    keys.revoke(key=key)
    assert 'value="revoke"' not in text_of(owner.get(page_of(key)))


# --- accounts -------------------------------------------------------------------------------------


def test_an_account_is_made_and_leads_to_a_key_for_it(owner):
    form = {"name": "Franchise"}
    assert owner.post(reverse("admin:qrservice_account_add"), form).status_code == 302
    account = Account.objects.get(name="Franchise")
    page = text_of(owner.get(reverse("admin:qrservice_account_change", args=[account.pk])))
    assert f'href="{ADD}?account={account.pk}"' in page


def test_the_built_in_account_keeps_its_name_and_stays(owner):
    built_in = codes.built_in_account()
    owner.post(reverse("admin:qrservice_account_change", args=[built_in.pk]), {"name": "Mine"})
    assert owner.post(reverse("admin:qrservice_account_delete", args=[built_in.pk])).status_code == 403
    owner.post(ACCOUNTS, {"action": "delete_selected", "_selected_action": [built_in.pk], "post": "yes"})
    assert Account.objects.get().name == Account.BUILT_IN


def test_an_account_with_keys_is_not_deleted(owner, account):
    keys.create(account=account)
    owner.post(reverse("admin:qrservice_account_delete", args=[account.pk]), {"post": "yes"})
    assert Account.objects.filter(pk=account.pk).exists()


# --- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", ["Managers", "Cashiers", "Floor"])
@pytest.mark.parametrize("address", [KEYS, ADD, ACCOUNTS])
def test_keys_and_accounts_are_not_for_the_groups(db, account, group, address):
    assert browser_of(make_user(group)).get(address).status_code == 403


def test_who_may_only_look_at_keys_can_do_nothing_with_them(db, account):
    key, secret = keys.create(account=account)
    user = make_user("Managers")
    user.user_permissions.add(Permission.objects.get(codename="view_apikey"))
    looker = browser_of(user)
    assert key.prefix in text_of(looker.get(KEYS))
    assert 'value="revoke"' not in text_of(looker.get(page_of(key)))
    act(looker, "revoke", key, confirmed="yes")
    act(looker, "rotate", key, confirmed="yes")
    assert looker.get(ADD).status_code == 403
    assert keys.recognise(secret) == key
    assert ApiKey.objects.count() == 1
