"""`POST /use/{code}/undo` and `/cancel`: what staff confirmed by mistake, and what nobody wants any more."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from loyalty.models import Confirmation, PointTransaction, Redemption
from tests.conftest import make_user, undone
from tests.loyalty.making import change, enrol, make_reward, redeem, with_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def redemption(till, member) -> Redemption:
    assert redeem(till, member, make_reward(points=60)).status_code == 200
    return Redemption.objects.get()


def call(client, redemption, verb: str, **body):
    return client.post(f"/use/{redemption.redemption_code}/{verb}", body, format="json")


def minutes_later(minutes: float) -> None:
    ago = timezone.now() - timedelta(minutes=minutes)
    Redemption.objects.filter(status="used").update(used_at=ago)
    Confirmation.objects.update(created_at=ago)


# --- undo -----------------------------------------------------------------------------------------


def test_within_15_minutes_the_code_is_active_again_also_twice(till, redemption):
    call(till, redemption, "confirm")
    minutes_later(14.9)
    for _ in range(2):
        response = call(till, redemption, "undo")
        assert (response.status_code, response.json()["success"]) == (200, True)
        assert "Free coffee" in response.json()["message"]
    redemption.refresh_from_db()
    assert (redemption.status, redemption.used_at) == ("active", None)
    assert till.get(f"/use/{redemption.redemption_code}").json()["valid"] is True
    undone = Confirmation.objects.get()
    assert (undone.undone_by, undone.undone_at is None) == ("carla", False)
    assert call(till, redemption, "confirm").json()["message"] == "Confirmed: Free coffee"


def test_later_it_is_409(till, redemption):
    call(till, redemption, "confirm")
    minutes_later(15)
    assert call(till, redemption, "undo").status_code == 409
    assert call(till, redemption, "confirm").json()["message"].startswith("Attention")
    assert call(till, redemption, "undo").status_code == 409  # it was handed out before
    redemption.refresh_from_db()
    assert redemption.status == "used"


def test_what_nobody_confirmed_is_409_and_an_unknown_code_404(till, redemption):
    assert call(till, redemption, "undo").status_code == 409


def test_an_expired_code_that_was_confirmed_is_expired_again(till, redemption):
    change(redemption, expires_at=timezone.now() - timedelta(days=1))
    call(till, redemption, "confirm")
    assert call(till, redemption, "undo").status_code == 200
    assert till.get(f"/use/{redemption.redemption_code}").json() == {"error": "This code has expired."}


# --- cancel ---------------------------------------------------------------------------------------


def test_the_points_come_back_once(till, member, redemption):
    assert [call(till, redemption, "cancel").json() for _ in range(2)] == [{"success": True, "newBalance": 100}] * 2
    member.refresh_from_db()
    redemption.refresh_from_db()
    assert (member.points_balance, member.lifetime_points, redemption.status) == (100, 100, "cancelled")
    row = PointTransaction.objects.get(type="reversal")
    assert (row.points, row.order_total, row.reverses.type) == (60, None, "redeem")
    assert (row.recorded_by, row.description) == ("carla", "Cancelled: Free coffee")
    call_command("check_ledger")


def test_a_cancelled_code_is_400_to_validate_and_409_to_confirm(till, redemption):
    call(till, redemption, "cancel")
    validated = till.get(f"/use/{redemption.redemption_code}")
    assert (validated.status_code, set(validated.json())) == (400, {"error"})
    assert call(till, redemption, "confirm").status_code == 409
    assert call(till, redemption, "undo").status_code == 409
    assert not Confirmation.objects.exists()
    call_command("expire_redemptions")
    redemption.refresh_from_db()
    assert redemption.status == "cancelled"


def test_only_an_active_one_can_be_cancelled(till, member, redemption, subtests):
    for values in [{"status": "used"}, {"status": "expired"}, {"expires_at": timezone.now()}]:
        with subtests.test(values=values), undone():
            change(redemption, **values)
            assert call(till, redemption, "cancel").status_code == 409
            member.refresh_from_db()
            assert member.points_balance == 40


def test_what_was_undone_can_be_cancelled(till, redemption):
    call(till, redemption, "confirm")
    assert call(till, redemption, "cancel").status_code == 409
    call(till, redemption, "undo")
    assert call(till, redemption, "cancel").status_code == 200


def test_members_cancel_their_own_from_the_card_and_nobody_elses(api):
    phone, member = enrol()
    redeem(phone, member, make_reward(points=60))
    redemption = Redemption.objects.get()
    other, _member = enrol("ben@example.com")
    assert call(api, redemption, "cancel").status_code == 401
    assert call(other, redemption, "cancel").status_code == 404
    page = phone.get(f"/member/{member.pk}?format=html").content.decode()
    assert f'action="/use/{redemption.redemption_code}/cancel"' in page
    assert call(phone, redemption, "cancel").json()["newBalance"] == 100
    assert PointTransaction.objects.get(type="reversal").recorded_by is None
    phone.credentials(HTTP_SEC_FETCH_SITE="cross-site")
    assert call(phone, redemption, "cancel").status_code == 403


def test_staff_who_may_not_validate_may_not_cancel_either(redemption):
    somebody = with_token(User.objects.create_user("somebody"))
    assert [call(somebody, redemption, verb).status_code for verb in ("cancel", "undo")] == [403, 403]


def test_members_who_guess_codes_are_stopped(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "wrong_code": "3/hour"}
    phone, _member = enrol()
    statuses = [phone.post(f"/use/RWD-AAAAA{number}/cancel").status_code for number in range(5)]
    assert statuses == [404, 404, 404, 429, 429]


def test_reports_leave_it_out(till, member, redemption):
    manager = with_token(make_user("Managers"))
    call(till, redemption, "cancel")
    report = manager.get("/reports/loyalty").json()
    assert (report["monthlyActivity"]["redeemed"], report["popularRewards"]) == (0, [])
    activity = manager.get(f"/reports/members/{member.pk}").json()["recentActivity"]
    assert [row["type"] for row in activity] == ["earn"]
