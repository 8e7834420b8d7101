"""News of a tier: stored with the award, mailed after its commit, tried again."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.utils import timezone

from loyalty.messages.services import notifications
from loyalty.models import Member, Notification, PointTransaction
from tests.at_once import at_once
from tests.conftest import undone
from tests.loyalty.making import change, earn_body, enrol, make_location, make_member
from tests.servers import free_port

pytestmark = pytest.mark.django_db

SMTP = "django.core.mail.backends.smtp.EmailBackend"
LOCMEM = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def mail_is_down(settings):
    """Nobody listens where mail goes, until `mail_is_down()` ends it."""
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", free_port()

    def end() -> None:
        settings.EMAIL_BACKEND = LOCMEM

    return end


def reach(till, member, total=900):
    return till.post("/earn", earn_body(member, make_location(), total), format="json")


def send() -> None:
    call_command("send_notifications")


def test_a_new_tier_is_stored_and_mailed(till, subtests):
    for lifetime, total, name in [(100, 900, "SILVER"), (4999, 1, "GOLD"), (100, 9900, "PLATINUM")]:
        with subtests.test(lifetime=lifetime, total=total, name=name), undone():
            mail.outbox.clear()
            member = make_member(lifetime=lifetime, email="ada@example.com")
            assert reach(till, member, total).status_code == 200
            stored = Notification.objects.get()
            assert (stored.customer, stored.type) == (member, "tier_upgrade")
            assert name in stored.message
            assert stored.title
            assert stored.sent_at is not None
            message = mail.outbox[0]
            assert (len(mail.outbox), message.to, message.subject) == (1, ["ada@example.com"], stored.title)
            assert stored.message in message.body
            assert f"/member/{member.pk}" in message.body


def test_without_a_change_of_tier_there_is_no_news(till, member):
    assert reach(till, member, 899).status_code == 200
    assert not Notification.objects.exists()
    assert not mail.outbox


def test_a_tier_that_is_lowered_is_news_too(till):
    assert reach(till, make_member(lifetime=100, tier="gold"), 1).json()["tier"] == "bronze"
    assert "BRONZE" in Notification.objects.get().message
    assert "reached" not in Notification.objects.get().message


def test_the_member_reads_it_on_the_card(till):
    phone, member = enrol()
    reach(till, member)
    news = phone.get(f"/member/{member.pk}").json()["notifications"]
    assert len(news) == 1
    assert set(news[0]) == {"title", "message", "type", "created_at"}
    assert news[0]["type"] == "tier_upgrade"
    assert "SILVER" in news[0]["message"]
    assert "notifications" not in till.get(f"/member/{member.pk}").json()


def test_a_name_with_a_line_break_makes_no_header(till):
    member = make_member("Ada\r\nBcc: eve@example.com")
    reach(till, member)
    assert mail.outbox[0].to == [member.email]
    assert mail.outbox[0].message()["Bcc"] is None


def test_a_mail_that_fails_does_not_undo_the_award(till, member, mail_is_down):
    response = reach(till, member)
    assert (response.status_code, response.json()["newBalance"], response.json()["tier"]) == (200, 1000, "silver")
    member.refresh_from_db()
    assert (member.points_balance, member.tier) == (1000, "silver")
    stored = Notification.objects.get()
    assert (stored.sent_at, stored.attempts) == (None, 1)


def test_a_mail_that_failed_is_sent_later_and_once(till, member, mail_is_down, capsys):
    reach(till, member)
    with pytest.raises(CommandError, match="1 could not be sent"):
        send()
    assert Notification.objects.get().attempts == 2
    mail_is_down()
    send()
    assert "Sent: 1. Failed: 0." in capsys.readouterr().out
    stored = Notification.objects.get()
    assert stored.sent_at is not None
    assert stored.attempts == 3
    send()
    assert len(mail.outbox) == 1
    assert "Sent: 0. Failed: 0." in capsys.readouterr().out


def test_an_address_that_mail_refuses_does_not_keep_the_others_waiting(till, mail_is_down):
    # No request can bring a line break; somebody may have written it to the database.
    members = [make_member(name) for name in ("Ada", "Ben", "Cem")]
    for member in members:
        reach(till, member)
    change(members[0], email="ada@example.com\nBcc: eve@example.com")
    mail_is_down()
    with pytest.raises(CommandError, match="1 could not be sent"):
        send()
    assert sorted(message.to[0] for message in mail.outbox) == sorted(member.email for member in members[1:])


def test_news_that_somebody_is_just_sending_is_left_to_them(member):
    news = notifications.write_tier_change(member, tier="silver", now=timezone.now())
    send()
    assert not mail.outbox
    # Whoever it was has died on the way.
    change(news, next_attempt_at=timezone.now() - timedelta(seconds=1))
    send()
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_the_mail_goes_out_after_the_commit_and_not_before(till, member, settings):
    settings.EMAIL_BACKEND = "tests.loyalty.messages.test_notifications_mailed.BackendThatLooks"
    BackendThatLooks.seen.clear()
    reach(till, member)
    assert BackendThatLooks.seen == [1000]


class BackendThatLooks:
    """Notes the balance as another connection sees it at the moment of sending."""

    seen: list[int] = []

    def __init__(self, **kwargs: object) -> None:
        pass

    def send_messages(self, messages):
        self.seen += at_once([lambda: Member.objects.get(email=messages[0].to[0]).points_balance])
        return len(messages)


def test_what_could_not_be_stored_is_not_mailed(till):
    member = make_member(lifetime=2_147_483_647, tier="bronze")
    assert reach(till, member, 1).status_code == 400
    assert not Notification.objects.exists()
    assert not mail.outbox
    assert PointTransaction.objects.count() == 1
