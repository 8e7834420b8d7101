"""Pictures of the menu: uploaded, checked, cropped, and kept as a few small WebP images."""

import io
from dataclasses import asdict, dataclass
from typing import IO

from PIL import Image

from restaurant.menu.models import MenuItem, Picture, PictureVersion
from restaurant.menu.services import menu
from web.pictures import Size, Version, on_white, read, too_small

WIDTHS = (176, 360, 720, 960)
ASPECT = 4 / 3
QUALITY = 80


@dataclass(frozen=True, slots=True)
class Crop:
    """The part of a picture that is kept, always 4:3. By default the largest part, from the middle."""

    x: int = 50  # percent of what is left over: 0 is the left edge, 100 the right one
    y: int = 50
    zoom: int = 100  # percent: 200 keeps half of the largest part's width

    def box(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Return the left, upper, right and lower edge, in pixels of an upright picture of this size."""
        largest = min(float(width), height * ASPECT)
        across = max(largest * 100 / max(self.zoom, 100), min(largest, WIDTHS[0]))
        down = across / ASPECT
        left, upper = (width - across) * self.x / 100, (height - down) * self.y / 100
        return left, upper, left + across, upper + down


CENTRE = Crop()


def versions(file: IO[bytes], crop: Crop = CENTRE) -> list[Version]:
    """Return the file's picture, cropped, in each width that it is large enough for. Raises UnusablePicture."""

    def check(size: Size) -> None:
        if _crop_width(size, crop) < WIDTHS[0]:
            raise too_small(WIDTHS[0], round(WIDTHS[0] / ASPECT))

    def factor(size: Size) -> int:
        """Return the factor of a reduction that loses nothing of what the widest version needs."""
        return max(1, int(_crop_width(size, crop) // (2 * WIDTHS[-1])))

    picture = on_white(read(file, check=check, factor=factor))
    box = crop.box(*picture.size)
    across = round(box[2] - box[0])
    resized = []
    for width in [width for width in WIDTHS if width <= across]:
        size = (width, round(width / ASPECT))
        webp = io.BytesIO()
        small = picture.resize(size, Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)
        small.save(webp, "WEBP", quality=QUALITY, method=4)
        resized.append(Version(*size, webp.getvalue()))
    return resized


def _crop_width(size: Size, crop: Crop) -> float:
    """Return the crop's width in pixels of the file: the smaller of both ways in which the picture may be turned."""
    boxes = [crop.box(*turned) for turned in (size, size[::-1])]
    return min(box[2] - box[0] for box in boxes)


# --- writing --------------------------------------------------------------------------------------


def attach(item: MenuItem, versions: list[Version], description: str = "") -> Picture:
    """Make this the item's picture, and delete the one that it had."""
    widths = [{"width": version.width, "digest": version.digest} for version in versions]
    widest = versions[-1]
    with menu.changing():
        Picture.objects.filter(item=item).delete()
        picture = Picture.objects.create(
            description=description, width=widest.width, height=widest.height, widths=widths
        )
        PictureVersion.objects.bulk_create(
            PictureVersion(picture=picture, digest=version.digest, **asdict(version)) for version in versions
        )
        item.picture = picture
        MenuItem.objects.filter(pk=item.pk).update(picture=picture)
    return picture


def remove(item: MenuItem) -> None:
    with menu.changing():
        Picture.objects.filter(item=item).delete()
        item.picture = None


def describe(item: MenuItem, description: str) -> None:
    with menu.changing():
        Picture.objects.filter(item=item).update(description=description)
