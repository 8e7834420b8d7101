"""The HTTP interface of the built-in service, below /v1."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from qrservice import queries
from qrservice.models import Account, ApiKey, Code, Scan
from qrservice.services import keys
from tests.conftest import PAGE

pytestmark = pytest.mark.django_db

TARGET = "https://example.com/menu"


def key_of(name: str = "Trattoria", **rights) -> str:
    return keys.create(account=keys.account_named(name), **rights)[1]


@pytest.fixture
def call(api):
    """`call(method, path, body, key)`"""
    default = key_of()

    def send(method: str, path: str, body: object = None, key: str | None = default, **options):
        headers = {"X-API-Key": key} if key else {}
        response = getattr(api, method)(path, body, format="json", headers=headers, **options)
        if response.streaming:  # read it to its end, as callers do: that gives its place back
            response.streaming_content = [response.getvalue()]
        return response

    return send


@pytest.fixture
def made(call) -> dict:
    return call("post", "/v1/generate/dynamic", {"redirect_url": TARGET, "metadata": {"type": "earn_points"}}).json()


def scan_at(code_id: str, *moments: datetime, **values) -> None:
    code = Code.objects.get(analytics_id=code_id)
    Scan.objects.bulk_create([Scan(code=code, scanned_at=moment, **values) for moment in moments])


def test_a_code_is_made_with_the_three_documented_fields(call, client):
    response = call("post", "/v1/generate/dynamic", {"redirect_url": TARGET, "metadata": {"table_number": 7}})
    assert response.status_code == 201
    assert set(response.json()) == {"analytics_id", "qr_code_url", "short_url"}
    assert Code.objects.get().metadata == {"table_number": 7}
    path = "/q/" + response.json()["short_url"].rpartition("/")[2]
    assert client.get(path)["Location"] == TARGET
    assert client.get("/qr/" + path.rpartition("/")[2]).status_code == 200


BAD_INPUT = [
    ({}, "redirect_url"),
    ({"redirect_url": None}, "redirect_url"),
    ({"redirect_url": 5}, "redirect_url"),
    ({"redirect_url": "/menu"}, "redirect_url"),
    ({"redirect_url": "https://a:b@example.com/"}, "redirect_url"),
    ({"redirect_url": "https://example.com/" + "x" * 2048}, "redirect_url"),
    ({"redirect_url": TARGET, "metadata": []}, "metadata"),
    ({"redirect_url": TARGET, "metadata": None}, "metadata"),
    ({"redirect_url": TARGET, "metadata": {"a": "x" * 4096}}, "metadata"),
    ({"redirect_url": TARGET, "metadata": {"a": "\0"}}, "metadata"),
    ({"redirect_url": TARGET, "metadata": {"\0": 1}}, "metadata"),
]


def test_bad_input_is_400_and_names_the_field(call):
    for body, named in BAD_INPUT:
        response = call("post", "/v1/generate/dynamic", body)
        assert (response.status_code, named in response.json()["error"]) == (400, True), body
    assert not Code.objects.exists()


def test_a_body_over_16_kib_is_413(call, api):
    response = call("post", "/v1/generate/dynamic", {"redirect_url": TARGET, "metadata": {"a": "x" * 16_400}})
    assert (response.status_code, set(response.json())) == (413, {"error"})


def test_what_is_no_json_object_is_400(api, db):
    headers = {"X-API-Key": key_of()}
    lone = json.dumps({"redirect_url": TARGET + "\ud800"})
    for text in ("{", "[" * 8000, '{"redirect_url": NaN}', "[]", "1", '"x"', "", lone):
        response = api.post("/v1/generate/dynamic", text, content_type="application/json", headers=headers)
        assert response.status_code == 400, text[:30]


def test_without_a_valid_key_it_is_401(call):
    expired = key_of(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, secret = keys.create(account=keys.account_named("Trattoria"))
    keys.revoke(key=revoked)
    for key in (None, "rq_guess", expired, secret, "ä"):
        response = call("post", "/v1/generate/dynamic", {"redirect_url": TARGET}, key)
        assert (response.status_code, set(response.json())) == (401, {"error"})
        assert response["WWW-Authenticate"] == "X-API-Key"


def test_a_staff_session_is_no_key(admin_client):
    response = admin_client.post("/v1/generate/dynamic", {"redirect_url": TARGET}, content_type="application/json")
    assert response.status_code == 401


def test_a_key_without_the_scope_is_403(call, made):
    generates, reads = key_of(can_read_analytics=False), key_of(can_generate=False)
    assert call("post", "/v1/generate/dynamic", {"redirect_url": TARGET}, reads).status_code == 403
    assert call("patch", f"/v1/codes/{made['analytics_id']}", {"status": "disabled"}, reads).status_code == 403
    assert call("get", f"/v1/analytics/{made['analytics_id']}", key=generates).status_code == 403
    assert call("get", f"/v1/analytics/{made['analytics_id']}", key=reads).status_code == 200


def test_a_key_reads_the_codes_of_its_account_alone(call, made):
    other = key_of("Osteria")
    for response in (
        call("get", f"/v1/analytics/{made['analytics_id']}", key=other),
        call("patch", f"/v1/codes/{made['analytics_id']}", {"status": "disabled"}, other),
        call("get", "/v1/analytics/unknown"),
        call("get", "/v1/analytics/%00"),
    ):
        assert (response.status_code, set(response.json())) == (404, {"error"})


def test_rotation_keeps_two_keys_valid_and_no_third(call):
    account = keys.account_named("Trattoria")
    first, secret_1 = keys.create(account=account)
    second, secret_2 = keys.rotate(key=first)
    body = {"redirect_url": TARGET}
    assert [call("post", "/v1/generate/dynamic", body, key).status_code for key in (secret_1, secret_2)] == [201, 201]
    _, secret_3 = keys.rotate(key=second)
    statuses = [call("post", "/v1/generate/dynamic", body, key).status_code for key in (secret_1, secret_2, secret_3)]
    assert statuses == [401, 201, 201]
    with pytest.raises(keys.KeyAlreadyReplaced):
        keys.rotate(key=second)


def test_a_key_is_limited_by_itself_and_told_when_to_come_back(one_window, call, made, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "api_key": "2/min"}
    path = f"/v1/analytics/{made['analytics_id']}"
    other = key_of()
    statuses = [call("get", path, key=other) for _ in range(3)]
    assert [response.status_code for response in statuses] == [200, 200, 429]
    assert int(statuses[2]["Retry-After"]) > 0
    assert call("get", path, key=key_of()).status_code == 200


def test_no_secret_is_stored(db):
    secret = key_of()
    stored = ApiKey.objects.values().get()
    assert secret not in str(stored)
    assert secret.startswith(stored["prefix"])
    assert len(stored["prefix"]) <= 10


@pytest.mark.django_db(transaction=True)
def test_statements_are_limited_again_after_a_reader_of_analytics_has_gone_away(made):
    scan_at(made["analytics_id"], *[timezone.now()] * 3000)
    record = queries.analytics_json(Code.objects.get(analytics_id=made["analytics_id"]))
    assert next(record).startswith(b'{"scans":[')
    record.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT source FROM pg_settings WHERE name = 'statement_timeout'")
        assert cursor.fetchone()[0] != "session"  # the value that was set for this one statement


def test_analytics_hold_every_scan_oldest_first_with_its_fields(call, made):
    moments = [datetime(2026, 3, day, 12, 30, 5, 123, tzinfo=UTC) for day in (9, 7, 8)]
    scan_at(made["analytics_id"], *moments, city='Bologna "la\\grassa"\n', country="Italy", device_type="iOS")
    response = call("get", f"/v1/analytics/{made['analytics_id']}")
    assert response["Content-Type"] == "application/json"
    record = json.loads(response.getvalue())
    assert record["total_scans"] == 3
    assert [scan["scanned_at"] for scan in record["scans"]] == [f"2026-03-0{day}T12:30:05.000123Z" for day in (7, 8, 9)]
    assert record["scans"][0] == {
        "scanned_at": "2026-03-07T12:30:05.000123Z",
        "city": 'Bologna "la\\grassa"\n',
        "country": "Italy",
        "device_type": "iOS",
    }


def test_a_code_without_scans_has_an_empty_record(call, made):
    record = json.loads(call("get", f"/v1/analytics/{made['analytics_id']}").getvalue())
    assert record == {"total_scans": 0, "scans": []}


def test_since_returns_newer_scans_and_the_total_stays(call, made):
    scan_at(made["analytics_id"], *[datetime(2026, 3, day, 12, tzinfo=UTC) for day in (7, 8, 9)])
    for since in ("12:00:00Z", "14:00:00%2B02:00", "14:00:00+02:00", "12:00:00"):
        record = json.loads(call("get", f"/v1/analytics/{made['analytics_id']}?since=2026-03-08T{since}").getvalue())
        assert record["total_scans"] == 3
        assert [scan["scanned_at"] for scan in record["scans"]] == ["2026-03-09T12:00:00.000000Z"], since


def test_a_since_that_is_no_time_is_400(call, made):
    for since in ("", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30", "0"):
        assert call("get", f"/v1/analytics/{made['analytics_id']}?since={since}").status_code == 400, since


def test_a_code_s_target_metadata_and_status_can_be_changed(call, made, client):
    path = f"/v1/codes/{made['analytics_id']}"
    short = "/q/" + made["short_url"].rpartition("/")[2]
    response = call("patch", path, {"redirect_url": "https://example.org/new"})
    assert response.status_code == 200
    assert response.json()["redirect_url"] == client.get(short)["Location"] == "https://example.org/new"
    assert call("patch", path, {"metadata": {"a": [1]}}).json()["metadata"] == {"a": [1]}
    assert call("patch", path, {"status": "disabled"}).json()["status"] == "disabled"
    assert client.get(short).status_code == 410
    for body in ({}, {"status": "gone"}, {"status": None}, {"redirect_url": ""}, {"metadata": 1}, {"status": []}):
        assert call("patch", path, body).status_code == 400
    itself = call("patch", path, {"redirect_url": made["short_url"]})
    assert (itself.status_code, "leads back" in itself.json()["fields"]["redirect_url"]) == (400, True)
    assert Code.objects.get().metadata == {"a": [1]}


def test_a_browser_is_answered_in_json_too(api, made):
    response = api.get(f"/v1/analytics/{made['analytics_id']}", headers={"Accept": PAGE})
    assert (response.status_code, response["Content-Type"]) == (401, "application/json")


def test_the_command_prints_the_key_last_and_makes_the_account(call, capsys):
    call_command("create_api_key", "Osteria", "--name", "site", "--scope", "analytics", "--days", "30")
    secret = capsys.readouterr().out.splitlines()[-1]
    key = ApiKey.objects.get(account=Account.objects.get(name="Osteria"))
    assert (key.can_generate, key.can_read_analytics, key.name) == (False, True, "site")
    assert timedelta(days=29) < key.expires_at - timezone.now() <= timedelta(days=30)
    assert call("post", "/v1/generate/dynamic", {"redirect_url": TARGET}, secret).status_code == 403


def test_the_command_refuses_nonsense(db):
    for arguments in (["  "], ["x" * 101], ["Osteria", "--days", "0"]):
        with pytest.raises(CommandError):
            call_command("create_api_key", *arguments)
    assert not ApiKey.objects.exists()


def test_no_call_without_a_key_is_a_failure_of_ours(api, db):
    for path in ("/v1/generate/dynamic", "/v1/analytics/x", "/v1/codes/x"):
        for method in ("get", "post", "put", "patch", "delete", "options"):
            response = getattr(api, method)(path)
            assert response.status_code in {401, 405}, (method, path)
            assert set(response.json()) == {"error"}


def test_a_since_with_an_odd_offset_is_a_moment_like_any_other(call, made):
    for offset in ("%2B23:59", "%2B23:59:59.5", "-23:59"):
        response = call("get", f"/v1/analytics/{made['analytics_id']}?since=2026-01-01T00:00:00{offset}")
        assert response.status_code in {200, 400}, offset
        if response.status_code == 200:
            assert json.loads(response.getvalue()) == {"total_scans": 0, "scans": []}


def test_metadata_may_speak_of_a_null_character_without_having_one(call):
    body = {"redirect_url": TARGET, "metadata": {"regex": "\\\\u0000"}}
    assert call("post", "/v1/generate/dynamic", body).status_code == 201
    nested: list = []
    for _ in range(700):
        nested = [nested]
    assert call("post", "/v1/generate/dynamic", {**body, "metadata": {"a": nested}}).status_code in {201, 400}
