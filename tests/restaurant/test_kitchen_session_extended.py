"""A kitchen display that is used every day is never signed out."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

pytestmark = pytest.mark.django_db


def test_the_session_is_extended_once_a_day(floor):
    assert floor.get("/kitchen").status_code == 200
    almost_over = timezone.now() + timedelta(minutes=5)
    Session.objects.update(expire_date=almost_over)
    floor.get("/kitchen")
    assert Session.objects.get().expire_date == almost_over  # once a day
    session = floor.session
    session["last_day"] = "2020-01-01"
    session.save()
    Session.objects.update(expire_date=almost_over)
    floor.get("/kitchen")
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=13)
