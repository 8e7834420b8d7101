"""GET /member/{customerId} as JSON: who sees what."""

import pytest
from django.contrib.auth.models import Group

from tests.conftest import make_user, signed_in, undone
from tests.loyalty.making import earn_body, enrol, make_member, make_reward, redeem

pytestmark = pytest.mark.django_db

FOR_ANYONE = {
    "viewer", "customerId", "name", "tier", "pointsBalance", "lifetimePoints", "nextTier", "qrCodeUrl", "rewards",
}  # fmt: skip
FOR_STAFF = FOR_ANYONE | {"redemptions", "activity"}
FOR_THE_MEMBER = FOR_STAFF | {"notifications", "email", "phone"}


def card(client, member) -> dict:
    response = client.get(f"/member/{member.pk}")
    assert response.status_code == 200
    assert "private" in response["Cache-Control"]
    return response.json()


def test_a_stranger_sees_neither_email_nor_phone_nor_activity(api):
    _phone, member = enrol()
    response = api.get(f"/member/{member.pk}")
    assert (set(response.json()), response.json()["viewer"]) == (FOR_ANYONE, "guest")
    assert member.email not in response.content.decode()


def test_the_member_sees_everything(till, location, reward):
    phone, member = enrol()
    till.post("/earn", earn_body(member, location, 12.5), format="json")
    redeemed = redeem(phone, member, reward).json()
    data = card(phone, member)
    assert (set(data), data["viewer"]) == (FOR_THE_MEMBER, "member")
    assert (data["email"], data["pointsBalance"], data["lifetimePoints"]) == ("ada@example.com", 12, 112)
    assert data["redemptions"] == [
        {name: redeemed[name] for name in ("redemptionCode", "qrCodeUrl", "reward", "expiresAt")}
    ]
    assert [(row["type"], row["points"], row["order_total"]) for row in data["activity"]] == [
        ("redeem", -100, None), ("earn", 12, 12.5), ("earn", 100, None),
    ]  # fmt: skip


def test_opening_the_card_renews_the_cookie():
    phone, member = enrol()
    response = phone.get(f"/member/{member.pk}")
    assert response.cookies["member"]["max-age"] > 0


def test_whoever_works_at_the_till_sees_what_the_till_needs(subtests):
    for group, viewer in [("Cashiers", "staff"), ("Managers", "staff"), ("Floor", "staff"), ("Cooks", "guest")]:
        Group.objects.get_or_create(name=group)
        with subtests.test(group=group, viewer=viewer), undone():
            _phone, member = enrol()
            data = card(signed_in(make_user(group)), member)
            assert data["viewer"] == viewer
            assert set(data) == (FOR_STAFF if viewer == "staff" else FOR_ANYONE)


def test_somebody_of_the_staff_who_has_a_card_can_see_it_as_theirs():
    phone, member = enrol()
    phone.force_login(make_user("Cashiers"))
    assert card(phone, member)["viewer"] == "staff"
    assert phone.get(f"/member/{member.pk}?view=card").json()["viewer"] == "member"
    other = make_member("Ben")
    assert phone.get(f"/member/{other.pk}?view=card").json()["viewer"] == "staff"


def test_it_shows_the_way_to_the_next_tier(api, subtests):
    for lifetime, following in [
    (100, {"tier": "silver", "threshold": 1000, "pointsToGo": 900, "percent": 10}),
    (999, {"tier": "silver", "threshold": 1000, "pointsToGo": 1, "percent": 99}),
    (1000, {"tier": "gold", "threshold": 5000, "pointsToGo": 4000, "percent": 0}),
    (7500, {"tier": "platinum", "threshold": 10000, "pointsToGo": 2500, "percent": 50}),
    (10000, None),
]:  # fmt: skip
        with subtests.test(lifetime=lifetime, following=following), undone():
            assert card(api, make_member(lifetime=lifetime))["nextTier"] == following


def test_its_rewards_are_those_of_the_list(api, member):
    make_reward("Dinner", 5000)
    make_reward("Tea", 60)
    assert card(api, member)["rewards"] == api.get(f"/rewards?customerId={member.pk}").json()["rewards"]


def test_used_and_expired_redemptions_are_not_active(till, reward):
    member = make_member(lifetime=200)
    codes = [redeem(till, member, reward).json()["redemptionCode"] for _ in range(2)]
    assert [row["redemptionCode"] for row in card(till, member)["redemptions"]] == codes[::-1]
    till.post(f"/use/{codes[0]}/confirm", {}, format="json")
    assert [row["redemptionCode"] for row in card(till, member)["redemptions"]] == codes[1:]
