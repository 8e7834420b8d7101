"""What a hosted service answered, checked before it is believed (decision 3.11).

By hand and not with the serializers of this package, for two reasons: theirs would take a minute for a million
scans, and they change what they read (a number becomes a text, ends are trimmed) where a client must not guess.
"""

import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from operator import attrgetter
from typing import Any
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from qrservice.backends.base import Analytics, BadResponse, NewCode, ScanRecord

# What the apps' columns hold (document 1 says 100 for the id).
MAX_ID_LENGTH = 100
MAX_URL_LENGTH = 500
MAX_RETRY_AFTER = 3600  # seconds; a service that asks for more is understood as asking for this

_when = attrgetter("scanned_at")


def new_code(body: bytes) -> NewCode:
    """Answer to the creation of a code. Raises BadResponse."""
    answer = _object(body)
    return NewCode(
        analytics_id=_analytics_id(answer.get("analytics_id")),
        qr_code_url=_web_address(answer.get("qr_code_url"), "qr_code_url"),
        # Document 1 has it "in some calls".
        short_url=_web_address(answer["short_url"], "short_url") if answer.get("short_url") else "",
    )


def analytics(body: bytes, *, since: datetime | None = None) -> Analytics:
    """Analytics record; `since` drops the older scans, whether or not the service did. Raises BadResponse."""
    answer = _object(body, _ScanReader().read)
    total, scans = answer.get("total_scans"), answer.get("scans")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise BadResponse("The QR code service sent no valid total_scans.")
    if not isinstance(scans, list):
        raise BadResponse("The QR code service sent no list of scans.")
    if not all(isinstance(each, ScanRecord) for each in scans):
        raise BadResponse("The QR code service sent a scan without a valid time, city or device.")
    if since is not None:
        scans = [each for each in scans if each.scanned_at > since]
    scans.sort(key=_when)  # document 1 promises no order
    return Analytics(total_scans=total, scans=scans)


def check_changed(body: bytes, *, analytics_id: str) -> None:
    """Raise BadResponse unless this is the code that was to be changed."""
    if _object(body).get("analytics_id") != analytics_id:
        raise BadResponse("The QR code service did not answer with the code that was to be changed.")


def error_sentence(body: bytes) -> str:
    """The service's `{error: <sentence>}`, in one line; empty if it sent none."""
    try:
        sentence = _object(body).get("error")
    except BadResponse:
        return ""
    return " ".join(sentence.split()) if isinstance(sentence, str) else ""


def retry_after(header: str | None) -> int | None:
    """Seconds that a Retry-After header asks for, in digits or as a date; None for anything else."""
    text = (header or "").strip()
    if re.fullmatch("[0-9]+", text):
        return int(text) if len(text) < 5 and int(text) < MAX_RETRY_AFTER else MAX_RETRY_AFTER
    try:
        moment = parsedate_to_datetime(text)
        until = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.now(UTC)
    except (ValueError, OverflowError):
        return None
    return min(max(math.ceil(until.total_seconds()), 0), MAX_RETRY_AFTER)


def with_size(address: str, size: int) -> str:
    """The image's address with `size` in its query, in place of one that is there; the rest stays byte for byte."""
    parts = urlsplit(address)
    kept = [each for each in parts.query.split("&") if each and unquote_plus(each.partition("=")[0]) != "size"]
    return urlunsplit(parts._replace(query="&".join([*kept, f"size={size}"])))


def _object(body: bytes, hook: Callable[[dict[str, Any]], Any] | None = None) -> dict[str, Any]:
    try:
        found = json.loads(body.decode("utf-8-sig"), object_hook=hook)
    except (ValueError, RecursionError) as error:
        raise BadResponse("The QR code service sent something other than complete JSON.") from error
    if not isinstance(found, dict):
        raise BadResponse("The QR code service sent JSON that is not an object.")
    return found


def _analytics_id(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_ID_LENGTH or not value.isprintable():
        raise BadResponse("The QR code service sent no valid analytics_id.")
    return value


def _web_address(value: Any, name: str) -> str:
    """An absolute http or https address. Hosts without a dot are fine: services run in private networks too."""
    valid = isinstance(value, str) and len(value) <= MAX_URL_LENGTH and value.isprintable() and " " not in value
    try:
        parts = urlsplit(value if valid else "")
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        valid = False
    if not valid:
        raise BadResponse(f"The QR code service sent no valid {name}.")
    return str(value)


class _ScanReader:
    """Turns each scan into its record while the JSON is being read: a million dictionaries never exist at once."""

    def __init__(self) -> None:
        # Few cities, many scans: each text is checked and kept once.
        self._texts: dict[Any, str] = {None: ""}

    def read(self, found: dict[str, Any]) -> Any:
        """The record, or `found` itself if it is none: the answer's own object, or one in a field we don't know."""
        if "scans" in found:
            return found
        try:
            moment = datetime.fromisoformat(found["scanned_at"])
            if moment.tzinfo is not UTC:
                if moment.tzinfo is None:
                    return found
                moment = moment.astimezone(UTC)
            text = self._text
            return ScanRecord(
                moment, text(found.get("device_type")), text(found.get("city")), text(found.get("country"))
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            return found

    def _text(self, value: Any) -> str:
        """Empty for null. Raises TypeError or ValueError for what is no text, or can't be written as UTF-8."""
        known = self._texts.get(value)
        if known is None:
            if not isinstance(value, str):
                raise TypeError
            value.encode()
            known = self._texts[value] = value
        return known
