"""Shared by the tests of the setup: its steps, and a restaurant that has done them."""

from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from config.models import Setup, Venue
from loyalty.models import Location, Reward
from tests.conftest import PAGE, make_item, make_table, make_user

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def steps(client: APIClient) -> dict[str, dict]:
    return {step["name"]: step for step in client.get("/setup").json()["steps"]}


def done(client: APIClient) -> list[str]:
    return [name for name, step in steps(client).items() if step["done"]]


def set_up_everything() -> None:
    location = Location.objects.create(name="Corner")
    Venue.objects.create(name="Chez Nous", location=location)
    Reward.objects.create(name="Espresso", points_required=100, reward_value={"item": "Espresso"})
    make_item()
    make_table()
    Setup.objects.create(pk=1, cards_printed_at=NOON)
    make_user("Floor", "anna")


def page_of(user: User) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(user, backend="web.authentication.StaffBackend")
    return client
