"""A member's phone signs in by a link that is mailed."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from tests.conftest import undone, unknown_id
from tests.loyalty.making import change, enrol, make_member, make_reward, redeem
from tests.servers import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


@pytest.fixture
def ada(db):
    return make_member(email="Ada@example.com")


def request_link(client, **body):
    return client.post("/member-sign-in", body, format="json")


def link() -> str:
    """The path of the link that was mailed last."""
    return re.search(r"https?://[^/\s]+(/member-sign-in/\S+)", mail.outbox[-1].body)[1]


def test_a_link_is_mailed_to_the_address_that_is_stored(api, ada, settings, subtests):
    for whose in [{"email": "ada@example.com"}, {"email": " ADA@EXAMPLE.COM "}, {"customerId": None}]:
        with subtests.test(whose=whose), undone():
            response = request_link(api, **({"customerId": str(ada.pk)} if "customerId" in whose else whose))
            assert (response.status_code, set(response.json())) == (202, {"message"})
            message = mail.outbox[0]
            assert message.to == ["Ada@example.com"]
            assert f"{settings.APP_BASE_URL}/member-sign-in/" in message.body
            assert "member" not in response.cookies


def test_the_link_signs_one_phone_in_and_then_no_more(api, ada):
    request_link(api, email=ada.email)
    phone, late = APIClient(), APIClient()
    response = phone.post(link())
    assert (response.status_code, response.json()["customerId"]) == (200, str(ada.pk))
    assert phone.get(f"/member/{ada.pk}").json()["viewer"] == "member"
    assert redeem(phone, ada, make_reward()).status_code == 200
    for response in (late.post(link()), late.get(link())):
        assert (response.status_code, set(response.json())) == (410, {"error"})
        assert "member" not in response.cookies


def test_opening_a_link_does_not_use_it_up(api, ada):
    """Mail programs open links to preview them."""
    request_link(api, email=ada.email)
    for _ in range(2):
        response = api.get(link())
        assert response.status_code == 200
        assert "member" not in response.cookies
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cache-Control"] == "no-store"
    assert api.post(link()).status_code == 200


def test_using_one_link_ends_the_others_that_were_mailed_before(api, ada):
    request_link(api, email=ada.email)
    first = link()
    request_link(api, email=ada.email)
    assert api.post(link()).status_code == 200
    assert APIClient().post(first).status_code == 410
    request_link(api, email=ada.email)
    assert APIClient().post(link()).status_code == 200


def test_a_link_works_for_an_hour(api, ada, clock, subtests):
    for age, status in [(timedelta(minutes=59), 200), (timedelta(minutes=61), 410)]:
        with subtests.test(age=age, status=status), undone():
            now = timezone.now()
            clock(now - age)
            request_link(api, email=ada.email)
            clock(now)
            assert api.get(link()).status_code == status
            assert api.post(link()).status_code == status


def test_a_spoilt_link_is_410(api, ada, subtests):
    for spoil in [
    lambda path: path + "x", lambda path: path[:-3], lambda path: "/member-sign-in/nonsense",
    lambda path: "/member-sign-in/%00", lambda path: "/member-sign-in/::", lambda path: "/member-sign-in/é",
]:  # fmt: skip
        with subtests.test(spoil=spoil), undone():
            request_link(api, email=ada.email)
            for response in (api.get(spoil(link())), api.post(spoil(link()))):
                assert (response.status_code, set(response.json())) == (410, {"error"})


def test_a_cookie_is_no_link_and_a_link_no_cookie(api, ada):
    request_link(api, email=ada.email)
    phone = APIClient()
    phone.post(link())
    cookie = phone.cookies["member"].value
    assert api.post(f"/member-sign-in/{cookie}").status_code == 410
    api.cookies["member"] = link().rpartition("/")[2]
    assert api.get(f"/member/{ada.pk}").json()["viewer"] == "guest"


def test_the_response_for_an_unknown_address_is_the_same(api, ada):
    known, unknown = request_link(api, email=ada.email), request_link(api, email="eve@example.com")
    assert (unknown.status_code, unknown.content) == (known.status_code, known.content)
    assert request_link(api, customerId=unknown_id()).content == known.content
    assert len(mail.outbox) == 1


def test_five_an_hour_for_what_is_given_however_it_is_written(api, ada):
    spellings = ["ada@example.com", "ADA@example.com", " Ada@Example.com"]
    for number in range(5):
        client = APIClient(REMOTE_ADDR=f"198.51.100.{number}")
        assert request_link(client, email=spellings[number % 3]).status_code == 202
    response = request_link(APIClient(REMOTE_ADDR="198.51.100.9"), email=" Ada@Example.com")
    assert (response.status_code, set(response.json())) == (429, {"error"})
    assert 0 < int(response["Retry-After"]) <= 3600
    assert len(mail.outbox) == 5
    ben = make_member("Ben", email="ben@example.com")
    assert request_link(api, email=ben.email).status_code == 202


def test_a_mailbox_gets_five_an_hour_and_the_limit_does_not_tell_whose_it_is(api, ada):
    eve = make_member("Eve", email="eve@example.com")
    for _ in range(5):
        assert request_link(api, customerId=str(ada.pk)).status_code == 202
    assert request_link(api, customerId=str(ada.pk)).status_code == 429
    for email in (ada.email, eve.email, "nobody@example.com"):
        assert request_link(api, email=email).status_code == 202
    assert [message.to for message in mail.outbox] == [[ada.email]] * 5 + [[eve.email]]


def test_requests_that_name_nobody_are_counted_by_client_address(api):
    assert [request_link(api).status_code for _ in range(6)] == [400] * 5 + [429]
    assert request_link(APIClient(REMOTE_ADDR="198.51.100.9")).status_code == 400
    assert request_link(api, email="eve@example.com").status_code == 202


def test_an_unknown_address_is_limited_like_a_known_one(api):
    responses = [
        request_link(api, email=spelling).status_code for spelling in ["eve@example.com", "EVE@example.com"] * 3
    ]
    assert responses == [202] * 5 + [429]


def test_reading_the_page_is_not_counted(api, ada):
    for _ in range(10):
        assert api.get("/member-sign-in").status_code == 200
    assert request_link(api, email=ada.email).status_code == 202


def test_a_mail_that_fails_is_one_line_of_the_log_without_the_address(api, ada, settings, caplog):
    works = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    known, unknown = request_link(api, email=ada.email), request_link(api, email="eve@example.com")
    assert (known.status_code, known.content) == (202, unknown.content)
    assert [record.getMessage() for record in caplog.records] == ["A mail could not be sent: ConnectionRefusedError"]
    settings.EMAIL_BACKEND = works
    assert request_link(api, email=ada.email).status_code == 202
    assert len(mail.outbox) == 1


def test_a_link_ends_when_the_card_gets_another_address(api, ada):
    request_link(api, email=ada.email)
    change(ada, email="new@example.com")
    for response in (api.get(link()), api.post(link())):
        assert (response.status_code, set(response.json())) == (410, {"error"})


def test_the_first_link_signs_the_phone_out_that_enrolled_the_address(api):
    """It may have been anybody's; only the mailbox shows who owns the address."""
    stranger, member = enrol()
    request_link(api, email=member.email)
    assert api.post(link()).status_code == 200
    assert stranger.get(f"/member/{member.pk}").json()["viewer"] == "guest"
    assert redeem(stranger, member, make_reward()).status_code == 401
    request_link(api, email=member.email)
    tablet = APIClient()
    assert tablet.post(link()).status_code == 200
    for own in (api, tablet):
        assert own.get(f"/member/{member.pk}").json()["viewer"] == "member"
