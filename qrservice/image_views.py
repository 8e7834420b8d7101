"""Pictures of codes over HTTP: plain Django views, because content negotiation would refuse `Accept: image/png`."""

import hashlib
from abc import abstractmethod

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from qrservice import addresses, images, queries
from web.permissions import PUBLIC
from web.throttling import LimitedView

_FOR_EVER = f"public, max-age={365 * 24 * 3600}, immutable"  # a code's short address never changes


def _etag(*parts: object) -> str:
    """Known before the picture is made: everything that decides what is in it."""
    return quote_etag(hashlib.sha256(repr((images.EDITION, *parts)).encode()).hexdigest()[:32])


def _refused(sentence: str) -> HttpResponse:
    return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")


class _Picture(LimitedView):
    """One form of a code's picture. A disabled code has its picture too: only what a scan leads to has changed."""

    access = PUBLIC
    throttle_scope = "code"
    http_method_names = ["get", "head"]
    ending: str
    content_type: str
    edge: int | None = None  # pixels

    @abstractmethod
    def draw(self, text: str) -> bytes:
        """The picture of a symbol that says `text`. Raises images.DoesNotFitError."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        code = queries.code_by_slug(slug)
        if code is None:
            return render(request, "qrservice/unknown.html", status=404)
        text = addresses.text_of_code(code.slug)
        etag = _etag(text, self.ending, self.edge)
        answer = get_conditional_response(request, etag=etag)
        if answer is None:
            try:
                answer = HttpResponse(self.draw(text), content_type=self.content_type)
            except images.DoesNotFitError as error:
                return _refused(str(error))
            answer["Content-Disposition"] = f'inline; filename="{self.file_name(code.slug)}"'
        elif answer.status_code != 304:
            return answer  # 412: a condition of the caller's own, and nothing to be kept
        answer["ETag"] = etag
        answer["Cache-Control"] = _FOR_EVER
        return answer

    def file_name(self, slug: str) -> str:
        size = f"-{self.edge}" if self.edge else ""
        return f"qr-{slug}{size}.{self.ending}"


class CodeImage(_Picture):
    """The PNG; `size` is its edge in pixels (decision 3.7)."""

    ending = "png"
    content_type = "image/png"

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        self.edge = _asked_edge(request.GET.get("size", str(images.DEFAULT_EDGE)))
        if self.edge is None:
            return _refused(f"size must be a whole number of pixels from {images.MIN_EDGE} to {images.MAX_EDGE}.")
        return super().get(request, slug)

    def draw(self, text: str) -> bytes:
        return images.png(text, self.edge or images.DEFAULT_EDGE)


def _asked_edge(size: str) -> int | None:
    # The length first: converting a very long number takes very long.
    if not (len(size) < 6 and size.isascii() and size.isdigit()):
        return None
    return int(size) if images.MIN_EDGE <= int(size) <= images.MAX_EDGE else None


class CodeSvg(_Picture):
    ending = "svg"
    content_type = "image/svg+xml"

    def draw(self, text: str) -> bytes:
        return images.svg(text)


class CodePdf(_Picture):
    ending = "pdf"
    content_type = "application/pdf"

    def draw(self, text: str) -> bytes:
        return images.pdf(text)
