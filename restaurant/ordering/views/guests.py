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
from restaurant.ordering import queries
from restaurant.ordering.models import TableSession
from restaurant.ordering.services import sessions
from restaurant.tables.models import Table
from web.views import Page, PageView

GUEST_COOKIE = "sessionId"  # the phone's own id
SESSION_COOKIE = "tableSession"  # the id of the TableSession, sent to this table's pages only

_GUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")


def guest_of(request: Request) -> str:
    """The phone's id: the cookie's value if it is well-formed, else a new one for this request."""
    cookie: str = request.COOKIES.get(GUEST_COOKIE, "")
    if not _GUEST.fullmatch(cookie):
        cookie = request.COOKIES[GUEST_COOKIE] = secrets.token_urlsafe(24)
    return cookie


def session_of(request: Request, table_number: int, session_id: str | None = None) -> TableSession:
    """The session with this id, or else the one that the phone scanned into; where it is now if it was moved.

    Raises TableUnknown, SessionUnknown.
    """
    return queries.session_of_table(table_number, session_id or request.COOKIES.get(SESSION_COOKIE), follow=True)


def is_open_to(request: Request, session: TableSession) -> bool:
    """Whether this phone may order in the session; in its own one for as long as the bill is open."""
    is_own = request.COOKIES.get(SESSION_COOKIE) == str(session.pk)
    return session.is_open_to_party if is_own else session.is_open


def open_session_of(request: Request, table_number: int) -> TableSession | None:
    """The session that the phone scanned into at this table, if it is still open to it."""
    session = queries.find_session(table_number, request.COOKIES.get(SESSION_COOKIE))
    return session if session is not None and session.is_open_to_party else None


def table_of(request: HttpRequest) -> int | None:
    """The number of the table where this phone's party sits: by its session, on the table's pages, else its scan."""
    at = re.match(r"/table/([0-9]{1,5})/", request.path)
    session = queries.find_session(int(at[1]), request.COOKIES.get(SESSION_COOKIE), follow=True) if at else None
    if session is not None and session.is_open_to_party:
        return session.table.table_number
    return queries.open_table_of_code(scanned_code(request))


def scanned_code(request: HttpRequest | Request) -> str:
    """Return the analytics id of the code that this phone has scanned lately; "" for none."""
    return gateway.scanned_code(request.COOKIES.get(gateway.SCAN_COOKIE, ""))


def prove_scan(response: HttpResponse, table: Table) -> None:
    """Let the phone order at this table as if it had scanned its code."""
    response.set_cookie(
        gateway.SCAN_COOKIE,
        gateway.signed_scan(table.qr_analytics_id),
        max_age=gateway.SCAN_COOKIE_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def require_scan(request: Request, session: TableSession) -> None:
    """Raises NotScanned where ordering needs proof that this phone has scanned this table's code."""
    rules = queries.ordering_rules()
    if rules.gate != rules.Gate.SCANNED or staff.may(request, staff.CLOSE_SESSION):
        return
    if not has_scanned(request, session):
        raise NotScanned


def has_scanned(request: Request, session: TableSession) -> bool:
    """Whether this phone has proof of having scanned the code of the session's table, or of one it was moved from."""
    code = session.table.qr_analytics_id
    return queries.may_order_with(scanned_code(request), session=session, table_code=code)


def lead_to(request: Request, session: TableSession, page: str) -> HttpResponse:
    """A page of the party's new table, for a phone that asks for one of the table it was moved from."""
    response = HttpResponseRedirect(page)
    if has_scanned(request, session):
        prove_scan(response, session.table)
    set_cookies(response, guest=guest_of(request), session=session, table_number=session.table.table_number)
    return response


class GatedView(PageView):
    """Shows a page that asks to scan the code where a phone has no proof of having done so."""

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
    max_age = int(sessions.LIFETIME.total_seconds())
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(GUEST_COOKIE, guest, max_age=max_age, httponly=True, samesite="Lax", secure=secure)
    if session is not None:
        path = f"/table/{table_number}"
        response.set_cookie(
            SESSION_COOKIE, str(session.pk), max_age=max_age, httponly=True, samesite="Lax", secure=secure, path=path
        )
    response["Cache-Control"] = "private, no-cache"
