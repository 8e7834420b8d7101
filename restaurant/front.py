"""The menu's page, answered in front of Django to phones that have been here before.

A full house asks for it all the time, and all that differs from one answer to the next is a count in the database and
two cookies: what Django's middleware and REST framework do for it costs three times as much, and comes out the same.
So they answer it once, and their headers are kept. An answer is repeated only for a request that is the same in all
that they decide by; any other goes to Django, where `views.tables.Menu` answers the same.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.http.cookie import parse_cookie

from restaurant import queries
from restaurant.errors import TableUnknown
from restaurant.services import sessions
from restaurant.views import guests, menu_page
from restaurant.views.packed import gzipped

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]
Headers = list[tuple[str, str]]

_PATH = re.compile(r"/table/([1-9][0-9]{0,4})")
_TOKEN = re.compile(r"[A-Za-z0-9]{32}")  # as Django's CSRF cookie has it
# What the answer depends on, besides the path and the cookies.
_DECIDES = ("HTTP_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING")
# Whoever sends one of these asks for something else than a phone does that scanned a code.
_UNUSUAL = ("HTTP_AUTHORIZATION", "HTTP_PURPOSE", "HTTP_SEC_PURPOSE", "HTTP_TRANSFER_ENCODING", "CONTENT_LENGTH")
_OF_ONE_ANSWER = {"set-cookie", "content-length"}
_MOST_KINDS = 1000
_LONGEST_KIND = 1000  # characters: what is kept is bounded, whatever is sent


class MenuPages:
    """A WSGI application around Django's. `may_ask` counts a request, and says whether it is within the limit."""

    def __init__(self, django: Application, *, may_ask: Callable[[Environ], bool]) -> None:
        self.django = django
        self.may_ask = may_ask
        self.headers: dict[tuple[str, ...], Headers] = {}  # of Django's answer to this kind of request

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        match = _PATH.fullmatch(environ.get("PATH_INFO", "")) if environ["REQUEST_METHOD"] == "GET" else None
        if match is None or environ.get("QUERY_STRING") or any(environ.get(name) for name in _UNUSUAL):
            return self.django(environ, start_response)
        kind = tuple(environ.get(name, "") for name in _DECIDES)
        if sum(map(len, kind)) > _LONGEST_KIND:
            return self.django(environ, start_response)
        headers = self.headers.get(kind)
        if headers is None:
            return self.django(environ, self._keep_headers(kind, start_response))
        page = self._page(environ, int(match[1]))
        if page is None:
            return self.django(environ, start_response)
        body, cookies = page
        start_response("200 OK", [*headers, ("Content-Length", str(len(body))), *cookies])
        return [body]

    def _keep_headers(self, kind: tuple[str, ...], start_response: StartResponse) -> StartResponse:
        def start(status: str, headers: Headers, *more: Any) -> Any:
            named = {name.lower(): value for name, value in headers}
            is_page = named.get("content-type", "").startswith("text/html")
            if status.startswith("200") and is_page and named.get("content-encoding") == "gzip":
                if len(self.headers) >= _MOST_KINDS:
                    self.headers.clear()
                self.headers[kind] = [each for each in headers if each[0].lower() not in _OF_ONE_ANSWER]
            return start_response(status, headers, *more)

        return start

    def _page(self, environ: Environ, number: int) -> tuple[bytes, Headers] | None:
        """The page and its cookies; None where Django has to answer."""
        cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
        guest, token = cookies.get(guests.GUEST_COOKIE, ""), cookies.get(settings.CSRF_COOKIE_NAME, "")
        if not _TOKEN.fullmatch(token) or sessions.guest_of(guest) != guest or not self.may_ask(environ):
            return None
        try:
            scan = sessions.open_or_continue(table_number=number, guest=guest)
            parts = menu_page.parts_of(
                menu=queries.menu(scan.menu_version),
                table=queries.table_face(scan.session.table),
                has_ordered=bool(scan.session.total_orders),
                chosen=scan.chosen,
                token=token,
            )
        except TableUnknown:
            return None
        except Exception:  # whatever it is, Django meets it too, and has a page and a log for it
            # The database may have been restarted, or be away: Django opens a new connection.
            connection.close()
            return None
        jar = HttpResponse()
        guests.remember(jar, guest=guest, session=scan.session, table_number=number)
        return gzipped(parts), [("Set-Cookie", morsel.OutputString()) for morsel in jar.cookies.values()]
