"""Owners read who signed in, by date."""

from datetime import UTC, datetime

import pytest
from axes.models import AccessLog
from django.contrib.auth.models import User

from tests.conftest import browser_of
from tests.reading import read

pytestmark = pytest.mark.django_db

SIGN_INS = "/admin/axes/accesslog/"


def test_sign_ins_are_filtered_by_date_as_other_lists_are():
    owner = browser_of(User.objects.create_superuser("owner"))
    AccessLog.objects.all().delete()
    entries = [AccessLog.objects.create(username=name, ip_address="127.0.0.1") for name in ("anna", "ben")]
    for entry, year in zip(entries, (2024, 2026), strict=True):
        AccessLog.objects.filter(pk=entry.pk).update(attempt_time=datetime(year, 3, 5, 12, tzinfo=UTC))
    dates = read(owner.get(SIGN_INS)).one("details", "Attempt Time")
    assert dates.names("link")[-3:] == ["2024", "2025", "2026"]
    attempts = owner.get(SIGN_INS, {"attempt_time__year": 2024}).context["cl"].result_list
    assert list(attempts) == entries[:1]
