"""The venue's logo and cover picture: what is made of an upload, and where it is shown."""

import gzip
import io
import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import Error, connection
from django.test import Client
from PIL import Image, ImageDraw

from config.models import Venue, VenuePicture
from config.services import branding
from loyalty.members.services import members
from tests.conftest import PAGE, make_user, own_queries
from tests.loyalty.making import make_member
from tests.reading import Part, read
from tests.restaurant.menu.test_pictures import noisy, saved
from web import venue
from web.pictures import UnusablePicture

INK, WHITE = (90, 20, 50, 255), (255, 255, 255, 255)


def mark(colour: tuple[int, ...], size: tuple[int, int] = (600, 300)) -> Image.Image:
    """Return a disc of this colour on nothing, with margins."""
    picture = Image.new("RGBA", size, (0, 0, 0, 0))
    width, height = size
    ImageDraw.Draw(picture).ellipse((width * 0.1, height * 0.1, width * 0.9, height * 0.9), fill=colour)
    return picture


def opened(version: branding.Version) -> Image.Image:
    picture = Image.open(io.BytesIO(version.data))
    assert picture.size == (version.width, version.height)
    return picture


# --- what is made of a file -----------------------------------------------------------------------


def test_a_transparent_logo_stays_so_and_loses_its_margins():
    made = branding.logo(saved(mark(INK)))
    page = opened(made.page)
    assert (page.format, page.mode) == ("WEBP", "RGBA")
    assert page.width / page.height == pytest.approx(2, rel=0.05)
    assert page.getpixel((0, 0))[3] == 0
    assert page.getpixel((page.width // 2, page.height // 2)) == INK
    assert made.ground == "light"
    mailed = opened(made.mail)
    assert (mailed.format, mailed.mode) in {("PNG", "RGB"), ("PNG", "P")}
    assert mailed.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_a_logo_that_white_would_swallow_stands_on_dark():
    pictures = {"dark": mark(WHITE), "light": mark(INK), "": mark(INK).convert("RGB")}
    made = {ground: branding.logo(saved(picture)) for ground, picture in pictures.items()}
    assert [logo.ground for logo in made.values()] == list(made)
    assert opened(made["dark"].mail).convert("RGB").getpixel((1, 1)) == (0x26, 0x21, 0x1C)


def test_logos_of_any_shape_fit_and_are_small_even_if_they_are_noise():
    for size in ((1000, 110), (110, 1000), (700, 700), (64, 20)):
        made = branding.logo(saved(noisy(*size)))
        assert made.page.width <= branding.LOGO_BOX[0], size
        assert made.page.height <= branding.LOGO_BOX[1], size
        assert max(len(made.page.data), len(made.mail.data)) <= branding.LOGO_BYTES, size


def test_what_is_no_logo_is_refused_with_a_sentence():
    for file, words in (
        (saved(mark(INK, (60, 40))), "at least 64 pixels"),
        (saved(mark(INK, (2000, 80))), "at most 20 times"),
        (saved(Image.new("RGBA", (300, 300), (0, 0, 0, 0))), "transparent"),
        (io.BytesIO(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "SVG"),
        (saved(noisy(100, 100), "GIF"), "GIF"),
        (io.BytesIO(saved(noisy(200, 200)).getvalue()[:9000]), "damaged"),
        (io.BytesIO(b"<html>"), "not a picture"),
    ):
        with pytest.raises(UnusablePicture, match=words):
            branding.logo(file)


@pytest.mark.slow
def test_a_cover_is_five_by_two_in_the_widths_that_it_is_large_enough_for_and_small():
    made = branding.cover(saved(noisy(170, 100).resize((1700, 1000))))
    assert [(version.width, version.height) for version in made] == [(480, 192), (960, 384), (1600, 640)]
    assert all(len(version.data) <= branding.COVER_BYTES[version.width] for version in made)
    assert [version.width for version in branding.cover(saved(noisy(100, 50).resize((1000, 500))))] == [480, 960]
    with pytest.raises(UnusablePicture, match="at least 480 by 192"):
        branding.cover(saved(noisy(479, 400)))


def test_the_owner_says_which_part_of_a_high_picture_is_seen():
    picture = Image.new("RGB", (600, 1200), (200, 30, 30))
    picture.paste((30, 30, 200), (0, 600, 600, 1200))
    for part, strongest in ((0, 0), (100, 2)):
        red, green, blue = opened(branding.cover(saved(picture), part)[0]).convert("RGB").getpixel((240, 96))
        assert max(red, green, blue) == (red, green, blue)[strongest]


# --- in the admin ---------------------------------------------------------------------------------


@pytest.fixture
def manager(db) -> Client:
    user = make_user("Managers")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    client = Client(headers={"accept": PAGE})
    client.force_login(user, backend="web.authentication.StaffBackend")
    return client


def save(client: Client, **values):
    path = "/admin/config/venue/1/change/" if Venue.objects.exists() else "/admin/config/venue/add/"
    return client.post(path, {"name": "Chez Nous", "address": "1 rue du Port\n13002 Marseille", **values})


def upload(picture: Image.Image, kind: str = "PNG") -> SimpleUploadedFile:
    return SimpleUploadedFile(f"picture.{kind}", saved(picture, kind).getvalue())


def logo_on(client: Client) -> Part | None:
    shown = [image for image in read(client.get("/")).all("image") if "/venue/pictures/" in image["src"]]
    return shown[0] if shown else None


def test_a_logo_is_uploaded_replaced_under_a_new_address_and_removed(manager):
    guest = Client(headers={"accept": PAGE})
    assert logo_on(guest) is None
    assert save(manager, logo_file=upload(mark(INK))).status_code == 302
    first = logo_on(guest)["src"]
    assert logo_on(guest)["alt"] == ""  # the name stands beside it
    assert "Chez Nous" in read(guest.get("/"))
    response = guest.get(first)
    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    assert "immutable" in response["Cache-Control"]
    page = read(manager.get("/admin/config/venue/1/change/"))
    assert first in [image.get("src") for image in page.all("image")]
    assert "Remove the logo" in page
    assert "Choose another" in page
    assert "Remove the cover picture" not in page  # there is none
    assert "Choose a cover picture" in page

    assert save(manager, logo_file=upload(mark((0, 90, 0, 255))), logo_has_name="on").status_code == 302
    second = logo_on(guest)["src"]
    assert second != first
    assert guest.get(first).status_code == 404
    assert logo_on(guest)["alt"] == "Chez Nous"
    assert "Chez Nous" not in read(guest.get("/"))

    assert save(manager).status_code == 302  # nothing chosen: it stays
    assert logo_on(guest)["src"] == second
    assert save(manager, logo_remove="on").status_code == 302
    assert logo_on(guest) is None
    assert "Chez Nous" in read(guest.get("/"))
    assert not VenuePicture.objects.exists()


def test_what_is_no_picture_is_refused_and_what_was_entered_stays(manager):
    svg = SimpleUploadedFile("logo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    html = SimpleUploadedFile("cover.png", b"<html><script>alert(1)</script>")
    response = save(manager, logo_file=svg, cover_file=html)
    page = read(response)
    assert "SVG drawings are not taken" in page
    assert "not a picture that can be used" in page
    assert page.field("name")["value"] == "Chez Nous"
    assert not Venue.objects.exists()


def test_the_cover_is_at_the_menu_s_head_with_its_size(manager, table, soup):
    guest = Client(headers={"accept": PAGE, "accept-encoding": "gzip"})

    def covers() -> list[Part]:
        page = read(gzip.decompress(guest.get("/table/7").content))
        return [image for image in page.all("image") if "/venue/pictures/" in (image.get("src") or "")]

    assert covers() == []
    assert save(manager, cover_file=upload(Image.new("RGB", (1000, 400), "teal"), "JPEG")).status_code == 302
    [cover] = covers()
    assert (cover["width"], cover["height"], cover["alt"]) == ("960", "384", "")
    versions = re.findall(r"(/venue/pictures/\w+\.webp) (\d+)w", cover["srcset"])
    assert len(versions) == 2
    for address, width in versions:
        assert Image.open(io.BytesIO(Client().get(address).content)).width == int(width)
    assert save(manager, cover_remove="on").status_code == 302
    assert covers() == []


# --- elsewhere ------------------------------------------------------------------------------------


@pytest.fixture
def dressed(db) -> Venue:
    made = Venue(name="Chez Nous", address="1 rue du Port\n13002 Marseille", vat_number="FR123", accent="#005f73")
    made.save()
    branding.set_logo(made, branding.logo(saved(mark(INK))))
    branding.set_cover(made, branding.cover(saved(noisy(500, 200))))
    return made


def test_pages_cost_no_more_queries(dressed, client):
    client.get("/", headers={"accept": PAGE})
    with own_queries() as queries:
        client.get("/", headers={"accept": PAGE})
    assert [query for query in queries if "config_venue" in query] == []
    venue.clear_cache()
    with own_queries() as queries:
        client.get("/", headers={"accept": PAGE})
    assert len([query for query in queries if "config_venue" in query]) == 1


def bar(response, media: str | None = None) -> str:
    """Return the colour of the browser's bar on such screens."""
    metas = read(response).element.xpath("//meta[@name='theme-color']")
    [colour] = [meta.get("content") for meta in metas if meta.get("media") == media]
    assert re.fullmatch(r"#\w{6}", colour)
    return colour


def test_the_browser_s_bar_has_the_accent_on_light_and_on_dark(dressed, client, floor):
    light = bar(client.get("/", headers={"accept": PAGE}))
    assert f"--accent-deep: light-dark({light}, " in client.get("/accent/005f73.css").content.decode()
    dark = bar(floor.get("/password", headers={"accept": PAGE}), "(prefers-color-scheme: dark)")
    assert dark in client.get("/accent/005f73.css").content.decode()


def test_a_mail_has_the_logo_the_colour_and_the_address(dressed, settings):
    member = make_member(email="ada@example.com")
    for _ in range(2):
        members._sign_in_mail(member).send()
    sent = mail.outbox[0]
    assert sent.body.startswith("Tap this link")
    assert sent.body.endswith("\n-- \nChez Nous\n1 rue du Port\n13002 Marseille\n")
    message = sent.message()
    assert message.get_content_type() == "multipart/related"
    texts, picture = message.get_payload()
    plain, html = texts.get_payload()
    assert texts.get_content_type() == "multipart/alternative"
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    shown = html.get_payload(decode=True).decode()
    link = re.search(r"http\S+/member-sign-in/\S+", sent.body)[0]
    assert link in [address for _name, address in read(shown).links()]
    assert read(shown).one("image")["src"] == f"cid:{picture['Content-ID'].strip('<>')}"
    assert "1 rue du Port<br>13002 Marseille" in shown
    assert venue.current().theme in shown
    assert Image.open(io.BytesIO(picture.get_payload(decode=True))).format == "PNG"
    assert picture.get_content_disposition() == "inline"


def test_a_mail_without_a_logo_and_one_while_the_database_is_away(dressed):
    branding.set_logo(dressed, None)
    member = make_member(email="ada@example.com")
    assert members._sign_in_mail(member).message().get_content_type() == "multipart/alternative"
    branding.set_logo(dressed, branding.logo(saved(mark(WHITE))))
    assert venue.current().logo

    def fail(*_arguments: object) -> None:
        raise Error("away")

    with connection.execute_wrapper(fail):
        assert venue.mail_logo() is None
    assert venue.mail_logo() is not None


def test_a_logo_s_words_are_no_markup(dressed):
    Venue.objects.update(name="<b>Chez & Nous</b>", address="<i>1</i>")
    venue.clear_cache()
    sent = members._sign_in_mail(make_member(email="ada@example.com"))
    assert "<b>Chez" not in sent.alternatives[0].content
    assert "&lt;i&gt;1" in sent.alternatives[0].content
