"""Short addresses: a plain Django view, because content negotiation would stand in its way."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from qrservice import queries
from qrservice.services import scans
from web.permissions import PUBLIC
from web.prefetch import is_prefetch
from web.throttling import LimitedView


class ShortAddress(LimitedView):
    """GET is a scan: recorded, then 302 (decision 3.5). HEAD and prefetches are led on and not counted."""

    access = PUBLIC
    throttle_scope = "code"
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        code = queries.code_by_slug(slug)
        if code is None:
            return render(request, "qrservice/unknown.html", status=404)
        if not code.is_active:
            return render(request, "qrservice/disabled.html", status=410)
        if request.method == "GET" and not is_prefetch(request.META):
            scans.record(
                code_id=code.pk,
                user_agent=request.headers.get("User-Agent", ""),
                address=request.META.get("REMOTE_ADDR", ""),
            )
        response = HttpResponseRedirect(code.target)
        response["Cache-Control"] = "no-store"
        return response
