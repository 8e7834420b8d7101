"""Shared by the tests of devices that several people share."""

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from config.models import Pin
from tests.conftest import signed_in

PIN = "4711"


def give_pin(user: User, pin: str = PIN) -> User:
    Pin.objects.create(user=user, hash=make_password(pin))
    return user


def enrol(manager: User, name: str = "Bar") -> APIClient:
    """A tablet that the manager has enrolled, on which nobody is signed in."""
    browser = signed_in(manager)
    response = browser.post("/staff/devices", {"name": name}, format="json")
    assert response.status_code == 201, response.content
    tablet = APIClient()
    tablet.cookies["shared_device"] = browser.cookies["shared_device"].value
    return tablet


def switch(tablet: APIClient, username: str, pin: str = PIN, **values):
    return tablet.post("/switch", {"username": username, "pin": pin, **values}, format="json")


def on_tablet(manager: User, user: User) -> APIClient:
    """A tablet on which this person, who has a PIN, is signed in."""
    tablet = enrol(manager)
    assert switch(tablet, user.username).status_code == 200
    return tablet
