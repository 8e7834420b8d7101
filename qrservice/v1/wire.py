"""Parses and checks the responses of a hosted service.

By hand and not with serializers: those would take a minute for a million scans, and coerce values (numbers to text,
surrounding spaces dropped) that a client must reject.
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

# The sizes of the apps' columns.
MAX_ID_LENGTH = 100
MAX_URL_LENGTH = 500
MAX_RETRY_AFTER = 3600  # seconds; longer times are cut to this


def new_code(body: bytes) -> NewCode:
    """Parse the response to the creation of a code. Raises BadResponse."""
    values = _object(body)
    return NewCode(
        analytics_id=_analytics_id(values.get("analytics_id")),
        qr_code_url=_web_address(values.get("qr_code_url"), "qr_code_url"),
        # Optional in the interface.
        short_url=_web_address(values["short_url"], "short_url") if values.get("short_url") else "",
    )


def analytics(body: bytes) -> Analytics:
    """Parse the analytics record. Raises BadResponse."""
    record = _object(body, _ScanParser().parse)
    total, scans = record.get("total_scans"), record.get("scans")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise BadResponse("The QR code service sent no valid total_scans.")
    if not isinstance(scans, list):
        raise BadResponse("The QR code service sent no list of scans.")
    if not all(isinstance(scan, ScanRecord) for scan in scans):
        raise BadResponse("The QR code service sent a scan without a valid time, city or device.")
    scans.sort(key=attrgetter("scanned_at"))  # the interface promises no order
    return Analytics(total_scans=total, scans=scans)


def check_changed(body: bytes, *, analytics_id: str) -> None:
    """Raise BadResponse if the response is about another code."""
    if _object(body).get("analytics_id") != analytics_id:
        raise BadResponse("The QR code service responded with another code than the one to change.")


def error_sentence(body: bytes) -> str:
    """Return the sentence of `{"error": <sentence>}` on one line; empty if there is none."""
    try:
        sentence = _object(body).get("error")
    except BadResponse:
        return ""
    return " ".join(sentence.split()) if isinstance(sentence, str) else ""


def retry_after(header: str | None) -> int | None:
    """Return the seconds of a Retry-After header, which may be a number or a date; None for anything else."""
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
    """Return the address with `size` set in its query; the rest stays byte for byte."""
    parts = urlsplit(address)
    others = [pair for pair in parts.query.split("&") if pair and unquote_plus(pair.partition("=")[0]) != "size"]
    return urlunsplit(parts._replace(query="&".join([*others, f"size={size}"])))


def _object(body: bytes, hook: Callable[[dict[str, Any]], Any] | None = None) -> dict[str, Any]:
    try:
        value = json.loads(body.decode("utf-8-sig"), object_hook=hook)
    except (ValueError, RecursionError) as error:
        raise BadResponse("The QR code service sent incomplete or invalid JSON.") from error
    if not isinstance(value, dict):
        raise BadResponse("The QR code service sent JSON that is not an object.")
    return value


def _analytics_id(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_ID_LENGTH or not value.isprintable():
        raise BadResponse("The QR code service sent no valid analytics_id.")
    return value


def _web_address(value: Any, name: str) -> str:
    """Return an absolute http or https address without credentials: browsers load it, and codes lead there.

    Hosts without a dot are valid, for services in private networks.
    """
    valid = isinstance(value, str) and len(value) <= MAX_URL_LENGTH and value.isprintable() and " " not in value
    try:
        parts = urlsplit(value if valid else "")
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
        valid = valid and "\\" not in value and parts.port != 0  # an impossible port is a ValueError
    except ValueError:
        valid = False
    if not valid:
        raise BadResponse(f"The QR code service sent no valid {name}.")
    return str(value)


class _ScanParser:
    """Turns each scan into a ScanRecord while the JSON is parsed, so that a million dicts never exist at once."""

    def __init__(self) -> None:
        # Many scans share few texts: each text is checked and stored once.
        self._texts: dict[Any, str] = {None: ""}

    def parse(self, value: dict[str, Any]) -> Any:
        """Return the record, or `value` itself if it is not a scan, such as the response's outermost object."""
        if "scans" in value:
            return value
        try:
            moment = datetime.fromisoformat(value["scanned_at"])
            if moment.tzinfo is not UTC:
                if moment.tzinfo is None:
                    return value
                moment = moment.astimezone(UTC)
            text = self._text
            return ScanRecord(
                moment, text(value.get("device_type")), text(value.get("city")), text(value.get("country"))
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            return value

    def _text(self, value: Any) -> str:
        """Return the text, "" for null. Raises TypeError or ValueError for what is no text or not valid Unicode."""
        known = self._texts.get(value)
        if known is None:
            if not isinstance(value, str):
                raise TypeError
            value.encode()
            known = self._texts[value] = value
        return known
