"""Where the order of a purchase is shown. Orders are the restaurant's: `config` says where."""

from collections.abc import Callable

# The idempotency key of the purchase -> an address, or "" if it was no order's.
Find = Callable[[str], str]


def _nothing(_key: str) -> str:
    return ""


_find: Find = _nothing


def find_with(find: Find) -> None:
    global _find  # noqa: PLW0603
    _find = find


def of_purchase(key: str | None) -> str:
    return _find(key) if key else ""
