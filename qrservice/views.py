"""Short addresses that `fastpath` leaves to Django: unknown and disabled codes, and HEAD requests."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from qrservice.services import scans
from web.permissions import PUBLIC
from web.prefetch import is_prefetch
from web.proxies import client_address
from web.throttling import LimitedView


class ShortAddress(LimitedView):
    """A plain Django view: a redirect needs no content negotiation."""

    access = PUBLIC
    throttle_scope = "code"
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        visit = scans.visit(
            slug,
            method=request.method or "",
            user_agent=request.headers.get("User-Agent", ""),
            address=client_address(request),
            is_prefetch=is_prefetch(request.META),
        )
        if visit.status is None:
            return render(request, "qrservice/unknown.html", status=404)
        if not visit.is_active:
            return render(request, "qrservice/disabled.html", {"is_of_table": bool(visit.cookie)}, status=410)
        response = HttpResponseRedirect(visit.target, headers={"Cache-Control": "no-store"})
        response.cookies.load(visit.cookie)
        return response
