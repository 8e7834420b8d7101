"""Calls to other servers."""

from typing import Any

import requests


class OneHostSession(requests.Session):
    """Follows no redirect: nothing, such as a key, goes to another host than the one that is called."""

    def get_redirect_target(self, resp: Any) -> None:
        """Return None also because `requests` would read a redirect's whole body."""
