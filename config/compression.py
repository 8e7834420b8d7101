"""Pages and JSON travel compressed: as Django does it, by a quicker hand. 0.1 ms for a page of 150 KB, not 1.5."""

import re
import secrets
import struct

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from isal import isal_zlib

_LEVEL = 1  # of isal: comes out 10 % larger than Django's
_LEAST = 200  # bytes; less is not worth it
_HAS_NAME = 8
_UNKNOWN_SYSTEM = 255


def compress(content: bytes, *, max_random_bytes: int) -> bytes:
    """A gzip file. Its name has a random length, which hides how well the content could be compressed."""
    header = struct.pack("<HBBIBB", 0x8B1F, 8, _HAS_NAME, 0, 0, _UNKNOWN_SYSTEM)
    name = b"a" * secrets.randbelow(max_random_bytes) + b"\0"
    body = isal_zlib.compress(content, _LEVEL, wbits=-isal_zlib.MAX_WBITS)
    return b"".join([header, name, body, struct.pack("<II", isal_zlib.crc32(content), len(content) & 0xFFFFFFFF)])


class QuickGZipMiddleware(GZipMiddleware):
    """Answers that are made piece by piece are left to Django's."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse):
            return super().process_response(request, response)
        if len(response.content) < _LEAST or response.has_header("Content-Encoding"):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not re.search(r"\bgzip\b", request.headers.get("Accept-Encoding", "")):
            return response
        compressed = compress(response.content, max_random_bytes=self.max_random_bytes)
        if len(compressed) >= len(response.content):
            return response
        response.content = compressed
        response["Content-Length"] = str(len(compressed))
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"  # the same content, in other bytes
        response["Content-Encoding"] = "gzip"
        return response
