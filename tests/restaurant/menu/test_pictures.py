"""Pictures of the menu: what is taken, what is refused, and how they are served."""

import io
import random
import struct
import zlib
from contextlib import suppress

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from restaurant.menu.services import pictures
from restaurant.menu.services.pictures import Crop
from restaurant.models import MenuVersion, Picture, PictureVersion
from tests.conftest import make_item, own_queries
from web.pictures import UnusablePicture, Version

pytestmark = pytest.mark.slow

RED, BLUE = (200, 30, 30), (30, 30, 200)


def halves(width: int = 960, height: int = 720, mode: str = "RGB") -> Image.Image:
    """Red on the left, blue on the right."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    return picture.convert(mode)


def saved(picture: Image.Image, kind: str = "PNG", **options) -> io.BytesIO:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    file.seek(0)
    return file


def noisy(width: int, height: int) -> Image.Image:
    return Image.frombytes("RGB", (width, height), random.Random(1).randbytes(width * height * 3))


def shown(version: Version) -> Image.Image:
    picture = Image.open(io.BytesIO(version.data))
    assert (picture.format, picture.mode, picture.size) == ("WEBP", "RGB", (version.width, version.height))
    return picture


def near(picture: Image.Image, at: tuple[float, float], colour: tuple[int, ...]) -> bool:
    pixel = picture.getpixel((int(at[0] * (picture.width - 1)), int(at[1] * (picture.height - 1))))
    return all(abs(a - b) < 30 for a, b in zip(pixel, colour, strict=True))


# --- what is taken --------------------------------------------------------------------------------


def test_a_picture_is_kept_in_four_widths_that_are_four_to_three(subtests):
    for kind in ["JPEG", "PNG", "WEBP", "AVIF"]:
        with subtests.test(kind=kind):
            made = pictures.versions(saved(halves(2000, 1000), kind))
            assert [(each.width, each.height) for each in made] == [(176, 132), (360, 270), (720, 540), (960, 720)]
            for each in made:
                assert near(shown(each), (0.1, 0.5), RED)
                assert near(shown(each), (0.9, 0.5), BLUE)


def test_a_picture_is_never_enlarged():
    assert [each.width for each in pictures.versions(saved(halves(700, 700)))] == [176, 360]
    assert [each.width for each in pictures.versions(saved(halves(4000, 3000)), Crop(zoom=400))] == [176, 360, 720, 960]
    assert [each.width for each in pictures.versions(saved(halves(1000, 750)), Crop(zoom=400))] == [176]


def test_the_crop_is_where_it_was_chosen():
    wide = saved(halves(3000, 900))
    left, middle, right = (shown(pictures.versions(wide, Crop(x=x))[-1]) for x in (0, 50, 100))
    assert near(left, (0.99, 0.5), RED)
    assert near(middle, (0.01, 0.5), RED)
    assert near(middle, (0.99, 0.5), BLUE)
    assert near(right, (0.01, 0.5), BLUE)
    zoomed = shown(pictures.versions(saved(halves(1600, 1200)), Crop(x=0, zoom=200))[-1])
    assert near(zoomed, (0.97, 0.5), RED)


def test_a_phones_orientation_is_honoured_and_where_it_was_taken_is_gone(subtests):
    for kind in ["JPEG", "WEBP", "PNG", "AVIF"]:
        with subtests.test(kind=kind):
            exif = Image.Exif()
            exif[0x0112] = 6  # turned by a quarter
            exif.get_ifd(0x8825)[1] = "N"  # GPS
            exif[0x010F] = "SecretCamera"
            made = pictures.versions(saved(halves(1600, 1200), kind, exif=exif))
            assert near(shown(made[-1]), (0.5, 0.05), RED)
            assert near(shown(made[-1]), (0.5, 0.95), BLUE)
            for each in made:
                assert b"SecretCamera" not in each.data
                assert not dict(shown(each).getexif())
                assert not {"exif", "xmp", "icc_profile"} & set(shown(each).info)


def test_the_second_picture_in_a_phones_file_is_left_out():
    file = saved(halves(), "MPO", save_all=True, append_images=[Image.new("RGB", (800, 600), "green")])
    assert near(shown(pictures.versions(file)[-1]), (0.1, 0.5), RED)


def test_colours_for_printing_become_those_of_a_screen():
    assert near(shown(pictures.versions(saved(halves(mode="CMYK"), "JPEG"))[0]), (0.1, 0.5), RED)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert near(shown(pictures.versions(saved(halves(), icc_profile=profile))[0]), (0.1, 0.5), RED)
    assert near(shown(pictures.versions(saved(halves(), icc_profile=b"no profile"))[0]), (0.1, 0.5), RED)


def test_an_animation_shows_its_first_frame():
    frames = [halves(), Image.new("RGB", (960, 720), "green")]
    for kind in ("WEBP", "PNG"):
        file = saved(frames[0], kind, save_all=True, append_images=frames[1:])
        assert near(shown(pictures.versions(file)[-1]), (0.1, 0.5), RED)


def test_what_is_transparent_becomes_white():
    palette = halves().quantize(4)
    clear = palette.getpixel((0, 0))
    lucent = halves(mode="RGBA")
    lucent.paste((0, 0, 0, 0), (0, 0, 480, 720))
    grey = halves(mode="L")
    files = [saved(palette, transparency=clear), saved(lucent), saved(lucent, "WEBP", lossless=True),
             saved(halves(), transparency=RED), saved(grey, transparency=grey.getpixel((0, 0)))]  # fmt: skip
    for file in files:
        made = shown(pictures.versions(file)[-1])
        assert near(made, (0.1, 0.5), (255, 255, 255))
        assert not near(made, (0.9, 0.5), (255, 255, 255))


def test_sixteen_bits_become_eight():
    grey = Image.new("I;16", (400, 300), 32768)
    assert near(shown(pictures.versions(saved(grey))[0]), (0.5, 0.5), (128, 128, 128))
    row = b"\0" + struct.pack(">HHH", 51200, 7680, 7680) * 400
    assert near(shown(pictures.versions(png(400, 300, row * 300, depth=16))[0]), (0.5, 0.5), RED)


# --- what is refused ------------------------------------------------------------------------------


def png(width: int, height: int, pixels: bytes = b"", depth: int = 8, kind: int = 2) -> io.BytesIO:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


def cut(file: io.BytesIO) -> io.BytesIO:
    data = file.getvalue()
    return io.BytesIO(data[: len(data) * 2 // 3])


def test_it_is_refused_with_a_sentence(subtests):
    for file, words in [
        (lambda: png(50_000, 50_000), "at most 40 megapixels"),
        (lambda: png(8_001, 5_000), "at most 40 megapixels"),
        (lambda: png(40_000_000, 1), "too small"),
        (lambda: png(2_000_000_000, 2_000_000_000), "Please choose a JPEG|at most 40 megapixels"),
        (lambda: png(800, 600), "damaged or cut short"),
        (lambda: io.BytesIO(b"\xff" * (10 * 1024 * 1024 + 1)), "at most 10 MB"),
        (lambda: cut(saved(noisy(800, 600))), "damaged or cut short"),
        (lambda: cut(saved(noisy(800, 600), "JPEG")), "damaged or cut short"),
        (lambda: cut(saved(noisy(800, 600), "WEBP")), "damaged|Please choose"),
        (lambda: cut(saved(noisy(800, 600), "AVIF")), "damaged|Please choose"),
        (lambda: saved(halves(), "GIF"), "GIF pictures are not taken"),
        (lambda: io.BytesIO(b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), "SVG drawings"),
        (lambda: io.BytesIO(b"<svg onload='alert(1)'>"), "SVG drawings are not taken"),
        (lambda: saved(halves(), "TIFF"), "Please choose a JPEG"),
        (lambda: saved(halves(), "BMP"), "Please choose a JPEG"),
        (lambda: io.BytesIO(b"<html>sign in</html>"), "Please choose a JPEG"),
        (lambda: io.BytesIO(b"%!PS-Adobe-3.0 EPSF-3.0\n"), "Please choose a JPEG"),
        (lambda: io.BytesIO(b""), "Please choose a JPEG"),
        (lambda: saved(halves(175, 600)), "at least 176 by 132 pixels"),
    ]:
        with subtests.test(file=file, words=words):
            with pytest.raises(UnusablePicture) as refused:
                pictures.versions(file())
            assert any(each in str(refused.value) for each in words.split("|"))


def test_text_that_unpacks_to_very_much_is_refused_or_left_out():
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "x" * 60_000_000, zip=True)
    with pytest.raises(UnusablePicture):
        pictures.versions(saved(halves(), pnginfo=info))


def test_nonsense_in_a_picture_is_refused_or_shown_and_never_an_error():
    damage(6)


def damage(times: int) -> None:
    """Pictures of every kind, each with some wrong bytes. check_pictures.py has more of them."""
    for kind in ("JPEG", "PNG", "WEBP", "AVIF"):
        chance = random.Random(kind)
        whole = saved(noisy(200, 150), kind, **({"quality": 30} if kind == "AVIF" else {})).getvalue()
        for _ in range(times):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 20)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            with suppress(UnusablePicture):
                pictures.versions(io.BytesIO(bytes(data)))


def test_what_hides_behind_a_picture_is_gone():
    file = io.BytesIO(saved(halves(), "JPEG").getvalue() + b"PK\x03\x04<script>alert(1)</script>")
    assert all(b"<script>" not in each.data for each in pictures.versions(file))


# --- kept and served ------------------------------------------------------------------------------


@pytest.fixture
def picture(db) -> Picture:
    return pictures.attach(make_item(), pictures.versions(saved(halves())), "A soup")


def test_a_picture_is_served_for_good_under_its_hash(picture, client):
    newest = picture.widths[-1]
    address = f"/pictures/{newest['digest']}.webp"
    with own_queries() as queries:
        response = client.get(address, headers={"accept": "image/webp"})
    assert response["Content-Type"] == "image/webp"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")
    assert response.content == bytes(picture.versions.get(width=960).data)
    assert len([each for each in queries if "web_permits" not in each]) == 1
    again = client.get(address, headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" in again["Cache-Control"]
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405


def test_an_address_without_a_picture_is_404_that_is_soon_forgotten(db, client):
    response = client.get(f"/pictures/{'0' * 64}.webp")
    assert (response.status_code, response["Cache-Control"]) == (404, "public, max-age=60")
    assert client.get("/pictures/nothing.webp").status_code == 404


def test_a_new_picture_takes_the_place_of_the_old_one_and_the_menu_is_new(picture):
    item = picture.item
    before = MenuVersion.objects.get().number
    new = pictures.attach(item, pictures.versions(saved(noisy(400, 300))))
    assert MenuVersion.objects.get().number > before
    item.refresh_from_db()
    assert item.picture == new
    assert [each["width"] for each in new.widths] == [176, 360]
    assert list(Picture.objects.all()) == [new]
    assert set(PictureVersion.objects.values_list("digest", flat=True)) == {each["digest"] for each in new.widths}
    pictures.remove(item)
    item.refresh_from_db()
    assert item.picture is None
    assert not PictureVersion.objects.exists()
