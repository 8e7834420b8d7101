"""Checks, scales and stores the venue's logo and cover picture."""

import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import IO

from django.db import transaction
from django.utils.translation import gettext as _
from PIL import Image

from config.models import Venue, VenuePicture
from web.pictures import Size, UnusablePicture, Version, on_white, read, too_small

LOGO_BOX = (512, 176)  # pixels, enough for phones and paper
LOGO_SHORTEST = 64  # of its longer side
LOGO_LONGEST = 20  # times its shorter side
LOGO_BYTES = 20_000
# Mail programs know PNG, some of them nothing newer. It is shown at half of this.
MAIL_BOX = (320, 96)
MAIL_MARGIN = 16

COVER_ASPECT = 5 / 2
COVER_BYTES = {480: 30_000, 960: 60_000, 1600: 130_000}  # by width

# Backgrounds of transparent logos, as in static/css/base.css and admin/venue.css.
LIGHT_GROUND, DARK_GROUND = "#ffffff", "#26211c"
_LIGHT_FROM, _DARK_TO = 200, 70  # of 255; hard to see on the light and on the dark background
_DECODED = 2000  # pixels of a logo's longer side, most of which may be transparent margins


@dataclass(frozen=True, slots=True)
class LogoVersions:
    page: Version
    mail: Version
    ground: str  # "light" or "dark": the background that it needs; empty for an opaque logo


def logo(file: IO[bytes]) -> LogoVersions:
    """Return the logo without transparent margins, for pages and mails. Raises UnusablePicture."""
    picture = _trimmed(read(file, check=_check_logo, factor=lambda size: max(1, max(size) // _DECODED)))
    _check_logo(picture.size)
    ground = _ground(picture)
    mail_ground = DARK_GROUND if ground == "dark" else LIGHT_GROUND
    return LogoVersions(_page_logo(picture), _mail_logo(picture, mail_ground), ground)


def cover(file: IO[bytes], from_top: int = 50) -> list[Version]:
    """Return the picture in each width that it is large enough for, the narrowest first. Raises UnusablePicture.

    `from_top`: percent of the surplus height that is cut off above; what is too wide is cut on both sides.
    """
    narrowest, widest = min(COVER_BYTES), max(COVER_BYTES)

    def check(size: Size) -> None:
        if max(_cover_width(size), _cover_width(size[::-1])) < narrowest:  # it may have to be turned
            raise too_small(narrowest, round(narrowest / COVER_ASPECT))

    def factor(size: Size) -> int:
        return max(1, int(min(_cover_width(size), _cover_width(size[::-1])) // (2 * widest)))

    picture = on_white(read(file, check=check, factor=factor))
    across = _cover_width(picture.size)
    if across < narrowest:
        raise too_small(narrowest, round(narrowest / COVER_ASPECT))
    left, upper = (picture.width - across) / 2, (picture.height - across / COVER_ASPECT) * from_top / 100
    box = (left, upper, left + across, upper + across / COVER_ASPECT)
    versions = []
    for width, limit in COVER_BYTES.items():
        if width <= round(across):
            size = (width, round(width / COVER_ASPECT))
            versions.append(_webp(picture.resize(size, Image.Resampling.LANCZOS, box=box, reducing_gap=3.0), limit))
    return versions


def set_logo(venue: Venue, logo: LogoVersions | None) -> None:
    """Store the logo, or remove it with None."""
    with transaction.atomic():
        _lock(venue)
        VenuePicture.objects.filter(kind__in=[VenuePicture.Kind.LOGO, VenuePicture.Kind.MAIL_LOGO]).delete()
        if logo:
            _store(VenuePicture.Kind.LOGO, [logo.page])
            _store(VenuePicture.Kind.MAIL_LOGO, [logo.mail])
        venue.logo = _entry(logo.page) | {"ground": logo.ground} if logo else {}
        venue.save(update_fields=["logo"])


def set_cover(venue: Venue, versions: Sequence[Version]) -> None:
    """Store the versions of the cover, or remove it with none."""
    with transaction.atomic():
        _lock(venue)
        VenuePicture.objects.filter(kind=VenuePicture.Kind.COVER).delete()
        _store(VenuePicture.Kind.COVER, versions)
        venue.cover = [_entry(version) for version in versions]
        venue.save(update_fields=["cover"])


def _lock(venue: Venue) -> None:
    """Lock the row, so that of two changes at the same time the later one is stored whole."""
    Venue.objects.select_for_update().get(pk=venue.pk)


def _store(kind: str, versions: Sequence[Version]) -> None:
    VenuePicture.objects.bulk_create(
        VenuePicture(kind=kind, digest=version.digest, **asdict(version)) for version in versions
    )


def _entry(version: Version) -> dict[str, object]:
    return {"width": version.width, "height": version.height, "digest": version.digest}


# --- logos ----------------------------------------------------------------------------------------


def _check_logo(size: Size) -> None:
    shorter, longer = sorted(size)
    if longer < LOGO_SHORTEST:
        sentence = _("This logo is too small: its longer side must have at least %(pixels)d pixels.")
        raise UnusablePicture(sentence % {"pixels": LOGO_SHORTEST})
    if longer > shorter * LOGO_LONGEST:
        sentence = _("This logo is too long: one side may be at most %(times)d times the other.")
        raise UnusablePicture(sentence % {"times": LOGO_LONGEST})


def _trimmed(picture: Image.Image) -> Image.Image:
    """Cut transparent margins off, and convert to RGB where nothing is transparent."""
    if picture.mode != "RGBA":
        return picture
    alpha = picture.getchannel("A")
    box = alpha.point(lambda value: 255 if value > 8 else 0).getbbox()
    if box is None:
        raise UnusablePicture(_("There is nothing to see in this picture: all of it is transparent."))
    trimmed = picture.crop(box)
    low, _high = trimmed.getchannel("A").getextrema()
    return trimmed.convert("RGB") if low == 255 else trimmed


def _ground(picture: Image.Image) -> str:
    """Return "dark" for a logo that is hard to see on white, "light" for others, and "" for opaque ones."""
    if picture.mode != "RGBA":
        return ""
    counts = picture.convert("L").histogram(picture.getchannel("A").point(lambda value: 255 if value > 128 else 0))
    is_light = sum(counts[_LIGHT_FROM:]) > max(sum(counts[:_DARK_TO]), sum(counts) / 4)
    return "dark" if is_light else "light"


def _page_logo(picture: Image.Image) -> Version:
    fitting = _fitted(picture, LOGO_BOX)
    lossless = _version(fitting, "WEBP", lossless=True, method=4)
    return lossless if len(lossless.data) <= LOGO_BYTES else _webp(fitting, LOGO_BYTES)


def _mail_logo(picture: Image.Image, ground: str) -> Version:
    """Put the logo on an opaque background, because that of a mail program is unknown."""
    fitting = _fitted(picture, MAIL_BOX)
    if fitting.mode == "RGBA":
        sheet = Image.new("RGB", (fitting.width + 2 * MAIL_MARGIN, fitting.height + 2 * MAIL_MARGIN), ground)
        sheet.paste(fitting, (MAIL_MARGIN, MAIL_MARGIN), fitting)
        fitting = sheet
    version = _version(fitting, "PNG", optimize=True)
    for colours in (256, 64, 16):
        if len(version.data) <= LOGO_BYTES:
            break
        version = _version(fitting.quantize(colours), "PNG", optimize=True)
    return version


def _fitted(picture: Image.Image, box: Size) -> Image.Image:
    """Shrink the picture to the box; never enlarge it."""
    scale = min(1.0, box[0] / picture.width, box[1] / picture.height)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


# --- both -----------------------------------------------------------------------------------------


def _cover_width(size: Size) -> float:
    """Return the width of the part that is shown, in pixels."""
    return min(float(size[0]), size[1] * COVER_ASPECT)


def _webp(picture: Image.Image, limit: int) -> Version:
    """Compress to at most `limit` bytes, in lower quality, and at last blurred."""
    version = _version(picture, "WEBP", quality=82, method=4)
    for quality in (60, 35):
        if len(version.data) <= limit:
            return version
        version = _version(picture, "WEBP", quality=quality, method=4)
    blurred = picture
    while len(version.data) > limit and blurred.width > 8:
        blurred = blurred.resize((max(1, blurred.width // 2), max(1, blurred.height // 2)))
        version = _version(blurred.resize(picture.size), "WEBP", quality=35, method=4)
    return version


def _version(picture: Image.Image, kind: str, **options: int | bool) -> Version:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return Version(*picture.size, file.getvalue(), Image.MIME[kind])
