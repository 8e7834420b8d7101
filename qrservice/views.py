"""Short addresses and images: plain Django views, because content negotiation would stand in their way."""

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.shortcuts import render
from django.views import View

from qrservice import addresses, images, queries
from qrservice.front import is_prefetch
from qrservice.models import Code
from qrservice.services import scans

YEAR = 365 * 24 * 3600  # seconds


class ShortAddress(View):
    """GET is a scan: recorded, then 302 (decision 3.5). HEAD and prefetches are led on and not counted."""

    access = "public"
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        code = queries.code_by_slug(slug)
        if code is None:
            return render(request, "qrservice/unknown.html", status=404)
        if code.status != Code.Status.ACTIVE:
            return render(request, "qrservice/disabled.html", status=410)
        purposes = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
        if request.method == "GET" and not is_prefetch(purposes):
            scans.record(
                code_id=code.pk,
                user_agent=request.headers.get("User-Agent", ""),
                address=request.META.get("REMOTE_ADDR", ""),
            )
        response = HttpResponseRedirect(code.target)
        response["Cache-Control"] = "no-store"
        return response


class CodeImage(View):
    """The PNG of a code; `size` is its edge in pixels (decision 3.7)."""

    access = "public"
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        size = request.GET.get("size", str(images.DEFAULT_EDGE))
        if not (size.isascii() and size.isdigit() and len(size) < 6) or not (
            images.MIN_EDGE <= int(size) <= images.MAX_EDGE
        ):
            sentence = f"size must be a whole number of pixels from {images.MIN_EDGE} to {images.MAX_EDGE}."
            return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")
        code = queries.code_by_slug(slug)
        if code is None:
            return render(request, "qrservice/unknown.html", status=404)
        text = addresses.text_of_code(code.slug)
        etag = f'"{hashlib.sha256(f"{text} {size}".encode()).hexdigest()[:20]}"'
        if request.headers.get("If-None-Match") == etag:
            response: HttpResponse = HttpResponseNotModified()
        else:
            response = HttpResponse(images.png(text, int(size)), content_type="image/png")
        response["ETag"] = etag
        response["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        return response
