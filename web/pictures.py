"""Uploaded pictures: checked, turned upright and converted to sRGB."""

import hashlib
import io
import struct
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import ExifTags, Image, ImageCms

MAX_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 40_000_000
ACCEPTED = "image/jpeg,image/png,image/webp,image/avif"  # for a form's `accept`
TOO_LARGE = gettext_lazy("This picture is too large: at most 10 MB.")
UNKNOWN = gettext_lazy("This is not a picture that can be used. Please choose a JPEG, PNG, WebP or AVIF one.")

Size = tuple[int, int]

_READ = ("JPEG", "PNG", "WEBP", "AVIF")
# Raised by Pillow's decoders for broken or malicious files.
_BROKEN = (
    OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, ArithmeticError, MemoryError, RuntimeError,
    struct.error, zlib.error, Image.DecompressionBombError,
)  # fmt: skip
# By EXIF orientation.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# A picture of 40 megapixels takes 160 MB while it is decoded: one at a time in a process.
_decoding = threading.Lock()


class UnusablePicture(ValueError):
    """The file can't be used. The message is for the person who chose it."""


@dataclass(frozen=True, slots=True)
class Version:
    """A stored picture in one size."""

    width: int
    height: int
    data: bytes = field(repr=False)
    content_type: str = "image/webp"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def read(file: IO[bytes], *, check: Callable[[Size], None], factor: Callable[[Size], int]) -> Image.Image:
    """Return the file's picture, upright, in RGB or RGBA, without its metadata. Raises UnusablePicture.

    `check` gets the size that the file's headers say, before anything is decoded, and may raise UnusablePicture.
    `factor` returns by which whole number a picture of a size may be reduced. Both get the size before the picture is
    turned.
    """
    with _decoding, _opened(file) as opened:
        if opened.width * opened.height > MAX_PIXELS:
            raise _too_many_pixels()
        check(opened.size)
        try:
            profile = opened.info.get("icc_profile")
            turn = _turn(opened)
            by = factor(opened.size)
            opened.draft(None, (opened.width // by, opened.height // by))  # a JPEG is decoded smaller
            opened.load()
            picture = _smaller(opened, factor)
        except _BROKEN as error:
            raise UnusablePicture(_("This picture can't be read: the file is damaged or cut short.")) from error
        upright = picture if turn is None else picture.transpose(turn)
        return _in_srgb(upright, profile)


def on_white(picture: Image.Image) -> Image.Image:
    """Return the picture in RGB, white where it is transparent."""
    if picture.mode != "RGBA":
        return picture
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")


def too_small(width: int, height: int) -> UnusablePicture:
    sentence = _("This picture is too small: at least %(width)d by %(height)d pixels.")
    return UnusablePicture(sentence % {"width": width, "height": height})


def _opened(file: IO[bytes]) -> Image.Image:
    """Read the file's headers. Raises UnusablePicture for a file that is too large or of another type."""
    file.seek(0)
    head = file.read(512)
    if file.seek(0, io.SEEK_END) > MAX_BYTES:
        raise UnusablePicture(str(TOO_LARGE))
    file.seek(0)
    if head[:4] == b"GIF8":
        raise UnusablePicture(_("GIF pictures are not taken. Please choose a JPEG, PNG, WebP or AVIF picture."))
    if b"<svg" in head.lower() or head.lstrip()[:5].lower() == b"<?xml":
        raise UnusablePicture(_("SVG drawings are not taken. Please choose a JPEG, PNG, WebP or AVIF picture."))
    try:
        return Image.open(file, formats=_READ)
    except Image.DecompressionBombError:
        raise _too_many_pixels() from None
    except _BROKEN:
        raise UnusablePicture(str(UNKNOWN)) from None


def _too_many_pixels() -> UnusablePicture:
    return UnusablePicture(_("This picture has too many pixels: at most 40 megapixels, such as 8000 by 5000."))


def _smaller(opened: Image.Image, factor: Callable[[Size], int]) -> Image.Image:
    """Reduce by a whole factor, and convert to a mode that can be scaled."""
    picture: Image.Image = opened
    if picture.mode.startswith(("I", "F")):
        picture = _eight_bits(picture)
    elif picture.mode in {"P", "1", "LA", "PA", "La", "RGBa", "RGBX"}:
        has_alpha = "transparency" in picture.info or picture.mode in {"LA", "PA", "La", "RGBa"}
        picture = picture.convert("RGBA" if has_alpha else "RGB")
    elif picture.mode in {"L", "RGB"} and "transparency" in picture.info:
        picture = picture.convert("RGBA")  # one colour is transparent
    by = factor(picture.size)
    return picture.reduce(by) if by > 1 else picture.copy()


def _turn(opened: Image.Image) -> Image.Transpose | None:
    """Return how to turn the picture, if its EXIF data can be read."""
    try:
        return _TURNS.get(opened.getexif().get(ExifTags.Base.Orientation, 1))
    except _BROKEN:
        return None


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Convert a grey picture of 16 or 32 bits."""
    _low, high = picture.getextrema()
    scale = 1 / 257 if float(str(high)) > 255 else 1.0
    return picture.convert("I").point(lambda value: value * scale).convert("L")


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert to sRGB by the file's colour profile, if it has one."""
    alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
    colours = picture.convert("RGB") if alpha else picture
    if profile and colours.mode in {"RGB", "CMYK", "L"}:
        with suppress(ImageCms.PyCMSError, *_BROKEN):
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(colours, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            colours = converted or colours
    result = colours.convert("RGB")
    if alpha:
        result.putalpha(alpha)
    return result
