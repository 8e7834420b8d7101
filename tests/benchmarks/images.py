"""The time for a PNG of a code, from text to bytes, compared with other ways to make one of the same symbol.

    .venv/bin/python -m tests.benchmarks.images

Every way makes an image of exactly the requested edge, with whole-pixel modules and a quiet zone of four of them, and
is read back first. The others use level M; ours uses the highest level that fits the same symbol. Every image is of
another code, because a repeated one is faster by branch prediction. The ways take turns within each round, so that a
busy machine slows all alike.
"""

import io
import itertools
import random
import statistics
import struct
import time
import zlib
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import zxingcpp
from isal import isal_zlib
from PIL import Image

from qrservice import images
from tests.benchmarks.figures import record

# The smallest symbol, the next one, and small letters, which need another mode.
BASES = (
    "HTTPS://QR.EXAMPLE.COM/Q/",
    "HTTPS://ORDERS.A-RESTAURANT.EXAMPLE.COM/Q/",
    "https://orders.some-long-restaurant-name.example.com/venue/in/town/q/",
)
EDGES = (512, 2048, 4096)
LIMITED = (512, 2048)  # where ours may take at most LIMIT times the fastest
LIMIT = 2.0
ROUNDS = 15
SLICE = 0.02  # seconds for each way in each round


# --- the ways ---------------------------------------------------------------------------------------


def symbol(text: str) -> np.ndarray:
    """The modules, 255 for light."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    return np.asarray(memoryview(zxingcpp.write_barcode_to_image(barcode, scale=1, add_quiet_zones=False)))


def fit(count: int, edge: int) -> tuple[int, int]:
    """Pixels per module, and of the margin."""
    scale = edge // (count + 8)
    return scale, (edge - count * scale) // 2


def by_isal(text: str, edge: int) -> bytes:
    """One bit per pixel by numpy, and ISA-L's deflate: the fastest combination found."""
    modules = symbol(text)
    count = len(modules)
    scale, margin = fit(count, edge)
    rows = np.full((count, edge), 255, np.uint8)
    rows[:, margin : margin + count * scale] = modules.repeat(scale, axis=1)
    lines = np.full((edge, (edge + 7) // 8 + 1), 255, np.uint8)
    lines[:, 0] = 0
    lines[margin : margin + count * scale, 1:] = np.packbits(rows, axis=1).repeat(scale, axis=0)
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)),
              (b"IDAT", isal_zlib.compress(lines, 1)), (b"IEND", b"")]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def by_opencv(text: str, edge: int) -> bytes:
    modules = symbol(text)
    scale, margin = fit(len(modules), edge)
    size = scale * len(modules)
    image = np.full((edge, edge), 255, np.uint8)
    image[margin : margin + size, margin : margin + size] = cv2.resize(
        modules, (size, size), interpolation=cv2.INTER_NEAREST
    )
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_BILEVEL, 1, cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def by_pillow(text: str, edge: int) -> bytes:
    modules = symbol(text)
    scale, margin = fit(len(modules), edge)
    size = scale * len(modules)
    image = Image.new("1", (edge, edge), 1)
    image.paste(Image.fromarray(modules).convert("1").resize((size, size)), (margin, margin))
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


WAYS: dict[str, Callable[[str, int], bytes]] = {
    "ours": images.png,
    "numpy + isal": by_isal,
    "OpenCV's PNG, 1 bit": by_opencv,
    "Pillow, 1 bit": by_pillow,
}


# --- measuring --------------------------------------------------------------------------------------


def is_right(png: bytes, text: str, edge: int) -> bool:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    barcode = zxingcpp.read_barcode(image)
    return image.shape == (edge, edge) and barcode is not None and barcode.text == text


def slugs() -> Iterator[str]:
    rng = random.Random(1)
    while True:
        yield "".join(rng.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=8))


def times(base: str, edge: int) -> dict[str, float]:
    """Median seconds per image, by way."""
    texts = (base + slug for slug in slugs())
    text = next(texts)
    assert all(is_right(way(text, edge), text, edge) for way in WAYS.values())
    repeats = {}
    for name, way in WAYS.items():
        text = next(texts)
        began = time.perf_counter()
        way(text, edge)
        repeats[name] = max(1, round(SLICE / (time.perf_counter() - began)))
    seconds: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            batch = list(itertools.islice(texts, repeats[name]))
            began = time.perf_counter()
            for text in batch:
                way(text, edge)
            seconds[name].append((time.perf_counter() - began) / len(batch))
    return {name: statistics.median(rounds) for name, rounds in seconds.items()}


def compare(base: str, edge: int) -> float:
    """Print the time of each way; return ours divided by the fastest other."""
    medians = times(base, edge)
    ours = medians["ours"]
    fastest = min(seconds for name, seconds in medians.items() if name != "ours")
    print(f"{base}... in {edge} pixels")
    for name, seconds in sorted(medians.items(), key=lambda median: median[1]):
        size = len(WAYS[name](base + "7K2M9PXA", edge))
        print(f"  {name:20} {seconds * 1000:9.3f} ms {size:9,} bytes {seconds / fastest:8.2f}")
    if base == BASES[0]:
        record(f"code image, {edge} px", ours * 1000, "ms", reference=fastest * 1000, compared_with="fastest other")
    print(f"  ours is {ours / fastest:.2f} times the fastest other way\n")
    return ours / fastest


def main() -> None:
    ratios = {(base, edge): compare(base, edge) for base in BASES for edge in EDGES}
    worst = max(ratio for (_, edge), ratio in ratios.items() if edge in LIMITED)
    print(f"At 512 and 2048 pixels ours takes at most {worst:.2f} times the fastest other way; the limit is {LIMIT}.")
    raise SystemExit(worst > LIMIT)


if __name__ == "__main__":
    main()
