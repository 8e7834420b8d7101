"""What guests have to know of allergens is never shown in another language than the rest of a page."""

import re

import pytest
from babel.messages import Catalog, pofile

from config.management.commands import messages
from restaurant.menu.models import Allergen, Diet, Doneness
from restaurant.menu.models.allergens import Presence
from tests.servers import ROOT
from web import languages

SAFETY = re.compile(r"allerg|contain|declare|free from|without|tolerate|\bdiet", re.IGNORECASE)


@pytest.fixture(scope="module")
def every() -> Catalog:
    return messages.extracted(ROOT)


def labels() -> set[str]:
    return {str(label) for choices in (Allergen, Presence, Diet, Doneness) for label in choices.labels}


def safety_words(every: Catalog) -> set[str]:
    """The texts of allergens and diets, and whatever guests read about them."""
    read = {str(message.id) for message in every if message.id and messages.is_of_guests(message)}
    return {text for text in read if text in labels() or SAFETY.search(text)}


def missing(language: str, every: Catalog) -> list[str]:
    stored = messages.updated(language, every)
    wanted = safety_words(every)
    return sorted(
        str(message.id) for message in stored if str(message.id) in wanted and not messages.is_translated(message)
    )


def test_allergens_diets_and_notices_about_them_are_in_every_language_that_guests_read(every):
    found = {language: missing(language, every) for language in languages.FOR_GUESTS if language != "en"}
    assert not any(found.values()), found


def test_all_of_them_can_be_translated(every):
    words = safety_words(every)
    assert labels() <= words
    of_a_dish = ("Not declared:", "Contains:", "May contain:", "Free from:", "An allergy? Tell the waiter first")
    assert [notice for notice in of_a_dish if not any(notice in word for word in words)] == []


def test_one_that_is_missing_or_fuzzy_is_noticed(every, tmp_path, settings):
    settings.BASE_DIR = tmp_path
    catalogue = Catalog(locale="nl", fuzzy=False)
    wanted = safety_words(every) - {"sesame"}
    for text, context in [(str(each.id), each.context) for each in every if str(each.id) in wanted]:
        catalogue.add(text, "vertaald", flags=["fuzzy"] if text == "milk" else [], context=context)
    path = messages.path_of("nl")
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        pofile.write_po(file, catalogue)
    assert missing("nl", every) == ["milk", "sesame"]
