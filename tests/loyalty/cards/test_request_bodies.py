"""The values that fields of requests take, and that views use them. No test but the last needs a database."""

import pytest
from django.core import mail

from loyalty import rules
from loyalty.members.serializers import AccountBody, EmailBody, EnrolmentBody, LinkBody, OrderTotal, Points
from loyalty.models import Member, PointTransaction, Redemption
from loyalty.points.serializers import EarnBody, ReverseBody
from loyalty.rewards.serializers import ConfirmBody, RedeemBody
from tests.conftest import unknown_id
from tests.loyalty.admin.pages import make_redemption
from tests.loyalty.making import enrol, make_location, make_reward
from web.fields import FormText, Text

ID = unknown_id()
GOOD = {
    EnrolmentBody: {"email": "new@example.com", "name": "New", "phone": "1", "offers": True},
    AccountBody: {"name": "New", "phone": "1", "offers": False},
    EmailBody: {"email": "new@example.com"},
    LinkBody: {"email": "new@example.com", "customerId": ID},
    EarnBody: {"customerId": ID, "locationId": ID, "orderTotal": 12, "staffId": "till 1", "sessionId": ID},
    RedeemBody: {"customerId": ID, "expectedPoints": 100},
    ConfirmBody: {"staffId": "till 1", "locationId": ID, "tableNumber": 7, "sessionId": ID},
    ReverseBody: {"note": "a slip"},
}
LONGEST = {"name": 255, "phone": 50, "staffId": 100, "note": 500}
NO_TEXTS = [True, 7, 1.5, [], {}, ["x"], {"$ne": ""}, "a\0b", "\ud800", "x" * 5000]
NO_IDS = ["seven", f"{ID}-", f"{{{ID}}}", f"urn:uuid:{ID}", f"{ID}\n\0", "0" * 32]
NO_ADDRESSES = [
    "", "ada", "ada@", "@", "new@example.com\r\nBcc: other@example.com", "new@example.com, other@example.com",
    "New <new@example.com>", "new@other@example.com", '"new guest"@example.com', '"new\x01"@example.com',
    "new@example.com\u200b", "new@exam\u2028ple.com", f"new@{'ä' * 63}.com", "new@\u05d0a.com", "né@example.com",
    "new@example", "new@-example.com", "n" * 250 + "@example.com", "ａda@example.com", "ada\u212a@example.com",
    "ada@exam\u00adple.com", "ada@example..com", "ada＠x.com@y.com",
]  # fmt: skip
ONE_MAILBOX = ["ada@ｅxample.com", "ada@ＥＸＡＭＰＬＥ.com", "ada@example。com", "ada@example.ｃom"]


def errors(kind, **values) -> set[str]:
    """The names of the fields that are refused when these values are sent in a good body."""
    body = kind(data=GOOD[kind] | values)
    return set() if body.is_valid() else set(body.errors)


def taken_wrongly(name: str, values: list) -> list[tuple]:
    """The bodies with a field of this name that take one of the values, or say that something else is wrong."""
    kinds = [kind for kind in GOOD if name in GOOD[kind]]
    assert kinds
    return [(kind, name, value) for kind in kinds for value in values if errors(kind, **{name: value}) != {name}]


def test_the_good_bodies_are_taken():
    assert [kind for kind in GOOD if errors(kind)] == []
    assert {name for kind in GOOD for name in kind().fields} == {name for good in GOOD.values() for name in good}


def test_every_text_is_one_that_can_be_stored():
    texts = {name for kind in GOOD for name, field in kind().fields.items() if isinstance(field, Text)}
    assert {"email", "name", "phone", "customerId", "locationId", "staffId", "note", "sessionId"} == texts
    assert [wrong for name in sorted(texts) for wrong in taken_wrongly(name, NO_TEXTS)] == []


def test_what_is_needed_is_named_when_it_is_missing():
    needed = {EnrolmentBody: {"email", "name"}, EmailBody: {"email"}, LinkBody: {"email"}}
    needed |= {EarnBody: {"customerId", "locationId", "orderTotal"}, RedeemBody: {"customerId"}}
    for kind in GOOD:
        body = kind(data={})
        assert (set() if body.is_valid() else set(body.errors)) == needed.get(kind, set()), kind
    assert taken_wrongly("email", [None]) == taken_wrongly("name", [None, "", "   "]) == []
    assert errors(EarnBody, customerId=None, locationId="", orderTotal=None) == needed[EarnBody]
    assert errors(RedeemBody, customerId=None) == errors(RedeemBody, customerId="") == {"customerId"}


def test_what_is_not_needed_may_be_empty():
    assert (
        errors(EnrolmentBody, phone=None) == errors(EnrolmentBody, phone="") == errors(AccountBody, phone="") == set()
    )
    for nothing in ("", None):
        assert errors(EarnBody, staffId=nothing) == errors(ReverseBody, note=nothing) == set()
        assert errors(ConfirmBody, staffId=nothing, locationId=nothing) == set()
    assert errors(AccountBody, offers=None) == errors(AccountBody, offers="perhaps") == {"offers"}


def test_texts_have_their_lengths():
    for name, length in LONGEST.items():
        kinds = [kind for kind in GOOD if name in GOOD[kind]]
        assert [errors(kind, **{name: "\N{GRINNING FACE}" * length}) for kind in kinds] == [set()] * len(kinds), name
        assert taken_wrongly(name, ["x" * (length + 1)]) == []
    assert errors(EnrolmentBody, email=f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.example") == set()


def test_names_and_telephone_numbers_are_one_line():
    for name in ("name", "phone"):
        assert taken_wrongly(name, ["Bob\nEve", "Bob\rEve", "Bob\u2028Eve", "Bob\x85Eve", "Bob\x1bEve"]) == []


def test_an_id_has_one_spelling_in_either_case():
    assert taken_wrongly("customerId", NO_IDS) == taken_wrongly("locationId", NO_IDS) == []
    body = EarnBody(data=GOOD[EarnBody] | {"customerId": ID.upper()})
    assert body.is_valid()
    assert body.validated_data["customerId"] == ID


def test_an_address_is_one_that_mail_can_reach():
    assert taken_wrongly("email", NO_ADDRESSES) == []
    for odd in ("o'brien+a@example.com", "new@exämple.com", "new@例え.テスト", '"a,b"@example.com'):
        assert errors(EnrolmentBody, email=odd) == set(), odd


def test_one_mailbox_has_one_spelling():
    assert {rules.mailbox(address) for address in ONE_MAILBOX} == {"ada@example.com"}
    hosts = ["ada@müller.example", "ada@xn--mller-kva.example", "ada@MÜLLER.example"]
    assert {rules.mailbox(address) for address in hosts} == {"ada@müller.example"}
    body = EnrolmentBody(data=GOOD[EnrolmentBody] | {"email": ONE_MAILBOX[0]})
    assert body.is_valid()
    assert body.validated_data["email"] == "ada@example.com"


def test_an_amount_that_no_guest_pays():
    numbers = [None, True, "12", "", [], {}, 0, -1, 0.001, 0.004, 99_999_999.995, 1e308, -1e308, 10**400, 10**8]
    typed = ["1.000,00", "1,000.00", "1,234", "1e3", "12 €", "-1", "³", "NaN", "+1", "0", "", "twelve", "12.50 EUR"]
    assert taken_wrongly("orderTotal", [*numbers, *map(FormText, typed)]) == []
    assert str(OrderTotal().run_validation(FormText("12,50"))) == "12.50"


def test_expected_points_are_a_whole_number():
    assert taken_wrongly("expectedPoints", ["80", 1.5, True, -1, rules.MAX_POINTS + 1, FormText("x")]) == []
    assert Points().run_validation(FormText("80")) == 80


@pytest.mark.django_db
def test_each_view_asks_them(till, program):
    phone, member = enrol("rosa@example.com")
    reward, location = make_reward(), make_location()
    redemption = make_redemption(member, reward)
    ids = {"customerId": str(member.pk), "locationId": str(location.pk)}
    calls = [
        (phone, "/members", EnrolmentBody),
        (phone, f"/member/{member.pk}/account", AccountBody),
        (phone, f"/member/{member.pk}/email", EmailBody),
        (phone, "/member-sign-in", LinkBody),
        (till, "/earn", EarnBody),
        (till, f"/rewards/{reward.pk}/redeem", RedeemBody),
        (till, f"/use/{redemption.redemption_code}/confirm", ConfirmBody),
        (program, f"/transactions/{unknown_id()}/reverse", ReverseBody),
    ]
    before = list(Member.objects.values())
    wrong = []
    for client, path, kind in calls:
        for name in GOOD[kind]:
            good = {field: ids.get(field, value) for field, value in GOOD[kind].items()}
            response = client.post(path, good | {name: ["odd"]}, format="json")
            error = response.json()
            if (response.status_code, set(error.get("fields", []))) != (400, {name}) or name not in error["error"]:
                wrong.append((path, name, response.status_code, error))
    assert wrong == []
    assert list(Member.objects.values()) == before
    assert (PointTransaction.objects.count(), mail.outbox) == (1, [])
    assert Redemption.objects.get().status == "active"
