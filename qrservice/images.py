"""QR symbols as PNG, SVG, PDF and terminal text."""

import re
import struct
import zlib
from collections.abc import Iterator
from itertools import compress
from typing import Any
from xml.sax.saxutils import escape

import zxingcpp
from isal import isal_zlib

QUIET_ZONE = 4  # modules on each side, required by the standard
MIN_EDGE, MAX_EDGE, DEFAULT_EDGE = 64, 4096, 512  # pixels
PDF_EDGE = 60  # millimetres, quiet zone included
SVG_SCALE = 8  # pixels per module in the default size; a whole number for sharp edges

# Part of every ETag: increment it when any image changes its appearance.
EDITION = 2


class DoesNotFitError(ValueError):
    """The symbol and its quiet zone have more modules than the image has pixels."""


# --- the symbol -------------------------------------------------------------------------------------


def _encoded(text: str, **options: Any) -> Any:
    """Return the symbol without its quiet zone, as grey bytes in rows."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, **options)
    return zxingcpp.write_barcode_to_image(barcode, scale=1, add_quiet_zones=False)


def modules(text: str) -> list[bytes]:
    """Return the symbol without its quiet zone: a row of bytes per row of modules, 1 for dark.

    Error correction is at least M, and Q or H where the symbol is no larger for it. Raises ValueError when the text is
    too long for any.
    """
    # The size at level M. A fixed mask saves the library's choice of one, which is most of the work.
    width = _encoded(text, ec_level="M", data_mask=0).shape[0]
    # Given a version and no level, the library takes the highest level that fits.
    image = _encoded(text, version=(width - 17) // 4)
    flat = bytes(memoryview(image)).translate(bytes([1]) + bytes(255))
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _runs(text: str) -> tuple[int, list[tuple[int, int, int]]]:
    """Return the edge in modules, quiet zone included, and the dark runs of all rows: x, y and length."""
    rows = modules(text)
    runs = [
        (run.start() + QUIET_ZONE, y, run.end() - run.start())
        for y, row in enumerate(rows, start=QUIET_ZONE)
        for run in re.finditer(rb"\x01+", row)
    ]
    return len(rows) + 2 * QUIET_ZONE, runs


# --- PNG --------------------------------------------------------------------------------------------


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _scan_lines(rows: list[bytes], edge: int, scale: int) -> Iterator[bytes]:
    """Return PNG scan lines with one bit per pixel, 1 for white; one block of bytes per row of modules.

    A line equal to the one above is PNG's filter "Up" and zeros.
    """
    symbol = scale * len(rows)
    margin = (edge - symbol) // 2
    size = (edge + 7) // 8
    white = (1 << edge) - 1 << -edge % 8
    # For every column the bits that its module covers in a line; a row is white minus its dark modules.
    module = (1 << scale) - 1 << -edge % 8
    columns = [module << edge - margin - scale * (x + 1) for x in range(len(rows))]
    same = b"\2" + bytes(size)
    repeated = same * (scale - 1)
    blank = b"\0" + white.to_bytes(size, "big")

    yield blank + same * (margin - 1)
    for row in rows:
        yield b"\0" + (white - sum(compress(columns, row))).to_bytes(size, "big") + repeated
    yield blank + same * (edge - symbol - margin - 1)


def png(text: str, edge: int = DEFAULT_EDGE) -> bytes:
    """Return a 1-bit PNG of `edge` by `edge` pixels: modules of whole pixels, the rest is quiet zone.

    Raises DoesNotFitError, a ValueError, when not even modules of one pixel fit.
    """
    rows = modules(text)
    scale = edge // (len(rows) + 2 * QUIET_ZONE)
    if scale < 1:
        raise DoesNotFitError(f"This code needs an image of {len(rows) + 2 * QUIET_ZONE} pixels or more.")
    # zlib takes ten times as long as ISA-L. Compressed row by row, because allocating 2 MB for all lines of a large
    # image costs more than the rest together.
    deflate = isal_zlib.compressobj(1)
    lines = b"".join(map(deflate.compress, _scan_lines(rows, edge, scale))) + deflate.flush()
    header = struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", lines) + _chunk(b"IEND", b"")


# --- vector forms -----------------------------------------------------------------------------------


def svg(text: str) -> bytes:
    """Return the symbol on white, one unit per module, titled with its text."""
    edge, runs = _runs(text)
    size = edge * SVG_SCALE
    dark = "".join(f"M{x} {y}h{length}v1h-{length}z" for x, y, length in runs)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
        f'viewBox="0 0 {edge} {edge}" role="img" shape-rendering="crispEdges"><title>{escape(text)}</title>'
        f'<path fill="#fff" d="M0 0h{edge}v{edge}H0z"/><path d="{dark}"/></svg>'
    ).encode()


def pdf(text: str) -> bytes:
    """Return a square page with the symbol on white, titled with its text."""
    edge, runs = _runs(text)
    points = PDF_EDGE * 72 / 25.4
    scale = points / edge
    # In PDF, y grows upwards. All runs are one path, so that no seams show between rows.
    dark = "".join(f"{x} {edge - 1 - y} {length} 1 re\n" for x, y, length in runs)
    drawing = zlib.compress(f"{scale:.6f} 0 0 {scale:.6f} 0 0 cm\n1 g 0 0 {edge} {edge} re f\n0 g\n{dark}f".encode())
    title = f"\ufeff{text}".encode("utf-16-be").hex()
    return _pdf_file(
        b"<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.3f %.3f]/Resources<<>>/Contents 4 0 R>>" % (points, points),
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(drawing), drawing),
        b"<</Title<%s>>>" % title.encode(),
    )


def _pdf_file(*objects: bytes) -> bytes:
    """Return a PDF of these objects, numbered from 1: the first is the catalog, the last the document information."""
    body, starts = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, item in enumerate(objects, start=1):
        starts.append(b"%010d 00000 n \n" % len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    count = len(objects)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count + 1, b"".join(starts))
    trailer = b"trailer\n<</Size %d/Root 1 0 R/Info %d 0 R>>\n" % (count + 1, count)
    return b"%s%s%sstartxref\n%d\n%%%%EOF\n" % (body, table, trailer, len(body))


# --- for a terminal ---------------------------------------------------------------------------------


def terminal(text: str) -> str:
    """Return the symbol in half-block characters, black on white whatever the terminal's colours."""
    rows = modules(text)
    width = len(rows) + 2 * QUIET_ZONE
    empty = bytes(width)
    padded = [empty] * QUIET_ZONE + [bytes(QUIET_ZONE) + row + bytes(QUIET_ZONE) for row in rows] + [empty] * QUIET_ZONE
    if len(padded) % 2:
        padded.append(empty)
    glyphs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(glyphs[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(padded[::2], padded[1::2], strict=True)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)
