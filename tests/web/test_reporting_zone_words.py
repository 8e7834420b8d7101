"""Pages name the restaurant's time zone as people say it, whichever zone is set."""

import zoneinfo

import pytest
from django.utils import timezone

from web.reporting import zone_words


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("America/New_York", "New York time"), ("Europe/Dublin", "Dublin time"), ("UTC", "UTC"),
        ("America/Argentina/Buenos_Aires", "Buenos Aires time"), ("Etc/GMT+5", "Etc/GMT+5"),
    ],
)  # fmt: skip
def test_a_zone_is_named_by_its_city(zone, words):
    with timezone.override(zone):
        assert zone_words() == words


def test_every_zone_has_words_without_underscores():
    for zone in zoneinfo.available_timezones():
        with timezone.override(zone):
            assert zone_words()
            assert "_" not in zone_words(), zone
