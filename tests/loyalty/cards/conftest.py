import pytest
from django.test import Client

from loyalty.models import Member


@pytest.fixture
def phone(browser_client) -> Client:
    """The browser of a phone on which Ada has enrolled."""
    browser_client.post("/members", {"name": "Ada", "email": "ada@example.com"})
    return browser_client


@pytest.fixture
def ada(phone) -> Member:
    return Member.objects.get()
