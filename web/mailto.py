"""Links that open a message in a mail program."""

from collections.abc import Iterable
from urllib.parse import quote


def mailto(to: str = "", *, bcc: Iterable[str] = (), subject: str = "", body: str = "") -> str:
    """Return a mailto: link. Signs in the address that would end it or begin a field are escaped."""
    fields = {
        "bcc": ",".join(map(_address, bcc)),
        "subject": quote(subject, safe=""),
        "body": quote(body, safe=""),
    }
    query = "&".join(f"{name}={value}" for name, value in fields.items() if value)
    return f"mailto:{_address(to)}{'?' * bool(query)}{query}"


def _address(address: str) -> str:
    return quote(address, safe="@")
