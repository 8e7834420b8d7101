"""Members, locations and redemptions while the hosted code service is away."""

import pytest

from loyalty.models import Member, PointTransaction, Redemption
from qrservice.models import Code
from tests.loyalty.making import change, earn_body, redeem
from tests.qrservice.fake_service import CODE, hangs_up, says

pytestmark = pytest.mark.django_db

SECRET = "rq_nobody-may-read-this"
BODY = {"email": "ada@example.com", "name": "Ada"}
# What is wrong with it; None: nobody listens.
FAILURES = {
    "nobody": None, "500": says("", 500), "429": says("", 429), "401": says("", 401), "400": says({"error": "no"}, 400),
    "no JSON": says("{", 201), "no fields": says({}, 201), "hangs up": hangs_up,
}  # fmt: skip


def assert_unavailable(response) -> None:
    assert response.status_code == 503
    assert set(response.json()) == {"error"}
    assert "Nothing was saved" in response.json()["error"] or "key" in response.json()["error"]
    assert int(response["Retry-After"]) > 0
    assert SECRET not in response.content.decode()


def test_nothing_is_saved_however_the_service_fails(
    code_service, api, till, manager, member, location, reward, subtests
):
    for name, act in FAILURES.items():
        with subtests.test(name):
            code_service(*([act] if act else []))
            response = api.post("/members", BODY, format="json")
            assert_unavailable(response)
            assert "member" not in response.cookies
            assert_unavailable(redeem(till, member, reward, headers={"Idempotency-Key": "k"}))
            assert_unavailable(manager.post(f"/locations/{location.pk}/qr"))
    assert (Member.objects.count(), Redemption.objects.count(), PointTransaction.objects.count()) == (1, 0, 1)
    assert not Code.objects.exists()
    member.refresh_from_db()
    location.refresh_from_db()
    assert member.points_balance == 100
    assert (location.earn_qr_analytics_id, location.qr_code_url, location.short_url) == ("", "", "")


def test_the_same_is_done_once_the_service_is_back(code_service, till, location, reward, manager):
    code_service()
    assert till.post("/members", BODY, format="json").status_code == 503
    server = code_service(says(CODE, 201))
    response = till.post("/members", BODY, format="json")
    assert (response.status_code, response.json()["qrCodeUrl"]) == (201, CODE["qr_code_url"])
    member = Member.objects.get()
    assert (member.qr_analytics_id, member.short_url) == (CODE["analytics_id"], CODE["short_url"])
    assert redeem(till, member, reward).json()["qrCodeUrl"] == CODE["qr_code_url"]
    response = manager.post(f"/locations/{location.pk}/qr").json()
    assert response["qrCodeUrl"] == CODE["qr_code_url"]
    assert response["printUrl"].endswith("size=2048")
    assert [seen.json()["metadata"]["type"] for seen in server.seen] == [
        "loyalty_member", "reward_redemption", "earn_points",
    ]  # fmt: skip


def test_refused_calls_do_not_ask_the_service_for_a_code(code_service, till, manager, member, location, reward):
    server = code_service(says(CODE, 201))
    change(member, email="ada@example.com")
    change(member, points_balance=99)
    change(location, earn_qr_analytics_id="has one", qr_code_url="https://qr.example/i/x.png")
    assert till.post("/members", BODY, format="json").status_code == 409
    assert redeem(till, member, reward).status_code == 400
    assert manager.post(f"/locations/{location.pk}/qr").status_code == 200
    assert server.seen == []


def test_everything_else_goes_on(code_service, till, api, member, location, reward):
    redeemed = redeem(till, member, reward).json()
    code_service()
    assert till.post("/earn", earn_body(member, location, 950), format="json").json()["newBalance"] == 950
    for path in ("/signup", f"/member/{member.pk}", f"/rewards?customerId={member.pk}", f"/checkin/{location.pk}"):
        assert api.get(path).status_code in {200, 302}
    assert till.get(f"/use/{redeemed['redemptionCode']}").status_code == 200
    assert till.post(f"/use/{redeemed['redemptionCode']}/confirm", {}, format="json").status_code == 200
