"""Pages made of parts, most of them compressed long before they are sent.

A gzip file is a run of deflate blocks with a check sum behind them. A part that refers to nothing before it and ends
on a byte can stand anywhere in that run, and the check sum of the whole is combined from those of the parts. So an
answer of 110 KB takes 0.02 ms, not the 1.5 ms that it takes to compress it.
"""

import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from isal import isal_zlib
from rest_framework.request import Request

_HEADER = struct.pack("<HBBIBB", 0x8B1F, 8, 0, 0, 0, 255)
_LAST_BLOCK = b"\x03\x00"


@dataclass(frozen=True, slots=True)
class Part:
    plain: bytes
    deflated: bytes
    check_sum: int


def kept(plain: bytes) -> Part:
    """A part that is sent often, and worth the time to compress it well."""
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return Part(plain, deflate.compress(plain) + deflate.flush(zlib.Z_FULL_FLUSH), isal_zlib.crc32(plain))


def fresh(plain: bytes) -> Part:
    """A part for one answer. A short one is sent as it is, so that its length tells nothing about a secret in it."""
    if len(plain) < 256:
        deflated = struct.pack("<BHH", 0, len(plain), len(plain) ^ 0xFFFF) + plain
    else:
        deflate = isal_zlib.compressobj(1, wbits=-isal_zlib.MAX_WBITS)
        deflated = deflate.compress(plain) + deflate.flush(isal_zlib.Z_FULL_FLUSH)
    return Part(plain, deflated, isal_zlib.crc32(plain))


def gzipped(parts: Sequence[Part]) -> bytes:
    check_sum, size = 0, 0
    for part in parts:
        check_sum = isal_zlib.crc32_combine(check_sum, part.check_sum, len(part.plain))
        size += len(part.plain)
    end = struct.pack("<II", check_sum, size & 0xFFFFFFFF)
    return b"".join([_HEADER, *(part.deflated for part in parts), _LAST_BLOCK, end])


def takes_gzip(request: Request) -> bool:
    return bool(re.search(r"\bgzip\b", request.headers.get("Accept-Encoding", "")))
