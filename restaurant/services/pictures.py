"""Pictures of the menu: uploaded, checked, cropped, and kept as a few small WebP images."""

import hashlib
import io
import struct
import threading
import zlib
from dataclasses import dataclass, field
from typing import IO

from django.utils.translation import gettext as _
from PIL import ExifTags, Image, ImageCms

from restaurant.models import MenuItem, Picture, PictureVersion
from restaurant.services import menu

MAX_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 40_000_000
WIDTHS = (176, 360, 720, 960)
ASPECT = 4 / 3
QUALITY = 80
CONTENT_TYPE = "image/webp"

_READ = ("JPEG", "PNG", "WEBP", "AVIF")
# What Pillow calls a JPEG with a second picture behind the first, as many phones make them.
_FORMATS = {*_READ, "MPO"}
# What Pillow's decoders raise for files that are broken or made to harm.
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
    """The message is for the person who chose the file."""


@dataclass(frozen=True, slots=True)
class Crop:
    """Which part is kept, always 4:3. By default the largest part, from the middle."""

    x: int = 50  # percent of what is left over: 0 is the left edge, 100 the right one
    y: int = 50
    zoom: int = 100  # percent: 200 keeps half of the largest part's width

    def box(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Left, upper, right and lower edge, in pixels of an upright picture of this size."""
        largest = min(float(width), height * ASPECT)
        across = max(largest * 100 / max(self.zoom, 100), min(largest, WIDTHS[0]))
        down = across / ASPECT
        left, upper = (width - across) * self.x / 100, (height - down) * self.y / 100
        return left, upper, left + across, upper + down


CENTRE = Crop()


@dataclass(frozen=True, slots=True)
class Version:
    width: int
    height: int
    data: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


# --- reading --------------------------------------------------------------------------------------


def versions(file: IO[bytes], crop: Crop = CENTRE) -> list[Version]:
    """The file's picture, cropped, in each width that it is large enough for. Raises UnusablePicture.

    Its size is known from its headers, before anything is decoded. Nothing of the file but its colours is kept.
    """
    with _decoding:
        picture = _upright(file, crop)
    box = crop.box(*picture.size)
    across = round(box[2] - box[0])
    made = []
    for width in [each for each in WIDTHS if each <= across]:
        size = (width, round(width / ASPECT))
        small = picture.resize(size, Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)
        file_of_it = io.BytesIO()
        small.save(file_of_it, "WEBP", quality=QUALITY, method=4)
        made.append(Version(*size, file_of_it.getvalue()))
    return made


def _upright(file: IO[bytes], crop: Crop) -> Image.Image:
    """The whole picture in RGB, not much larger than its crop needs. Raises UnusablePicture."""
    _check_size(file)
    try:
        with Image.open(file, formats=_READ) as opened:
            _check_dimensions(opened, crop)
            profile = opened.info.get("icc_profile")
            turn = _turn(opened)
            factor = max(1, int(_crop_width(opened, crop) // (2 * WIDTHS[-1])))
            opened.draft(None, (opened.width // factor, opened.height // factor))  # a JPEG is decoded smaller
            opened.load()
            picture = _smaller(opened, crop)
    except UnusablePicture:
        raise
    except _BROKEN as error:
        raise UnusablePicture(_("This picture can't be read: the file is damaged or cut short.")) from error
    upright = picture if turn is None else picture.transpose(turn)
    return _on_white(_in_srgb(upright, profile))


def _check_size(file: IO[bytes]) -> None:
    file.seek(0)
    head = file.read(512)
    file.seek(0, io.SEEK_END)
    size = file.tell()
    file.seek(0)
    if size > MAX_BYTES:
        raise UnusablePicture(_("This picture is too large: at most 10 MB."))
    if head[:4] == b"GIF8":
        raise UnusablePicture(_("GIF pictures are not taken. Please choose a JPEG, PNG, WebP or AVIF picture."))
    if b"<svg" in head.lower() or head.lstrip()[:5].lower() == b"<?xml":
        raise UnusablePicture(_("SVG drawings are not taken. Please choose a JPEG, PNG, WebP or AVIF picture."))
    try:
        with Image.open(file, formats=_READ) as opened:
            is_picture = opened.format in _FORMATS
    except Image.DecompressionBombError:
        raise _too_many_pixels() from None
    except _BROKEN:
        is_picture = False
    file.seek(0)
    if not is_picture:
        raise UnusablePicture(_("This is not a picture that can be used. Please choose a JPEG, PNG, WebP or AVIF one."))


def _too_many_pixels() -> UnusablePicture:
    return UnusablePicture(_("This picture has too many pixels: at most 40 megapixels, such as 8000 by 5000."))


def _check_dimensions(opened: Image.Image, crop: Crop) -> None:
    if opened.width * opened.height > MAX_PIXELS:
        raise _too_many_pixels()
    if _crop_width(opened, crop) < WIDTHS[0]:
        sentence = _("This picture is too small: at least %(width)d by %(height)d pixels.")
        raise UnusablePicture(sentence % {"width": WIDTHS[0], "height": round(WIDTHS[0] / ASPECT)})


def _crop_width(opened: Image.Image, crop: Crop) -> float:
    """In pixels of the file: the smaller one, where it is not known yet how the picture is turned."""
    boxes = [crop.box(*size) for size in (opened.size, opened.size[::-1])]
    return min(box[2] - box[0] for box in boxes)


def _smaller(opened: Image.Image, crop: Crop) -> Image.Image:
    """Reduced by a whole factor to what the crop needs, in a mode that can be scaled."""
    picture: Image.Image = opened
    if picture.mode.startswith(("I", "F")):
        picture = _eight_bits(picture)
    elif picture.mode in {"P", "1", "LA", "PA", "La", "RGBa", "RGBX"}:
        has_alpha = "transparency" in picture.info or picture.mode in {"LA", "PA", "La", "RGBa"}
        picture = picture.convert("RGBA" if has_alpha else "RGB")
    elif picture.mode in {"L", "RGB"} and "transparency" in picture.info:
        picture = picture.convert("RGBA")  # one colour is transparent
    factor = int(_crop_width(picture, crop) // (2 * WIDTHS[-1]))
    return picture.reduce(factor) if factor > 1 else picture.copy()


def _turn(opened: Image.Image) -> Image.Transpose | None:
    """How the picture has to be turned, if its EXIF data can be read."""
    try:
        return _TURNS.get(opened.getexif().get(ExifTags.Base.Orientation, 1))
    except _BROKEN:
        return None


def _eight_bits(picture: Image.Image) -> Image.Image:
    """A grey picture of 16 or 32 bits."""
    _low, high = picture.getextrema()
    scale = 1 / 257 if float(str(high)) > 255 else 1.0
    return picture.convert("I").point(lambda value: value * scale).convert("L")


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """In the colours that browsers assume, where the file says which it has."""
    alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
    colours = picture.convert("RGB") if alpha else picture
    target = colours
    if profile and colours.mode in {"RGB", "CMYK", "L"}:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(colours, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            target = converted or colours
        except (ImageCms.PyCMSError, *_BROKEN):
            target = colours
    target = target.convert("RGB")
    if alpha:
        target.putalpha(alpha)
    return target


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBA":
        return picture
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")


# --- writing --------------------------------------------------------------------------------------


def attach(item: MenuItem, made: list[Version], description: str = "") -> Picture:
    """Make this the item's picture. The one that it had is deleted."""
    with menu.changing():
        old = Picture.objects.filter(item=item).first()
        widest = made[-1]
        picture = Picture.objects.create(
            description=description,
            width=widest.width,
            height=widest.height,
            widths=[{"width": each.width, "digest": each.digest} for each in made],
        )
        PictureVersion.objects.bulk_create(
            PictureVersion(
                picture=picture,
                width=each.width,
                height=each.height,
                digest=each.digest,
                content_type=CONTENT_TYPE,
                data=each.data,
            )
            for each in made
        )
        item.picture = picture
        MenuItem.objects.filter(pk=item.pk).update(picture=picture)
        if old is not None:
            old.delete()
    return picture


def remove(item: MenuItem) -> None:
    with menu.changing():
        for picture in Picture.objects.filter(item=item):
            picture.delete()
        item.picture = None


def describe(item: MenuItem, description: str) -> None:
    with menu.changing():
        Picture.objects.filter(item=item).update(description=description)
