"""Reads settings from the environment, or from `.env` beside `manage.py`, and refuses invalid values."""

import contextlib
import ipaddress
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from web.hosts import with_host_in_dns

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

_HOST = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9.])?"
_MAILBOX = r"(?a:[\w.!#$%&'*+/=?^`{|}~-]+)@[\w.-]+"
_NAME = r"\"[^\"\\]+\"|[^\"\\<>(),:;@\[\]]+"


def refuse(sentence: str) -> NoReturn:
    raise ImproperlyConfigured(sentence)


def whole(name: str, default: int, low: int, high: int) -> int:
    text = env.str(name, default=str(default)).strip()
    if not re.fullmatch(r"[0-9]{1,10}", text) or not low <= int(text) <= high:
        refuse(f"{name} must be a whole number from {low} to {high}, not {text!r}.")
    return int(text)


def yes_or_no(name: str, default: bool) -> bool:
    text = env.str(name, default=str(default)).strip().lower()
    if text not in {"true", "yes", "on", "1", "false", "no", "off", "0"}:
        refuse(f"{name} must be true or false, not {text!r}.")
    return text in {"true", "yes", "on", "1"}


def rate(name: str, default: str) -> str:
    text = env.str(name, default=default).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,11}/(s|sec|second|m|min|minute|h|hour|d|day)", text):
        refuse(f"{name} must be a rate such as 600/min, not {text!r}.")
    return text


def networks(name: str, texts: list[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    try:
        return [ipaddress.ip_network(text, strict=False) for text in texts]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} holds what is not an address or a network: {error}.") from error


def address(name: str, default: str, *schemes: str) -> str:
    """Return an address without a slash at its end. An empty one is valid."""
    text = with_host_in_dns(env.str(name, default=default).strip().rstrip("/"))
    with contextlib.suppress(ValueError):  # no port
        parts = urlsplit(text)
        is_host = re.fullmatch(rf"{_HOST}|[0-9a-f.:]+", parts.hostname or "") and parts.port != 0
        if not text or (is_host and parts.scheme in schemes and re.fullmatch(r"[^?#@\s]+", text)):
            return text
    refuse(f"{name} must be an address such as {schemes[-1]}://example.com, without user, ? and #.")


def hosts(name: str) -> list[str]:
    names = [with_host_in_dns(f"//{text.strip()}").removeprefix("//") for text in env.list(name, default=[])]
    for host in names:
        if not re.fullmatch(rf"\*|\.?{_HOST}|\[[0-9a-f.:]+\]", host):
            refuse(f"{name} must be host names such as example.com, without https:// and a port, not {host!r}.")
    return names


def push_services(name: str, default: list[str]) -> list[str]:
    """Return host names, which stand for those below them too, and origins of services of one's own."""
    known = [text.strip().lower() for text in env.list(name, default=default)]
    for text in known:
        if not re.fullmatch(rf"(https?://{_HOST}(:[0-9]{{1,5}})?)|{_HOST}", text) or text.endswith("."):
            refuse(f"{name} must be hosts of push services, such as push.example.com, not {text!r}.")
    return known


def sender(name: str, host: str) -> str:
    """Return the sender of mails, by default `no-reply` at this host."""
    text = env.str(name, default="").strip() or f"no-reply@{'localhost' if ':' in host else host}"
    if not re.fullmatch(rf"{_MAILBOX}|({_NAME})?\s*<{_MAILBOX}>", text) or not text.isprintable():
        refuse(
            f"{name} must be one email address, or a name with one: Chez Nous <no-reply@example.com>. "
            f'Quotes are needed around a name with a comma: "Tom, Dick" <no-reply@example.com>. It is {text!r}.'
        )
    return text


def parsed(name: str, example: str, parse: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Call a parser of django-environ. Replaces its errors, which quote passwords and name no setting."""
    with contextlib.suppress(ValueError, ImproperlyConfigured):
        return parse()
    refuse(f"{name} must be an address such as {example}. Write %40 for @, %3A for : and %2F for / in a password.")


def mail(name: str) -> dict[str, Any]:
    """Return Django's settings of mail."""
    example = "smtp+tls://user:password@mail.example.com:587"
    values = parsed(name, example, lambda: env.email_url(name, default="consolemail://"))
    if "smtp" in values["EMAIL_BACKEND"]:
        if not values["EMAIL_HOST"]:
            refuse(f"{name} must name a mail server, such as {example}.")
        if values["EMAIL_PORT"] == 465 and not values.get("EMAIL_USE_SSL"):
            refuse(f"{name} must begin with smtp+ssl:// for port 465, where mail servers expect TLS from the start.")
    return values


def django_cache(name: str) -> dict[str, Any]:
    example = "rediscache://host:6379/0 or dbcache://cache"
    values = parsed(name, example, lambda: env.cache_url(name, default="locmemcache://"))
    is_database = values["BACKEND"].endswith("DatabaseCache")
    if "memcached" in values["BACKEND"] or (is_database and not values["LOCATION"]):
        refuse(f"{name} must be an address such as {example}.")
    return values
