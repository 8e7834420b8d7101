"""Shared by the tests of the staff: adding and changing people, and signing them in."""

from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from tests.conftest import PAGE

ADA = {"username": "ada", "name": "Ada Lovelace", "group": "Floor"}


def add(client: APIClient, **values):
    return client.post("/staff", {**ADA, **values}, format="json")


def change(client: APIClient, username: str, **values):
    return client.post(f"/staff/{username}", values, format="json")


def listed(client: APIClient) -> dict[str, dict]:
    return {person["username"]: person for person in client.get("/staff").json()["staff"]}


def sign_in(username: str, password: str) -> Client:
    client = Client(headers={"accept": PAGE})
    client.post("/sign-in", {"username": username, "password": password})
    return client


def page_of(user: User) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(user, backend="web.authentication.StaffBackend")
    return client
