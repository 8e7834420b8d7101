"""How a piece of meat is done: guests read it in their language, whatever the menu has words in."""

from collections.abc import Sequence
from functools import cache

from django.conf import settings
from django.db import models
from django.utils import translation
from django.utils.translation import pgettext_lazy


class Doneness(models.TextChoices):
    BLUE = "blue", pgettext_lazy("how meat is done", "blue")
    RARE = "rare", pgettext_lazy("how meat is done", "rare")
    MEDIUM_RARE = "medium_rare", pgettext_lazy("how meat is done", "medium rare")
    MEDIUM = "medium", pgettext_lazy("how meat is done", "medium")
    MEDIUM_WELL = "medium_well", pgettext_lazy("how meat is done", "medium well")
    WELL_DONE = "well_done", pgettext_lazy("how meat is done", "well done")

    @classmethod
    def of(cls, names: Sequence[str]) -> list[str]:
        """Return what each choice of a group says of it; nothing where one alone seems to, such as a size `Medium`."""
        known = _known(settings.LANGUAGE_CODE)
        found = [known.get(name.strip().casefold(), "") for name in names]
        return found if sum(map(bool, found)) > 1 else [""] * len(names)


@cache
def _known(language: str) -> dict[str, str]:
    """Return the words of the venue's language, and those in English, which many menus have."""
    known: dict[str, str] = {}
    for each in (language, "en"):
        with translation.override(each):
            known |= {str(label).casefold(): value for value, label in Doneness.choices}
    return known
