"""A member's card as a web app: its manifest, and icons of the venue's looks."""

import io

import pytest
from PIL import Image
from rest_framework.test import APIClient

from config.models import Venue
from config.services import branding
from loyalty.points.services import enrolment
from tests.conftest import PAGE, unknown_id
from web import venue

pytestmark = pytest.mark.django_db

GREEN = "#0a5c35"


@pytest.fixture
def client() -> APIClient:
    return APIClient()


@pytest.fixture
def manifest(client):
    def read() -> dict:
        venue.clear_cache()
        response = client.get(f"/member/{unknown_id()}/card.webmanifest")
        assert (response.status_code, response["Content-Type"]) == (200, "application/manifest+json")
        return response.json()

    return read


def set_logo(size: tuple[int, int], colour: tuple[int, ...]) -> None:
    file = io.BytesIO()
    Image.new("RGBA", size, colour).save(file, "PNG")
    branding.set_logo(Venue.objects.get(), branding.logo(file))


def icon(client: APIClient, address: str) -> Image.Image:
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    return Image.open(io.BytesIO(response.content)).convert("RGBA")


def middle(picture: Image.Image) -> tuple[int, ...]:
    return picture.getpixel((picture.width // 2, picture.height // 2))


def test_the_card_names_a_manifest_that_opens_it(client):
    member = enrolment.enrol(email="ada@example.com", name="Ada")
    response = client.get(f"/member/{member.pk}", headers={"accept": PAGE})
    assert f'<link rel="manifest" href="/member/{member.pk}/card.webmanifest">' in response.content.decode()
    assert '<link rel="apple-touch-icon" href="/venue/icons/maskable-180.png">' in response.content.decode()
    assert "manifest-src 'self'" in response["Content-Security-Policy"]
    made = client.get(f"/member/{member.pk}/card.webmanifest").json()
    assert made["id"] == made["start_url"] == f"/member/{member.pk}"
    assert made["scope"] == "/"
    assert made["display"] == "standalone"
    assert "Ada" not in str(made)


def test_the_manifest_looks_like_the_venue(manifest):
    Venue.objects.create(name="Harbour & Sons", accent=GREEN)
    made = manifest()
    assert (made["name"], made["short_name"]) == ("Harbour & Sons card", "Harbour & Sons")
    assert made["theme_color"] == venue.current().theme
    assert [(entry["sizes"], entry["purpose"]) for entry in made["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("192x192", "maskable"),
        ("512x512", "maskable"),
    ]


def test_icons_without_a_logo_show_the_house_s_sign_in_the_venue_s_colour(client, manifest):
    Venue.objects.create(accent=GREEN)
    for entry in manifest()["icons"]:
        picture = icon(client, entry["src"])
        assert f"{picture.width}x{picture.height}" == entry["sizes"]
        assert picture.getpixel((0, 0))[3] == (0 if entry["purpose"] == "any" else 255)  # round corners, or none
        red, green, blue, _opaque = picture.getpixel((picture.width // 2, 3))
        assert green > max(red, blue)


def test_icons_show_the_logo_and_get_a_new_address_with_it(client, manifest):
    Venue.objects.create(accent=GREEN)
    before = [entry["src"] for entry in manifest()["icons"]]
    set_logo((300, 100), (200, 30, 30, 255))
    after = [entry["src"] for entry in manifest()["icons"]]
    assert not set(before) & set(after)
    for address in after:
        red, green, blue, _opaque = middle(icon(client, address))
        assert red > 150 > max(green, blue)
        assert "immutable" in client.get(address)["Cache-Control"]
    assert client.get(after[0].partition("?")[0])["Cache-Control"] == "public, max-age=300"


@pytest.mark.parametrize(
    "address", ["/member/x/card.webmanifest", "/venue/icons/icon-64.png", "/venue/icons/x-192.png"]
)
def test_other_addresses_are_unknown(client, address):
    assert client.get(address).status_code == 404
