"""The device and the bots behind a User-Agent header."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

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

# HTTP libraries and browsers that a program drives are no bots: apps use the first, whoever tries an installation both.
_TOOLS = {"http-library", "browser-automation"}
# Libraries that a pattern below, or the parser, would take for bots.
_NAMED_AS_TOOLS = r"^(?:Java|Python-urllib|node-fetch|python-urllib3)/"
# Patterns of the list that are true of phones too: of builds, models and browsers of theirs.
_OF_PHONES = {r"AP3A\.240617\.008", r"008\/", "Butterfly", "Expanse", "Fever", "Sogou", "Sonic", "Viber"}
# Bots that the list may not know yet: they give the address that explains them after a plus sign.
_BOTS_BY_HABIT = (r"\+ ?https?:", "(?i)preview", "^Viber")


@dataclass(frozen=True, slots=True)
class Device:
    device_type: str
    is_bot: bool


@cache
def parser() -> "ua_parser.Parser":
    """Load the parser, which takes a moment: servers do it at their start, not at the first scan."""
    import ua_parser
    from crawleruseragents import CRAWLER_USER_AGENTS_DATA
    from ua_parser.lazy import UserAgentMatcher
    from ua_parser.loaders import load_lazy_builtins
    from ua_parser.regex import Resolver

    # Nobody asks for the browser: bots take its place. The resolver tries all patterns at once, in microseconds, and
    # compiles them alone, not Python too.
    listed = [entry["pattern"] for entry in CRAWLER_USER_AGENTS_DATA if not _TOOLS.intersection(entry.get("tags", ()))]
    bots = [pattern for pattern in (*listed, *_BOTS_BY_HABIT) if pattern not in _OF_PHONES]
    families: list[Any] = [
        UserAgentMatcher(_NAMED_AS_TOOLS, "tool"),
        *(UserAgentMatcher(pattern, "bot") for pattern in bots),
    ]
    _browsers, systems, devices = load_lazy_builtins()
    # Pinned to one resolver: they disagree on some link previewers.
    return ua_parser.Parser(Resolver((families, systems, devices)))


def detect(user_agent: str) -> Device:
    """Return the device type, `other` for an empty header, and whether it is a bot."""
    return _detect(user_agent[:1000])  # cut, because the cache would hold a header of any length


@lru_cache(maxsize=4096)
def _detect(agent: str) -> Device:
    result = parser().parse(agent)
    family = result.os.family if result.os else ""
    # The parser has a device for bots besides, which knows them by words such as "crawler".
    is_spider = bool(result.device and result.device.family == "Spider")
    is_bot = result.user_agent.family == "bot" if result.user_agent else is_spider
    if family == "iOS" and "ipad" in agent.lower():
        return Device("iOS (iPad)", is_bot)
    return Device(_NAMES.get(family, "other"), is_bot)
