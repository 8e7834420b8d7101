"""Pictures of the menu: uploaded, checked, cropped, and kept as a few small WebP images."""

import io
from dataclasses import dataclass
from typing import IO

from PIL import Image

from restaurant.menu.models import MenuItem, Picture, PictureVersion
from restaurant.menu.services import menu
from web.pictures import Size, UnusablePicture, Version, on_ground, read, too_small

__all__ = ["CENTRE", "Crop", "UnusablePicture", "Version", "attach", "describe", "remove", "versions"]

WIDTHS = (176, 360, 720, 960)
ASPECT = 4 / 3
QUALITY = 80


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


def versions(file: IO[bytes], crop: Crop = CENTRE) -> list[Version]:
    """The file's picture, cropped, in each width that it is large enough for. Raises UnusablePicture."""

    def check(size: Size) -> None:
        if _crop_width(size, crop) < WIDTHS[0]:
            raise too_small(WIDTHS[0], round(WIDTHS[0] / ASPECT))

    def factor(size: Size) -> int:
        """By which no more is lost than the crop can spare."""
        return max(1, int(_crop_width(size, crop) // (2 * WIDTHS[-1])))

    picture = on_ground(read(file, check=check, factor=factor), "white")
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


def _crop_width(size: Size, crop: Crop) -> float:
    """In pixels of the file: the smaller one, where it is not known yet how the picture is turned."""
    boxes = [crop.box(*each) for each in (size, size[::-1])]
    return min(box[2] - box[0] for box in boxes)


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
                content_type=each.content_type,
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
