"""Members, rewards and locations, and clients of the loyalty programme."""

import uuid

from django.contrib.auth.models import User
from rest_framework.test import APIClient

from config.models import StaffToken
from loyalty.models import Location, Member, PointTransaction, Programme, Reward


def make_member(name: str = "Ada Lovelace", *, lifetime: int = 100, balance: int | None = None, **values) -> Member:
    """A member without a code, whose ledger matches the card."""
    balance = lifetime if balance is None else balance
    member = Member.objects.create(
        name=name,
        points_balance=balance,
        lifetime_points=lifetime,
        awards=1,
        **{"email": f"{uuid.uuid4().hex}@example.com", "tier": Programme().tier_of(lifetime), **values},
    )
    rows = [(PointTransaction.Type.EARN, lifetime)]
    if balance != lifetime:
        kind = PointTransaction.Type.BONUS if balance > lifetime else PointTransaction.Type.EXPIRE
        rows.append((kind, balance - lifetime))
    for kind, points in rows:
        PointTransaction.objects.create(customer=member, type=kind, points=points, created_at=member.created_at)
    return member


def make_reward(name: str = "Free coffee", points: int = 100, **values) -> Reward:
    return Reward.objects.create(name=name, points_required=points, **{"reward_value": {"item": "coffee"}, **values})


def make_location(name: str = "Harbour") -> Location:
    return Location.objects.create(name=name, address="1 Quay")


def with_token(user: User) -> APIClient:
    """A program of the staff's."""
    _token, key = StaffToken.objects.create(user=user)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return client


def enrol(email: str = "ada@example.com", name: str = "Ada Lovelace") -> tuple[APIClient, Member]:
    """A phone that has enrolled, and so has the member's cookie; and whose it is."""
    phone = APIClient()
    response = phone.post("/members", {"email": email, "name": name}, format="json")
    assert response.status_code == 201, response.content
    return phone, Member.objects.get(pk=response.json()["customerId"])


def earn_body(member: Member, location: Location, total: object = 10, **values) -> dict:
    return {"customerId": str(member.pk), "locationId": str(location.pk), "orderTotal": total, **values}


def redeem(client: APIClient, member: Member, reward: Reward, **extra):
    return client.post(f"/rewards/{reward.pk}/redeem", {"customerId": str(member.pk)}, format="json", **extra)


def change(row, **values) -> None:
    """Store this, whatever a service would say to it."""
    type(row).objects.filter(pk=row.pk).update(**values)
    row.refresh_from_db()
