"""The cookies of a guest's phone: its own id, and the session that it scanned into.

See "Table sessions" in docs/behaviour/restaurant.md.
"""

import re
import secrets
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from rest_framework.request import Request
from rest_framework.response import Response

from qrservice import gateway
from restaurant import staff
from restaurant.errors import NotScanned
from restaurant.ordering.models import SESSION_WINDOW, TableSession
from restaurant.ordering.queries.sessions import find_session, may_order_with, open_table_of_code, session_of_table
from restaurant.rules import OrderingRules
from web.views import Page, PageView

GUEST_COOKIE = "sessionId"  # the phone's own id
SESSION_COOKIE = "tableSession"  # the id of the TableSession, sent to this table's pages only

SESSION_SECONDS = int(SESSION_WINDOW.total_seconds())

_GUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")


def guest_of(request: Request) -> str:
    """The phone's id: the cookie's value if it is well-formed, else a new one for this request."""
    cookie: str = request.COOKIES.get(GUEST_COOKIE, "")
    if not _GUEST.fullmatch(cookie):
        cookie = request.COOKIES[GUEST_COOKIE] = secrets.token_urlsafe(24)
    return cookie


def session_of(request: Request, table_number: int, session_id: str | None = None) -> TableSession:
    """The session with this id, or else the one that the phone scanned into, at the table where it is now.

    Raises TableUnknown, SessionUnknown.
    """
    return session_of_table(table_number, session_id or request.COOKIES.get(SESSION_COOKIE), follow=True)


def own_session(request: HttpRequest | Request, table_number: int) -> TableSession | None:
    """The session that the phone scanned into at this table, at the table where it is now; None if there is none."""
    return find_session(table_number, request.COOKIES.get(SESSION_COOKIE), follow=True)


def is_open_to(request: Request, session: TableSession) -> bool:
    """True if this phone may order in the session; in its own one it may for as long as the bill is open."""
    is_own = request.COOKIES.get(SESSION_COOKIE) == str(session.pk)
    return session.is_open_to_party if is_own else session.is_open


def open_session_of(request: Request, table_number: int) -> TableSession | None:
    """The session that the phone scanned into at this table, if it is still open to it."""
    session = find_session(table_number, request.COOKIES.get(SESSION_COOKIE))
    return session if session is not None and session.is_open_to_party else None


def table_of(request: HttpRequest) -> int | None:
    """The number of the table where this phone's party sits: by its session, on the table's pages, else its scan."""
    at = re.match(r"/table/([0-9]{1,5})/", request.path)
    session = own_session(request, int(at[1])) if at else None
    if session is not None and session.is_open_to_party:
        return session.table.table_number
    scan = scan_of(request)
    return open_table_of_code(scan.code) if scan else None


def scan_of(request: HttpRequest | Request) -> gateway.Scan | None:
    """The code that this phone has scanned lately, and when."""
    return gateway.scan_in(request.COOKIES.get(gateway.SCAN_COOKIE, ""))


def require_scan(request: Request, session: TableSession) -> None:
    """Raise NotScanned where ordering needs proof that this phone has scanned this table's code."""
    rules = OrderingRules.current()
    is_gated = rules.gate == rules.Gate.SCANNED and not staff.may(request, staff.CLOSE_SESSION)
    if is_gated and not has_scanned(request, session):
        raise NotScanned


def has_scanned(request: Request, session: TableSession) -> bool:
    """True if this phone has proof of a scan of the session's table, or of a table that it was moved from."""
    code = session.table.qr_analytics_id
    return may_order_with(scan_of(request), session=session, table_code=code)


def lead_to(request: Request, session: TableSession, page: str) -> HttpResponse:
    """Redirect a phone that asks for a page of the table it was moved from to this page of the new table."""
    response = HttpResponseRedirect(page)
    if has_scanned(request, session):  # it may order there as if it had scanned the new table's code
        scan = gateway.signed_scan(session.table.qr_analytics_id)
        set_cookie(response, gateway.SCAN_COOKIE, scan, max_age=gateway.SCAN_COOKIE_LIFETIME)
    set_cookies(response, guest=guest_of(request), session=session, table_number=session.table.table_number)
    return response


class GatedView(PageView):
    """A view that shows a page that asks to scan the code where a phone has no proof of having done so."""

    error_statuses = PageView.error_statuses | {403}
    _not_scanned = False

    def handle_exception(self, exc: Exception) -> Response:
        self._not_scanned = isinstance(exc, NotScanned)
        return super().handle_exception(exc)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        if not self._not_scanned or error["error"] == NotScanned.without_cookies:
            return None
        return Page("restaurant/ordering/scan_first.html", {"table_number": self.kwargs["table_number"]})


def set_cookies(response: HttpResponse, *, guest: str, session: TableSession | None, table_number: int) -> None:
    """Set the phone's cookies. Browsers may store the page, but have to revalidate it."""
    set_cookie(response, GUEST_COOKIE, guest)
    if session is not None:
        set_cookie(response, SESSION_COOKIE, str(session.pk), path=f"/table/{table_number}")
    response["Cache-Control"] = "private, no-cache"


def set_cookie(
    response: HttpResponse, name: str, value: str, *, max_age: int = SESSION_SECONDS, path: str = "/"
) -> None:
    response.set_cookie(
        name,
        value,
        max_age=max_age,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
