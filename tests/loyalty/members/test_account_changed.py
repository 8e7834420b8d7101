"""Members change their name and phone, and whether they agree to offers by email."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.at_once import at_once
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.making import change, enrol, make_member
from tests.loyalty.phone import Phone

pytestmark = pytest.mark.django_db


def address(member) -> str:
    return f"/member/{member.pk}/account"


def stored(member) -> tuple[str, str, bool]:
    member.refresh_from_db()
    return member.name, member.phone, member.offers_agreed_at is not None


@pytest.fixture
def card():
    return enrol()


@pytest.fixture
def page(card) -> Phone:
    """The account's page on the member's phone."""
    card[0].credentials(HTTP_ACCEPT=PAGE)
    return Phone(card[0]).open(address(card[1]))


def test_a_program_changes_what_it_sends_and_nothing_else(card):
    phone, member = card
    response = phone.post(address(member), {"phone": "+353 1 234"}, format="json")
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    assert (response.json()["name"], response.json()["phone"]) == ("Ada Lovelace", "+353 1 234")
    response = phone.post(address(member), {"name": " Ada King ", "offers": True}, format="json")
    assert response.json() == phone.get(address(member)).json()
    assert stored(member) == ("Ada King", "+353 1 234", True)
    phone.post(address(member), {}, format="json")
    assert stored(member) == ("Ada King", "+353 1 234", True)
    phone.post(address(member), {"phone": "", "offers": False, "email": "eve@example.com"}, format="json")
    assert stored(member) == ("Ada King", "", False)
    assert member.email == "ada@example.com"


def test_what_can_t_be_stored_is_refused_and_nothing_is_changed(card):
    phone, member = card
    body = {"name": "Eve", "phone": "1" * 51, "offers": True}
    response = phone.post(address(member), body, format="json")
    assert (response.status_code, list(response.json()["fields"])) == (400, ["phone"])
    assert stored(member) == ("Ada Lovelace", "", False)


def test_only_the_members_own_phone_may(api, card):
    phone, member = card
    other = make_member()
    assert phone.post(address(other), {"name": "Eve"}, format="json").status_code == 403
    assert api.post(address(member), {"name": "Eve"}, format="json").status_code == 401
    assert api.post(address(member), {"name": ""}, headers={"accept": PAGE}).status_code == 401
    for group in ("Cashiers", "Floor", "Managers"):
        client = signed_in(make_user(group))
        assert client.post(address(member), {"name": "Eve"}, content_type="application/json").status_code == 403
    assert stored(member) == ("Ada Lovelace", "", False)


def test_nothing_is_changed_once_the_member_has_left(card):
    phone, member = card
    change(member, erased_at=timezone.now())
    response = phone.post(address(member), {"name": "Ada"}, format="json")
    assert (response.status_code, response.json()["erased"]) == (404, True)
    assert stored(member) == ("Ada Lovelace", "", False)


def test_the_form_saves_and_says_so(page, card):
    page.send(address(card[1]), name="Ada King", phone="+353 1 234")
    assert page.response.status_code == 200
    assert "Your details are saved." in page.page
    assert 'value="Ada King"' in page.page
    assert page.client.post(address(card[1]), page.form(address(card[1]))).status_code == 303
    assert "Your details are saved." not in page.open(address(card[1])).open(address(card[1])).page


def test_offers_are_agreed_to_and_withdrawn_with_one_tick(page, card):
    _phone, member = card
    form = page.form(address(member))
    del form["offers"]
    assert 'name="offers" value="yes">' in page.source
    page.send(address(member))  # with the tick
    assert stored(member)[2]
    assert 'name="offers" value="yes" checked>' in page.source
    agreed = timezone.now() - timedelta(days=3)
    change(member, offers_agreed_at=agreed)
    page.send(address(member), phone="+353 1 234")
    member.refresh_from_db()
    assert member.offers_agreed_at == agreed  # since the first day
    page.client.post(address(member), form | {"offersShown": "yes"})
    assert stored(member) == ("Ada Lovelace", "+353 1 234", False)


def test_what_is_wrong_stands_beside_its_field_with_what_was_entered(page, card):
    _phone, member = card
    page.send(address(member), name="Ada\x85King", phone="1" * 51)
    assert page.response.status_code == 400
    assert 'aria-invalid="true" aria-describedby="error_name"' in page.page
    assert 'aria-invalid="true" aria-describedby="error_phone"' in page.page
    assert "Please write this in one line." in page.page
    assert "Nothing was saved." in page.page
    assert page.form(address(member))["phone"] == "1" * 51
    assert page.form(address(member))["nameShown"] == "Ada Lovelace"
    assert 'value="yes" checked>' in page.page  # the tick that was sent
    assert stored(member) == ("Ada Lovelace", "", False)
    page.send(address(member), name="Ada King", phone="+353 1 234")
    assert stored(member) == ("Ada King", "+353 1 234", True)


def test_the_email_is_shown_and_can_t_be_changed_there(page, card):
    _phone, member = card
    form = page.form(address(member))
    assert "email" not in form
    assert "ada@example.com" in page.page
    page.client.post(address(member), form | {"email": "eve@example.com"})
    member.refresh_from_db()
    assert member.email == "ada@example.com"


def test_a_form_undoes_nothing_that_another_phone_saved_since_it_was_shown(page, card):
    phone, member = card
    before = page.form(address(member))
    del before["offers"]
    saved = {"name": "Ada King", "offers": True}
    phone.post(address(member), saved, format="json", headers={"accept": "application/json"})
    page.client.post(address(member), before | {"phone": "+353 1 234"})
    assert stored(member) == ("Ada King", "+353 1 234", True)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_phones_that_save_at_once_lose_nothing_of_each_other():
    phone, member = enrol()
    bodies = [{"name": "Ada King"}, {"phone": "+353 1 234"}, {"offers": True}]

    def saving(body):
        return lambda: phone.post(address(member), body, format="json").status_code

    for _ in range(3):
        change(member, name="Ada Lovelace", phone="", offers_agreed_at=None)
        assert at_once([saving(body) for body in bodies * 2]) == [200] * 6
        assert stored(member) == ("Ada King", "+353 1 234", True)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_those_who_agree_at_once_the_first_day_stays():
    phone, member = enrol()

    def agreeing() -> str:
        return phone.post(address(member), {"offers": True}, format="json").json()["offersAgreedAt"]

    for _ in range(4):
        change(member, offers_agreed_at=None)
        days = set(at_once([agreeing] * 8))
        assert len(days) == 1
        assert None not in days
