"""Requests that a browser makes ahead of its user."""

from collections.abc import Mapping
from typing import Any


def is_prefetch(environ: Mapping[str, Any]) -> bool:
    """Return whether `Sec-Purpose` or `Purpose` says so. `environ`: a WSGI environment, or a request's META.

    A prefetch is no scan and opens no session, because nobody has seen the page yet.
    """
    purposes = (environ.get("HTTP_SEC_PURPOSE", ""), environ.get("HTTP_PURPOSE", ""))
    return any("prefetch" in purpose.lower() for purpose in purposes)
