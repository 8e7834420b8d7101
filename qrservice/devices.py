"""The device and the bots behind a User-Agent header."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ua_parser

# ua-parser's operating-system families -> device types, in the names that people use.
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

# Link previewers and crawlers that the parser takes for browsers. HTTP libraries are not listed, because apps use
# them too; nor is CUBOT, which makes phones.
_BOT = re.compile(
    r"(?<!cu)bot(?![a-z])|crawler|spider|preview|facebookexternalhit|whatsapp/|skypeuripreview|embedly"
    r"|iframely|vkshare|pinterest/0|mediapartners|google-read-aloud|googleother|chrome-lighthouse|mastodon/",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Device:
    device_type: str
    is_bot: bool


@cache
def parser() -> "ua_parser.Parser":
    """Loading it takes a moment, which only the servers spend: at their start, not at the first scan."""
    import ua_parser
    from ua_parser.loaders import load_lazy_builtins
    from ua_parser.regex import Resolver

    # Nobody asks for the browser. The patterns are compiled by the resolver alone, and not by Python too.
    _browsers, systems, devices = load_lazy_builtins()
    # Pinned to one resolver: they disagree on some link previewers.
    return ua_parser.Parser(Resolver(([], systems, devices)))


def detect(user_agent: str) -> Device:
    """An empty header is a device of type `other`."""
    return _detect(user_agent[:1000])  # cut, because the cache would hold a header of any length


@lru_cache(maxsize=4096)
def _detect(agent: str) -> Device:
    result = parser().parse(agent)
    family = result.os.family if result.os else ""
    # Googlebot's mobile agent has the operating system Android and the device Spider.
    is_spider = bool(result.device and result.device.family == "Spider")
    is_bot = is_spider or bool(_BOT.search(agent))
    if family == "iOS" and "ipad" in agent.lower():
        return Device("iOS (iPad)", is_bot)
    return Device(_NAMES.get(family, "other"), is_bot)
