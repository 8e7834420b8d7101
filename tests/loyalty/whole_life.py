"""Everything that a member can do, and that can happen to one."""

import json

from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from rest_framework.test import APIClient

from loyalty.models import Member, Notification
from qrservice.services import codes
from tests.conftest import browser_of, make_item, make_table, make_user, order_body
from tests.loyalty.making import earn_body, make_location, make_reward, redeem, with_token
from tests.loyalty.members.test_sign_in_links import link, request_link

NAME, EMAIL, PHONE = 'Zerlinda "Z" Quoxworthy', "zerlinda.quoxworthy@exämple.org", "+43 699 555 01 77"


def live(manager: APIClient) -> Member:
    """Everything that a member can do, and that can happen to one."""
    till, location, reward = with_token(make_user("Cashiers")), make_location(), make_reward(points=50)
    phone = APIClient()
    phone.post("/members", {"email": EMAIL, "name": NAME, "phone": PHONE}, format="json")
    member = Member.objects.get(email=EMAIL)
    request_link(phone, email=EMAIL)
    phone.post(link())
    key = {"Idempotency-Key": f"bill of {EMAIL}"}
    staff = {"staffId": f"for {NAME}"}
    till.post("/earn", earn_body(member, location, 2000, **staff), format="json", headers=key)
    purchase = till.post("/earn", earn_body(member, location, 20), format="json")["Location"]
    manager.post(f"{purchase}/reverse", {"note": f"{NAME} had paid twice"}, format="json")
    used, cancelled, _unused = (
        redeem(phone, member, reward, headers={"Idempotency-Key": f"{EMAIL} {number}"}).json()["redemptionCode"]
        for number in range(3)
    )
    till.post(f"/use/{used}/confirm", {"staffId": f"{EMAIL.upper()}"}, format="json")
    phone.post(f"/use/{cancelled}/cancel")
    Notification.objects.create(customer=member, title=f"For {NAME}", message=f"Call {PHONE}")
    _by_staff(member)
    order_soup(f"For {NAME.upper()}, call {PHONE}")
    for username in (EMAIL, NAME, PHONE):
        AccessAttempt.objects.create(username=username, failures_since_start=1, post_data=f"username={username}")
    Client().post("/sign-in", {"username": EMAIL, "password": "my own mail password"})
    return member


def _by_staff(member: Member) -> None:
    browser = browser_of(make_user("Managers", "clara"))
    page = f"/admin/loyalty/member/{member.pk}/"
    browser.post(f"{page}points/", {"direction": "give", "points": 30, "reason": f"Sorry, {NAME}", "key": "a"})
    browser.post(f"{page}points/", {"direction": "take", "points": 10, "reason": f"{NAME}: wrong", "key": "b"})
    note = {"note": f"{NAME} likes the window", "offers": "on"}
    browser.post(f"{page}change/", {"name": NAME, "email": EMAIL, "phone": f" {PHONE} ", **note})
    assert LogEntry.objects.filter(object_repr=NAME).count() >= 2
    store = SessionStore()
    store["_messages"] = json.dumps([["__json_message", 0, 25, f"The balance of {NAME} is now 5."]])
    store["basket"] = "kept"
    store.save()
    account = codes.built_in_account()
    codes.create(account=account, redirect_url=f"https://example.com/?to={EMAIL}", metadata={"for": NAME, "n": [PHONE]})


def order_soup(instructions: str) -> None:
    soup, table, phone = make_item(), make_table(), APIClient()
    session = phone.get(f"/table/{table.table_number}").json()["session"]["id"]
    body = order_body(session, (soup, 2))
    body["items"][0]["specialInstructions"] = instructions
    headers = {"Idempotency-Key": f"{EMAIL}'s soup"}
    assert phone.post(f"/table/{table.table_number}/order", body, format="json", headers=headers).status_code == 200
