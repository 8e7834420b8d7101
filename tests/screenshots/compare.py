"""Which pictures differ from those that were accepted."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops

TRIFLE = 0.002  # of the pixels; the seconds of a kitchen display take less
NOTICED = 24  # of 255, in one of the colours
GAP = 16


def accept(folder: Path) -> int:
    """Take the pictures in this folder as those to compare with; how many there are."""
    pictures = list(folder.glob("*.png"))
    (folder / "accepted").mkdir(exist_ok=True)
    for path in pictures:
        shutil.copy(path, folder / "accepted")
    return len(pictures)


def compare(folder: Path) -> Iterator[str]:
    """The pictures that differ by more than a trifle. Each is in `different`: before, after, and where they differ."""
    shutil.rmtree(folder / "different", ignore_errors=True)
    (folder / "different").mkdir()
    for path in sorted(folder.glob("*.png")):
        if not (accepted := folder / "accepted" / path.name).exists():
            yield f"   new  {path.stem}"
            continue
        before, after = (Image.open(file).convert("RGB") for file in (accepted, path))
        size = max(before.width, after.width), max(before.height, after.height)
        before, after = (on_paper(picture, size) for picture in (before, after))
        changed = differing(before, after)
        share = changed.histogram()[255] / (size[0] * size[1])
        if share > TRIFLE:
            beside(before, after, changed).save(folder / "different" / path.name)
            yield f"{share:6.1%}  {path.stem}"


def on_paper(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """As large as the other, whose page may have become longer."""
    paper = Image.new("RGB", size, "magenta")
    paper.paste(picture)
    return paper


def differing(before: Image.Image, after: Image.Image) -> Image.Image:
    """White where they differ."""
    red, green, blue = ImageChops.difference(before, after).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: 255 * (value > NOTICED))


def beside(before: Image.Image, after: Image.Image, changed: Image.Image) -> Image.Image:
    marked = Image.composite(Image.new("RGB", after.size, "red"), after.convert("L").convert("RGB"), changed)
    whole = Image.new("RGB", (3 * after.width + 2 * GAP, after.height), "white")
    for number, picture in enumerate((before, after, marked)):
        whole.paste(picture, (number * (after.width + GAP), 0))
    return whole
