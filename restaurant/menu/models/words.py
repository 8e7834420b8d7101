"""The menu's words in other languages than the venue's: see `Venue.menu_languages`."""

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models.doneness import Doneness
from web import languages, venue
from web.languages import Translated

# By language, such as {"de": {"name": "Kürbissuppe", "description": "Mit Ingwer", "drafts": ["name"]}}. A draft is the
# work of a machine that nobody has read yet: guests don't see it.
Words = Mapping[str, Mapping[str, Any]]
PARTS = ("name", "description")
DRAFTS = "drafts"
MAX_TEXT = 5000  # characters


def menu_languages() -> list[str]:
    """Return the languages that the menu has words in, besides the venue's."""
    return [code for code in venue.current().menu_languages if code != languages.own()]


def language_of_menu() -> str:
    """Return the language of the page if the menu has words in it; empty for the venue's own."""
    language = languages.of_page()
    return language if language in menu_languages() else ""


def local(words: Words, part: str, original: str, *, doneness: str = "") -> str:
    """Return a text in the language of the page, or as the venue has written it; a `doneness` always in the former."""
    if words and original and (text := _reviewed(words.get(language_of_menu(), {}), part)):
        return Translated(text)
    return Translated(Doneness(doneness).label) if doneness and languages.other_than_own() else original


def reviewed_names(words: Words) -> dict[str, Any]:
    """Return the words without descriptions and drafts, for what is kept with an order."""
    return {code: {"name": name} for code, own in words.items() if (name := _reviewed(own, "name"))}


def _reviewed(own: Mapping[str, Any], part: str) -> str:
    return "" if part in own.get(DRAFTS, ()) else own.get(part, "")


def composed(texts: Mapping[str, str], drafts: Collection[str]) -> dict[str, Any]:
    """Return the words in a language: the texts by part, and which of them nobody has read."""
    own: dict[str, Any] = {part: texts[part] for part in PARTS if texts.get(part)}
    unread = [part for part in own if part in drafts]
    return own | ({DRAFTS: unread} if unread else {})


class Worded:
    """What has a name, and perhaps a description, in several languages."""

    __slots__ = ()
    name: Any
    words: Any

    @property
    def local_name(self) -> str:
        return local(self.words, "name", self.name)

    @property
    def local_description(self) -> str:
        return local(self.words, "description", self.description)  # type: ignore[attr-defined]


def validate_words(value: Any) -> None:
    try:
        for code, own in value.items():
            texts = [own[part] for part in PARTS if part in own]
            is_long = any(len(text) > MAX_TEXT for text in texts)
            if is_long or "\0" in "".join(texts) or code not in languages.NAMES:
                raise ValueError
            if own != composed(own, own.get(DRAFTS, ())):
                raise ValueError
    except (AttributeError, TypeError, ValueError) as error:
        raise ValidationError(_("These words could not be read.")) from error


def words_field() -> "models.JSONField[Any, Any]":
    return models.JSONField(
        _("in other languages"), blank=True, default=dict, db_default={}, validators=[validate_words]
    )
