"""Two managers who upload a logo at once: one of them is the logo, whole."""

import pytest

from config.models import Venue, VenuePicture
from config.services import branding
from tests.at_once import at_once
from tests.config.test_venue_branding import mark
from tests.restaurant.menu.test_pictures import saved

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


def test_of_two_logos_at_once_one_stays_with_its_bytes():
    Venue().save()
    made = [branding.logo(saved(mark(colour))) for colour in ((90, 20, 50, 255), (0, 90, 0, 255))]
    for _ in range(5):
        at_once([lambda logo=logo: branding.set_logo(Venue.objects.get(), logo) for logo in made * 2])
        stored = VenuePicture.objects.get(kind=VenuePicture.Kind.LOGO)
        assert Venue.objects.get().logo["digest"] == stored.digest
        assert VenuePicture.objects.count() == 2
