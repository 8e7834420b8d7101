"""How settings are read from the environment, or from `.env` beside `manage.py`. Nonsense is refused."""

import ipaddress
import re
from pathlib import Path
from typing import NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")


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
        return [ipaddress.ip_network(each, strict=False) for each in texts]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} holds what is not an address or a network: {error}.") from error
