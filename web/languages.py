"""The languages of pages. See "Currency and language" in docs/behaviour/common.md.

A language is listed once all that its readers see is translated: no page is ever in two languages.
"""

from collections.abc import Sequence
from typing import Any

from babel import Locale, localedata
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from web import venue

NAMES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "it": "Italiano",
    "es": "Español",
    "pt": "Português",
    "nl": "Nederlands",
    "pl": "Polski",
    "tr": "Türkçe",
    "uk": "Українська",
    "ar": "العربية",
    "zh-hans": "中文",
    "ja": "日本語",
}
# Those that are complete: pages, mails and receipts of guests, and pages of staff.
FOR_GUESTS = ["en", "de", "fr", "it", "es", "pt", "nl", "pl", "tr", "uk", "ar", "zh-hans", "ja"]
FOR_STAFF = ["en", "de", "fr", "it", "es"]

# As they are written where nobody names a country.
_USUAL = {"en": "en-gb", "pt": "pt-pt"}


class Translated(str):
    """Words of the venue in the language of the page: `of_venue` marks all others with theirs."""

    __slots__ = ()


COOKIE = "language"  # of a guest who has chosen one
CHOSEN = "language"  # in the session of staff who have


def base(language: str) -> str:
    """Return the language without its country: `de` of `de-ch`."""
    return "zh-hans" if language.startswith("zh") else language.partition("-")[0]


def is_complete(language: str) -> bool:
    """Return whether pages can be in this language, which may name a country whose formats are known."""
    is_known = language in NAMES or localedata.exists(language.replace("-", "_"))
    return base(language) in FOR_GUESTS and is_known


def of_guest(request: HttpRequest) -> str:
    """Return the language that was chosen on this phone, or else the first that it asks for and pages have."""
    return _with_country(_asked(request, FOR_GUESTS) or _own(FOR_GUESTS))


def of_staff(request: HttpRequest) -> str:
    """Return the language that the signed-in user has chosen, or else the venue's; of nobody yet, as `of_guest`."""
    chosen = request.session.get(CHOSEN) if settings.SESSION_COOKIE_NAME in request.COOKIES else None
    if chosen not in FOR_STAFF:
        chosen = None if request.user.is_authenticated else _asked(request, FOR_STAFF)
    return _with_country(chosen or _own(FOR_STAFF))


def of_kitchen() -> str:
    """Return the language of the kitchen's displays and dockets."""
    chosen = venue.current().kitchen_language
    return _with_country(chosen if chosen in FOR_STAFF else _own(FOR_STAFF))


def of_papers() -> str:
    """Return the language of what a venue prints of its own, such as the Z of a drawer."""
    return _with_country(_own(FOR_STAFF))


def of_reader(language: str) -> str:
    """Return the language for somebody who read in this one, or else the venue's."""
    return _with_country(language if language in FOR_GUESTS else _own(FOR_GUESTS))


def of_page() -> str:
    """Return the language that pages are in now, without its country."""
    return base(translation.get_language() or settings.LANGUAGE_CODE)


def other_than_own() -> str:
    """Return the language that pages are in now; empty where it is the venue's."""
    return "" if of_page() == own() else of_page()


def spoken(language: str) -> str:
    """Return such as `in Japanese:`, in the language that pages are in now."""
    name = Locale.parse(language, sep="-").get_language_name(of_page().replace("-", "_"))
    return translation.gettext("in %(language)s:") % {"language": name}


def _asked(request: HttpRequest, among: Sequence[str]) -> str | None:
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "").lower()
    accepted = [request.COOKIES.get(COOKIE, ""), *(code for code, _quality in parse_accept_lang_header(header))]
    return next((base(code) for code in accepted if base(code) in among), None)


def own() -> str:
    """Return the venue's language, without its country."""
    return base(settings.LANGUAGE_CODE)


def _own(among: Sequence[str]) -> str:
    return own() if own() in among else "en"


def _with_country(language: str) -> str:
    """Return the language as the venue's country writes it, where that is known."""
    if language == own():
        return str(settings.LANGUAGE_CODE)
    return _USUAL.get(language, language)


def choices(request: Any) -> list[tuple[str, str]]:
    """Return the languages that the reader of this page may choose, with their own names for themselves."""
    user = getattr(request, "user", None)  # none where a request is refused before anybody asks who sent it
    return [(code, NAMES[code]) for code in (FOR_STAFF if user and user.is_authenticated else FOR_GUESTS)]
