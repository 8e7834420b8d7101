"""Images of codes: plain Django views, because REST framework's negotiation refuses `Accept: image/png`."""

import hashlib
from abc import abstractmethod

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from qrservice import addresses, images, queries
from web.permissions import PUBLIC
from web.picture_view import cached_forever
from web.throttling import LimitedView


def _bad_request(sentence: str) -> HttpResponse:
    return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")


class _CodeImage(LimitedView):
    """The image of a code in one format. Disabled codes have one too: it shows only the short address."""

    access = PUBLIC
    throttle_scope = "code"
    http_method_names = ["get", "head"]
    extension: str
    content_type: str
    edge: int | None = None  # pixels

    @abstractmethod
    def draw(self, text: str) -> bytes:
        """Return the image of a symbol with this text. Raises images.DoesNotFitError."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        code = queries.code_by_slug(slug)
        if code is None:
            return render(request, "qrservice/unknown.html", status=404)
        text = addresses.text_of_code(code.slug)
        # Of everything that the image depends on, so that it is known before the image is made.
        etag = hashlib.sha256(repr((images.EDITION, text, self.extension, self.edge)).encode()).hexdigest()[:32]
        try:
            return cached_forever(request, etag, lambda: self._file(text, code.slug))
        except images.DoesNotFitError as error:
            return _bad_request(str(error))

    def _file(self, text: str, slug: str) -> HttpResponse:
        size = f"-{self.edge}" if self.edge else ""
        headers = {"Content-Disposition": f'inline; filename="qr-{slug}{size}.{self.extension}"'}
        return HttpResponse(self.draw(text), content_type=self.content_type, headers=headers)


class CodePng(_CodeImage):
    """The PNG. The query parameter `size` is its edge in pixels."""

    extension = "png"
    content_type = "image/png"

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        self.edge = _parse_size(request.GET.get("size", str(images.DEFAULT_EDGE)))
        if self.edge is None:
            return _bad_request(f"size must be a whole number of pixels from {images.MIN_EDGE} to {images.MAX_EDGE}.")
        return super().get(request, slug)

    def draw(self, text: str) -> bytes:
        return images.png(text, self.edge or images.DEFAULT_EDGE)


def _parse_size(size: str) -> int | None:
    # The length first: converting a very long number takes very long.
    if not (len(size) < 6 and size.isascii() and size.isdigit()):
        return None
    return int(size) if images.MIN_EDGE <= int(size) <= images.MAX_EDGE else None


class CodeSvg(_CodeImage):
    extension = "svg"
    content_type = "image/svg+xml"

    def draw(self, text: str) -> bytes:
        return images.svg(text)


class CodePdf(_CodeImage):
    extension = "pdf"
    content_type = "application/pdf"

    def draw(self, text: str) -> bytes:
        return images.pdf(text)
