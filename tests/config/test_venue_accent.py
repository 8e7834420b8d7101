"""The venue's accent colour, and what is derived from it."""

import itertools

import pytest
from django.test import Client

from config import colours
from config.models import Venue
from tests.reading import read


def test_whatever_the_owner_likes_can_be_read():
    for accent in itertools.product(range(0, 256, 51), repeat=3):
        for derived, papers in (
            (colours.on_light(accent), ["faf6ef", "fffdf9"]),
            (colours.on_dark(accent), ["1b1714", "241f1b"]),
        ):
            behind = [*map(colours.parse, papers), derived.accent_wash, derived.on_accent]
            assert min(colours.contrast(derived.accent, background) for background in behind) >= 4.5, accent
            assert colours.contrast(derived.on_accent, derived.accent_deep) >= 4.5, accent
            assert colours.contrast(derived.accent_deep, derived.accent_wash) >= 4.5, accent
            for ground in (derived.fill, derived.fill_deep):
                assert colours.contrast(derived.on_fill, ground) >= 4.5, accent


@pytest.mark.django_db
def test_the_colour_itself_is_written_on_in_black_or_white(client: Client):
    for accent in map(colours.parse, ("f4d35e", "e01e37", "101820", "777777", "7f7f7f")):
        assert colours.contrast(accent, colours.on(accent)) >= 4.5
    styles = client.get("/accent/f4d35e.css").content.decode()
    assert "--brand: #f4d35e;" in styles
    assert "--on-brand: #000000;" in styles


def test_a_readable_colour_stays_as_it_is():
    assert colours.css(colours.on_light(colours.parse("7a2848")).accent) == "#7a2848"


def test_a_light_colour_fills_buttons_as_it_is_with_black_on_it_and_its_wash_can_be_told_from_paper():
    light = colours.on_light(colours.parse("f4d35e"))
    assert (colours.css(light.fill), colours.css(light.on_fill)) == ("#f4d35e", "#000000")
    assert colours.contrast(light.accent_wash, colours.LIGHT_PAPER) >= colours.SHAPE
    assert light.accent_wash == (0xF0, 0xE5, 0xC8)  # with more of its colour it would be that of a warning
    dark = colours.on_light(colours.parse("7a2848"))
    assert (dark.fill, dark.on_fill, dark.fill_deep) == (dark.accent, dark.on_accent, dark.accent_deep)


@pytest.mark.django_db
def test_it_is_a_stylesheet_of_its_own_and_cached_for_good(client: Client):
    response = client.get("/accent/7a2848.css")
    assert (response.status_code, response["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in response["Cache-Control"]
    assert "--accent: light-dark(#7a2848, " in response.content.decode()
    for odd in ("7A2848", "7a284", "red", "7a2848;}"):
        assert client.get(f"/accent/{odd}.css").status_code == 404


# --- chosen in the admin --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_colour_is_chosen_and_the_usual_one_stands_for_none(admin_client):
    for chosen, stored in (("#005f73", "#005f73"), ("#7a2848", "")):
        form = {"name": "Chez Nous", "accent": chosen}
        Venue.objects.get_or_create(pk=1, defaults={"name": "Chez Nous"})
        assert admin_client.post("/admin/config/venue/1/change/", form).status_code == 302
        assert Venue.objects.get().accent == stored
    page = read(admin_client.get("/admin/config/venue/1/change/"))
    assert (page.field("accent")["type"], page.field("accent")["value"]) == ("color", "#7a2848")


@pytest.mark.django_db
def test_a_wrong_colour_comes_back_as_it_was_typed(admin_client):
    Venue.objects.create(name="Chez Nous", accent="#7a2848")
    form = {"name": "Chez Nous", "accent": "#12345"}
    page = read(admin_client.post("/admin/config/venue/1/change/", form))
    assert page.field("accent")["value"] == "#12345"
    assert "Six hexadecimal digits" in page
