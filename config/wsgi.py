"""Pages and JSON: Django behind guards for requests that it can't handle. `config.serving.http` serves it."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SERVES_REQUESTS", "yes")  # limits how long a request waits for the database
django = get_wsgi_application()

# Below: what needs Django set up.
from web.middleware import is_utf8  # noqa: E402
from web.proxies import resolve_client_address  # noqa: E402

LONGEST_PARAMETERS = 200  # characters; the boundary of a form has at most 70
LONGEST_COOKIES = 8192  # characters; ours have less than 1,000


def _simplify_content_type(environ: dict[str, Any]) -> None:
    """Leave parameters of the Content-Type that Django can parse.

    Django fails on malformed ones in the extended form (RFC 2231, `charset*=...`) before there is a request that it
    could respond to, takes quadratic time for many, and looks up any charset, whose name Python then remembers for
    ever. `web.middleware.Utf8Middleware` refuses the charset that this leaves.
    """
    kind, semicolon, parameters = environ.get("CONTENT_TYPE", "").partition(";")
    if not semicolon:
        return
    if len(parameters) > LONGEST_PARAMETERS or _names_other_charset(parameters):
        environ["CONTENT_TYPE"] = f"{kind}; charset=other"
    elif "*" in parameters:
        environ["CONTENT_TYPE"] = kind


def _names_other_charset(parameters: str) -> bool:
    named = (parameter.partition("=") for parameter in parameters.split(";"))
    return any(name.strip().lower() == "charset" and not is_utf8(value.strip(' "')) for name, _, value in named)


def _drop_long_cookies(environ: dict[str, Any]) -> None:
    """Drop cookie headers longer than ours: some versions of Python take quadratic time to parse them."""
    if len(environ.get("HTTP_COOKIE", "")) > LONGEST_COOKIES:
        del environ["HTTP_COOKIE"]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    _simplify_content_type(environ)
    _drop_long_cookies(environ)
    resolve_client_address(environ)
    return django(environ, start_response)
