"""Creating and changing codes."""

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Subquery

from qrservice import addresses, queries
from qrservice.models import Account, Code
from qrservice.services import scans
from web import hosts
from web.errors import DomainError

_LOCK = 0x51C0DE  # an advisory lock while a target is changed
MAX_TARGET_LENGTH = 2048  # characters
MAX_CODES_IN_A_ROW = 5  # that lead to each other
MAX_METADATA_SIZE = 4096  # bytes of JSON


class InvalidCode(DomainError):
    """The target, metadata or status is not valid; the message says why."""


def _has_unstorable(value: Any) -> bool:
    """Return whether a text in `value` has null characters or unpaired surrogates, which PostgreSQL does not store."""
    if isinstance(value, str):
        return bool(re.search("[\0\ud800-\udfff]", value))
    if isinstance(value, dict):
        return any(_has_unstorable(item) for pair in value.items() for item in pair)
    return isinstance(value, list | tuple) and any(_has_unstorable(item) for item in value)


def check_target(redirect_url: str, *, slug: str = "") -> str:
    """Return the target of a new code, or of the code with this slug, or raise InvalidCode."""
    if not isinstance(redirect_url, str) or not redirect_url:
        raise InvalidCode("redirect_url is required: an absolute http or https address.")
    if len(redirect_url) > MAX_TARGET_LENGTH:
        raise InvalidCode(f"redirect_url has more than {MAX_TARGET_LENGTH} characters.")
    if any(character.isspace() or not character.isprintable() for character in redirect_url):
        raise InvalidCode("redirect_url must not contain spaces or control characters.")
    try:
        parts = urlsplit(redirect_url)
        has_credentials = parts.username is not None or parts.password is not None
        parts.port  # noqa: B018 (raises ValueError for a port that is not a number)
    except ValueError as error:
        raise InvalidCode("redirect_url is not a valid address.") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InvalidCode("redirect_url must be an absolute http or https address with a host.")
    if has_credentials:
        raise InvalidCode("redirect_url must not contain a user name or password.")
    try:
        hosts.in_dns(parts.hostname)
    except ValueError as error:
        raise InvalidCode("redirect_url has a host that is neither a name nor an IP address.") from error
    _check_arrives(redirect_url, slug)
    return redirect_url


def _check_arrives(target: str, slug: str) -> None:
    """Raise InvalidCode if a scan would be led in a circle, through short addresses of this installation."""
    passed = {slug}
    while following := addresses.slug_of(target):
        if following in passed:
            raise InvalidCode("redirect_url leads back to where it began, so that a scan would never arrive.")
        if len(passed) > MAX_CODES_IN_A_ROW:
            raise InvalidCode(f"redirect_url leads through more than {MAX_CODES_IN_A_ROW} other codes.")
        passed.add(following)
        code = queries.code_to_follow(following)
        target = code.target if code else ""


def check_metadata(metadata: Any) -> dict[str, Any]:
    """Return the metadata, or raise InvalidCode."""
    if not isinstance(metadata, dict):
        raise InvalidCode("metadata must be a JSON object.")
    try:
        text = json.dumps(metadata, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        unstorable = _has_unstorable(metadata)
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidCode("metadata can't be written as JSON.") from error
    if len(text.encode(errors="replace")) > MAX_METADATA_SIZE:
        raise InvalidCode(f"metadata is larger than {MAX_METADATA_SIZE} bytes as JSON.")
    if unstorable:
        raise InvalidCode("metadata must not contain null characters or unpaired surrogates.")
    return metadata


def built_in_account() -> Account:
    """Return the account of this installation's own codes."""
    account, _ = Account.objects.get_or_create(name=Account.BUILT_IN)
    return account


def check_status(status: str) -> str:
    """Return the status, or raise InvalidCode."""
    if not isinstance(status, str) or status not in Code.Status.values:
        raise InvalidCode(f"status must be one of {', '.join(Code.Status.values)}.")
    return status


def _base_of(redirect_url: str) -> str:
    """Return APP_BASE_URL if the target is in this installation, else "". See `Code.target`."""
    return settings.APP_BASE_URL if redirect_url.startswith(settings.APP_BASE_URL) else ""


def update(
    *,
    code: Code,
    redirect_url: str | None = None,
    metadata: dict[str, Any] | None = None,
    status: str | None = None,
) -> None:
    """Change the values that are not None. Raises InvalidCode, and then changes nothing."""
    changes: dict[str, Any] = {}
    if metadata is not None:
        changes["metadata"] = check_metadata(metadata)
    if status is not None:
        changes["status"] = check_status(status)
    with transaction.atomic():
        if redirect_url is not None:
            # One after the other: two codes that are led to each other at the same moment would both seem to arrive.
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            target = check_target(redirect_url, slug=code.slug)
            changes |= {"redirect_url": target, "base_url": _base_of(redirect_url)}
        for name, value in changes.items():
            setattr(code, name, value)
        code.save(update_fields=[*changes, "updated_at"])
    scans.evict(code.slug)


def create(*, account: Account, redirect_url: str, metadata: dict[str, Any] | None = None) -> Code:
    """Store a new code. Raises InvalidCode."""
    [code] = _insert(account, [_values(redirect_url, metadata or {})])
    return code


def create_built_in(to_create: Sequence[tuple[str, dict[str, Any]]]) -> list[Code]:
    """Store codes of the built-in account, by target and metadata, in one statement. Raises InvalidCode."""
    values = [_values(target, metadata) for target, metadata in to_create]
    own = Subquery(Account.objects.filter(name=Account.BUILT_IN).values("pk"))
    try:
        with transaction.atomic():
            return Code.objects.bulk_create(Code(account_id=own, **fields) for fields in values)
    except IntegrityError:  # there is no account before the first code; or a random slug exists
        return _insert(built_in_account(), values)


def _values(target: str, metadata: dict[str, Any]) -> dict[str, Any]:
    redirect_url = check_target(target)
    return {"redirect_url": redirect_url, "base_url": _base_of(redirect_url), "metadata": check_metadata(metadata)}


def _insert(account: Account, values: list[dict[str, Any]]) -> list[Code]:
    while True:
        try:
            with transaction.atomic():
                return Code.objects.bulk_create(Code(account=account, **fields) for fields in values)
        except IntegrityError:
            # A random slug exists already, with a probability of codes / 10^12: try others. Other errors persist.
            if not Account.objects.filter(pk=account.pk).exists():
                raise
