"""News on a member's card, for three months."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils.html import strip_tags

from loyalty.models import Notification

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 22, 12, tzinfo=ZoneInfo("Europe/Dublin"))


def words(client, address: str) -> str:
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def test_the_card_has_no_news_where_there_are_none(phone, ada, clock):
    Notification.objects.all().delete()
    assert "News" not in phone.get(f"/member/{ada.pk}").content.decode()
    clock(NOON)
    Notification.objects.create(customer=ada, title="Old", message="Old.", created_at=NOON - timedelta(days=91))
    assert "News" not in phone.get(f"/member/{ada.pk}").content.decode()
    assert "Messages from us" in words(phone, f"/member/{ada.pk}/account")


def test_news_name_tiers_as_people_write_them_and_are_news_for_three_months(phone, ada, clock):
    clock(NOON)
    for tier, days in (("gold", 89), ("silver", 91)):
        Notification.objects.create(
            customer=ada,
            title=f"Welcome to {tier}",
            message=f"You have reached {tier.upper()}. Thank you for coming back.",
            created_at=NOON - timedelta(days=days),
        )
    new = words(phone, f"/member/{ada.pk}").partition(" News ")[2].partition("Recent activity")[0]
    earlier = words(phone, f"/member/{ada.pk}/account").partition("1 message")[2].partition("Download")[0]
    assert new.strip() == "Welcome to Gold You have reached Gold. Thank you for coming back. 25 Aug 2026"
    assert earlier.strip() == "Welcome to Silver You have reached Silver. Thank you for coming back. 23 Aug 2026"
