"""What a User-Agent header says of the device (decision 3.6)."""

import re
from dataclasses import dataclass
from functools import lru_cache

import ua_parser
from ua_parser.loaders import load_builtins
from ua_parser.regex import Resolver

# Pinned to one resolver: they disagree on some link previewers.
_parse = ua_parser.Parser(Resolver(load_builtins()))

# Operating-system families as ua-parser names them -> as phones' users know them.
_NAMES = {
    "iOS": "iOS",
    "Android": "Android",
    "Windows": "Windows",
    "Windows Phone": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
    "Ubuntu": "Linux",
    "Debian": "Linux",
    "Fedora": "Linux",
    "Chrome OS": "ChromeOS",
}

# Programs that fetch a link to show a preview of it, or for no eyes at all, and that the parser takes for browsers.
# HTTP libraries are not among them: whoever calls with one may well be somebody's app.
# CUBOT makes phones.
_FETCHER = re.compile(
    r"(?<!cu)bot(?![a-z])|crawler|spider|preview|facebookexternalhit|whatsapp/|skypeuripreview|embedly"
    r"|iframely|vkshare|pinterest/0|mediapartners|google-read-aloud|googleother|chrome-lighthouse|mastodon/",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Device:
    device_type: str
    is_bot: bool


def of(user_agent: str) -> Device:
    """The device behind a User-Agent header; a missing header is a device of type `other`."""
    return _of(user_agent[:1000])  # cut before it is remembered: a header can be as long as its sender likes


@lru_cache(maxsize=4096)
def _of(agent: str) -> Device:
    result = _parse.parse(agent)
    family = result.os.family if result.os else ""
    # Googlebot's mobile agent runs "Android": ask for the spider first.
    is_spider = bool(result.device and result.device.family == "Spider")
    is_bot = is_spider or bool(_FETCHER.search(agent))
    if family == "iOS" and "ipad" in agent.lower():
        return Device("iOS (iPad)", is_bot)
    return Device(_NAMES.get(family, "other"), is_bot)
