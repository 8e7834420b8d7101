"""Prices as people write them: `12,50 €`, `CHF 29.50`, `24.-`, `1.234,50`."""

import re
import unicodedata
from collections.abc import Collection, Iterable

from restaurant.menu.services.menu_files.words import CURRENCIES
from web.money import decimals

_SIGNS = "|".join(sorted(map(re.escape, CURRENCIES), key=len, reverse=True))
_BEFORE, _AFTER = re.compile(rf"({_SIGNS})(?=[\s0-9])"), re.compile(rf"(?<=[\s0-9.,-])({_SIGNS})\Z")
_MIDDLE = re.compile(r"([0-9]+)\s?([€£$])\s?([0-9]{2})")  # 12€50
_RAISED = re.compile(r"(?<=[0-9])\.?([⁰¹²³⁴-⁹]{2})(?=\s|[€£$]|\Z)")
_UNCLEAR = re.compile(r"[0-9]{1,3}([.,])[0-9]{3}")
_CLEAR = re.compile(r"[0-9.,]*([.,])[0-9]{1,2}")
_MAX = 40  # characters


def plain(cell: str) -> tuple[str, str]:
    """Return the figures and separators of a price in the signs of ASCII, and the sign of its currency."""
    cell = _RAISED.sub(r".\1", cell)  # 12⁵⁰
    if len(cell) > _MAX or any(unicodedata.category(sign) == "No" for sign in _RAISED.sub("", cell)):
        return cell, ""  # 9② has a footnote
    text = unicodedata.normalize("NFKC", cell).casefold().replace("٫", ".").replace("٬", ",")
    text = "".join(str(unicodedata.decimal(sign, sign)) for sign in text).strip()
    sign = ""
    if match := _MIDDLE.fullmatch(text):
        text, sign = f"{match[1]},{match[3]}", match[2]
    elif match := _BEFORE.match(text) or _AFTER.search(text):
        text, sign = (text[: match.start()] + text[match.end() :]).strip(), match[1]
    text = re.sub(r"(?<=[0-9])[.,]\s?[-–—]{1,2}\Z", "", text)
    text = re.sub(r"(?<=[0-9])[\s'’](?=[0-9]{3}(?![0-9]))", "", text)
    return text, sign


def is_unclear(text: str) -> bool:
    """Whether it is a thousand in one country, and has three decimals in another."""
    return decimals() == 2 and _UNCLEAR.fullmatch(text) is not None


def decimal_signs(texts: Iterable[str]) -> set[str]:
    """Return the decimal signs of those that can be read in one way alone."""
    return {match[1] for text in texts if (match := _CLEAR.fullmatch(text))}


def with_sign(text: str, sign: str) -> str:
    """Return an unclear price without the separator of its thousands."""
    return re.sub("[.,]", lambda match: match[0] if match[0] == sign else "", text)


def may_be_cents(texts: Collection[str]) -> bool:
    return decimals() == 2 and len(texts) > 2 and all(re.fullmatch("[1-9][0-9]{2,}", text) for text in texts)
