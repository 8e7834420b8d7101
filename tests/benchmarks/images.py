r"""The time for a PNG of a code, from text to bytes, compared with other libraries on PyPI.

    .venv/bin/python -m tests.benchmarks.images

Libraries that are not installed are listed and left out. To compare with all of them, use another environment:

    python3 -m venv /tmp/ways
    /tmp/ways/bin/pip install zxing-cpp isal numpy opencv-python-headless pillow qrcode segno qrcodegen rubar fpng-py \
        zint-bindings molcrafts-molqrc
    /tmp/ways/bin/python -m tests.benchmarks.images

Every way makes an image of exactly the requested edge, with whole-pixel modules and a quiet zone of four of them, and
is read back first. Where a library only draws multiples of the symbol, the fastest way to add the rest is included.
All use level M; ours uses the highest level that fits the same symbol. Every image is of another code, because a
repeated one is faster by branch prediction. The ways take turns within each round, so that a busy machine slows all
alike.
"""

import importlib.util
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

Way = Callable[[str, int], bytes]
WAYS: dict[str, tuple[Way, dict[str, str]]] = {}  # by name: the way, and its modules with their packages


def way(name: str, **needs: str) -> Callable[[Way], Way]:
    def add(function: Way) -> Way:
        WAYS[name] = (function, needs)
        return function

    return add


# --- encoders: the modules, 255 for light -----------------------------------------------------------


def by_zxing(text: str) -> np.ndarray:
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    return np.asarray(memoryview(zxingcpp.write_barcode_to_image(barcode, scale=1, add_quiet_zones=False)))


def by_zint(text: str) -> np.ndarray:
    import zint

    symbol = zint.Symbol()
    symbol.symbology = zint.Symbology.QRCODE
    symbol.option_1 = 2  # level M
    symbol.encode(text)
    bits = np.unpackbits(np.asarray(symbol.encoded_data)[: symbol.rows], axis=1, bitorder="little")
    return (1 - bits[:, : symbol.width]) * np.uint8(255)


def by_molqrc(text: str) -> np.ndarray:
    import molqrc

    code = molqrc.QRCode(text)
    return (1 - np.frombuffer(code.matrix, np.uint8).reshape(code.side, code.side)) * np.uint8(255)


# --- from modules to a PNG of an exact edge ---------------------------------------------------------


def fit(count: int, edge: int) -> tuple[int, int]:
    """Pixels per module, and of the margin."""
    scale = edge // (count + 8)
    return scale, (edge - count * scale) // 2


def with_isal(modules: np.ndarray, edge: int) -> bytes:
    """One bit per pixel by numpy, and ISA-L's deflate: the fastest combination found."""
    count = len(modules)
    scale, margin = fit(count, edge)
    rows = np.full((count, edge), 255, np.uint8)
    rows[:, margin : margin + count * scale] = modules.repeat(scale, axis=1)
    lines = np.full((edge, (edge + 7) // 8 + 1), 255, np.uint8)
    lines[:, 0] = 0
    lines[margin : margin + count * scale, 1:] = np.packbits(rows, axis=1).repeat(scale, axis=0)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)),
             (b"IDAT", isal_zlib.compress(lines, 1)), (b"IEND", b"")]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def pixels(modules: np.ndarray, edge: int) -> np.ndarray:
    scale, margin = fit(len(modules), edge)
    image = np.full((edge, edge), 255, np.uint8)
    size = scale * len(modules)
    image[margin : margin + size, margin : margin + size] = cv2.resize(
        modules, (size, size), interpolation=cv2.INTER_NEAREST
    )
    return image


def with_pillow(drawn: object, edge: int) -> bytes:
    """A symbol without quiet zone, drawn at its final size by Pillow, centred in an image of `edge` pixels."""
    from PIL import Image

    whole = Image.new("1", (edge, edge), 1)
    margin = (edge - drawn.size[0]) // 2
    whole.paste(drawn, (margin, margin))
    file = io.BytesIO()
    whole.save(file, "PNG", compress_level=1)
    return file.getvalue()


# --- the ways ---------------------------------------------------------------------------------------

OURS = "ours"


@way(OURS)
def ours(text: str, edge: int) -> bytes:
    return images.png(text, edge)


@way("zxing-cpp + numpy + isal")
def zxing_isal(text: str, edge: int) -> bytes:
    return with_isal(by_zxing(text), edge)


@way("zint-bindings + numpy + isal", zint="zint-bindings")
def zint_isal(text: str, edge: int) -> bytes:
    return with_isal(by_zint(text), edge)


@way("molcrafts-molqrc + numpy + isal", molqrc="molcrafts-molqrc")
def molqrc_isal(text: str, edge: int) -> bytes:
    return with_isal(by_molqrc(text), edge)


@way("zxing-cpp + OpenCV's PNG, 1 bit")
def zxing_opencv(text: str, edge: int) -> bytes:
    options = [cv2.IMWRITE_PNG_BILEVEL, 1, cv2.IMWRITE_PNG_COMPRESSION, 1]
    return cv2.imencode(".png", pixels(by_zxing(text), edge), options)[1].tobytes()


@way("zxing-cpp + Pillow, 1 bit", PIL="pillow")
def zxing_pillow(text: str, edge: int) -> bytes:
    from PIL import Image

    modules = by_zxing(text)
    size = fit(len(modules), edge)[0] * len(modules)
    return with_pillow(Image.fromarray(modules).convert("1").resize((size, size)), edge)


@way("zxing-cpp + fpng", fpng_py="fpng-py")
def zxing_fpng(text: str, edge: int) -> bytes:
    import fpng_py

    colours = np.repeat(pixels(by_zxing(text), edge)[..., None], 3, axis=2)
    return bytes(fpng_py.fpng_encode_image_to_memory(colours.tobytes(), edge, edge, 3))


@way("rubar", rubar="rubar")
def rubar_alone(text: str, edge: int) -> bytes:
    import rubar

    return rubar.QrCode(text).render_png(edge, edge, unit="px", quiet_zone_modules=4)


@way("segno + Pillow", segno="segno", PIL="pillow")
def segno_pillow(text: str, edge: int) -> bytes:
    import segno
    from PIL import Image

    code = segno.make_qr(text, error="m")
    file = io.BytesIO()
    code.save(file, "png", scale=fit(code.symbol_size(border=0)[0], edge)[0], border=0, compresslevel=1)
    return with_pillow(Image.open(file), edge)


@way("qrcode + Pillow", qrcode="qrcode", PIL="pillow")
def qrcode_pillow(text: str, edge: int) -> bytes:
    import qrcode

    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make()
    code.box_size = fit(code.modules_count, edge)[0]
    return with_pillow(code.make_image().get_image(), edge)


@way("qrcodegen + numpy + isal", qrcodegen="qrcodegen")
def qrcodegen_isal(text: str, edge: int) -> bytes:
    from qrcodegen import QrCode

    code = QrCode.encode_text(text, QrCode.Ecc.MEDIUM)
    span = range(code.get_size())
    light = [[0 if code.get_module(x, y) else 255 for x in span] for y in span]
    return with_isal(np.array(light, np.uint8), edge)


# --- measuring --------------------------------------------------------------------------------------


def installed_ways() -> dict[str, Way]:
    """The ways whose packages are installed. Prints the missing ones."""
    missing = {
        package
        for _, needs in WAYS.values()
        for module, package in needs.items()
        if not importlib.util.find_spec(module)
    }
    if missing:
        print(f"Left out, because these are not installed: {' '.join(sorted(missing))}\n")
    return {name: function for name, (function, needs) in WAYS.items() if not missing & set(needs.values())}


def is_right(png: bytes, text: str, edge: int) -> bool:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    found = zxingcpp.read_barcode(image)
    return image.shape == (edge, edge) and found is not None and found.text == text


def slugs() -> Iterator[str]:
    chosen = random.Random(1)
    while True:
        yield "".join(chosen.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=8))


def times(ways: dict[str, Way], base: str, edge: int) -> dict[str, float]:
    """Median seconds per image, for the ways whose image is correct."""
    texts = (base + slug for slug in slugs())
    text = next(texts)
    ways = {name: function for name, function in ways.items() if is_right(function(text, edge), text, edge)}
    repeats = {}
    for name, function in ways.items():
        text = next(texts)
        begin = time.perf_counter()
        function(text, edge)
        repeats[name] = max(1, round(SLICE / (time.perf_counter() - begin)))
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, function in ways.items():
            batch = list(itertools.islice(texts, repeats[name]))
            begin = time.perf_counter()
            for text in batch:
                function(text, edge)
            taken[name].append((time.perf_counter() - begin) / len(batch))
    return {name: statistics.median(each) for name, each in taken.items()}


def compare(ways: dict[str, Way], base: str, edge: int) -> float:
    """Print the time of each way; return ours divided by the fastest other."""
    medians = times(ways, base, edge)
    fastest = min(seconds for name, seconds in medians.items() if name != OURS)
    print(f"{base}... in {edge} pixels")
    for name, seconds in sorted(medians.items(), key=lambda each: each[1]):
        size = len(ways[name](base + "7K2M9PXA", edge))
        print(f"  {name:34} {seconds * 1000:9.3f} ms {size:9,} bytes {seconds / fastest:8.2f}")
    for name in ways.keys() - medians:
        print(f"  {name:34}   its image can't be read")
    ratio = medians[OURS] / fastest
    if base == BASES[0]:
        record(
            f"code image, {edge} px",
            medians[OURS] * 1000,
            "ms",
            reference=fastest * 1000,
            compared_with="fastest other",
        )
    print(f"  ours is {ratio:.2f} times the fastest other way\n")
    return ratio


def main() -> None:
    ways = installed_ways()
    ratios = {(base, edge): compare(ways, base, edge) for base in BASES for edge in EDGES}
    worst = max(ratio for (_, edge), ratio in ratios.items() if edge in LIMITED)
    print(f"At 512 and 2048 pixels ours takes at most {worst:.2f} times the fastest other way; the limit is {LIMIT}.")
    raise SystemExit(worst > LIMIT)


if __name__ == "__main__":
    main()
