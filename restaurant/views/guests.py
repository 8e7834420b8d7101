"""What a guest's phone brings along: its own id, and the session that it scanned into."""

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from restaurant import queries
from restaurant.services import sessions

GUEST_COOKIE = "sessionId"  # document 3: the phone's, not the session record's id
SESSION_COOKIE = "tableSession"  # the id of the session record, for this table's pages alone


def guest_of(request: Request) -> str:
    return sessions.guest_of(request.COOKIES.get(GUEST_COOKIE))


def session_of(request: Request, table_number: int, named: str | None = None) -> queries.TableSession:
    """The session that the request names, or the one that the phone scanned into.

    Raises TableUnknown, SessionUnknown.
    """
    return queries.session_of_table(table_number, named or request.COOKIES.get(SESSION_COOKIE))


def own_open_session(request: Request, table_number: int) -> queries.TableSession | None:
    session = queries.find_session(table_number, request.COOKIES.get(SESSION_COOKIE))
    return session if session and queries.is_open(session) else None


def remember(response: HttpResponse, *, guest: str, session: queries.TableSession | None, table_number: int) -> None:
    """Set the phone's cookies (decision 5.2). Pages of a table may be shown again, but not without asking."""
    lifetime = int(sessions.LIFETIME.total_seconds())
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(GUEST_COOKIE, guest, max_age=lifetime, httponly=True, samesite="Lax", secure=secure)
    if session is not None:
        path = f"/table/{table_number}"
        response.set_cookie(
            SESSION_COOKIE, str(session.pk), max_age=lifetime, httponly=True, samesite="Lax", secure=secure, path=path
        )
    response["Cache-Control"] = "private, no-cache"
