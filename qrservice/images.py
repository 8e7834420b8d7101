"""Pictures of codes (decision 3.7). The library that makes them is imported here and nowhere else."""

import struct
import zlib
from typing import Any

import zxingcpp

QUIET_ZONE = 4  # modules on each side, as the standard asks
MIN_EDGE, MAX_EDGE, DEFAULT_EDGE = 64, 4096, 512  # pixels


def modules(text: str) -> list[bytes]:
    """The symbol without its quiet zone: a row of bytes per row of modules, 1 for dark. Error correction M."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    image: Any = zxingcpp.write_barcode_to_image(barcode, scale=1, add_quiet_zones=False)
    width = image.shape[1]
    flat = bytes(memoryview(image)).translate(bytes([1]) + bytes(255))
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(text: str, edge: int = DEFAULT_EDGE) -> bytes:
    """A 1-bit PNG of exactly `edge` pixels: modules of whole pixels, the rest is quiet zone.

    Raises ValueError when the symbol does not fit.
    """
    rows = modules(text)
    count = len(rows)
    scale = edge // (count + 2 * QUIET_ZONE)
    if scale < 1:
        raise ValueError(f"A code of {count} modules does not fit into {edge} pixels.")
    margin = (edge - scale * count) // 2
    white = (1 << edge) - 1
    padding = -edge % 8
    row_bytes = (edge + 7) // 8

    def line(value: int) -> bytes:
        return b"\0" + (value << padding).to_bytes(row_bytes, "big")

    block = (1 << scale) - 1
    lines = [line(white)] * margin
    for row in rows:
        value = white
        for x, dark in enumerate(row):
            if dark:
                value ^= block << (edge - margin - (x + 1) * scale)
        lines += [line(value)] * scale
    lines += [line(white)] * (edge - len(lines))
    header = struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(b"".join(lines), 6))
        + _chunk(b"IEND", b"")
    )


def terminal(text: str) -> str:
    """The symbol in half-block characters, dark on light, for a terminal of any colours."""
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
