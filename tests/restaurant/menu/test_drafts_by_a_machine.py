"""A machine drafts the menu's words in other languages; guests see them once somebody has read them."""

import json
import threading

import pytest

from restaurant.menu.services import drafting
from restaurant.models import Category, MenuItem, MenuVersion, Option, OptionGroup
from tests.at_once import before_commit
from tests.conftest import make_item
from tests.reading import read
from tests.restaurant.admin.pages import (
    CATEGORIES,
    GROUPS,
    MENU,
    act,
    form_of,
    found,
    page_of,
    with_permissions,
    words_of,
)
from tests.restaurant.menu.menus import add_group
from tests.restaurant.menu.test_menu_in_several_languages import GERMAN, offer
from tests.restaurant.menu.translator import Translator
from tests.servers import free_port

DRAFT = "draft_words"


@pytest.fixture
def service(settings):
    service = Translator()
    settings.MENU_TRANSLATOR, settings.MENU_TRANSLATOR_KEY = "deepl", "279a2e9d"
    settings.MENU_TRANSLATOR_URL = service.origin
    yield service
    service.close()


def test_what_is_missing_is_drafted_and_shown_once_it_is_read(managers_browser, client, table, service):
    offer("de", "zh-hans", "pt")
    soup = make_item("Ribollita", description="With kale", words={"de": {"name": "Eintopf"}})
    tea = make_item("Tea", words={code: {"name": "x"} for code in ("de", "zh-hans", "pt")})
    version = MenuVersion.objects.get().number
    shown = words_of(act(managers_browser, MENU, DRAFT, soup, tea))
    assert "5 drafts were made. Guests see them once somebody has read them." in shown
    soup.refresh_from_db()
    assert soup.words == {
        "de": {"name": "Eintopf", "description": "With kale in DE", "drafts": ["description"]},
        "zh-hans": {
            "name": "Ribollita in ZH-HANS",
            "description": "With kale in ZH-HANS",
            "drafts": ["name", "description"],
        },
        "pt": {"name": "Ribollita in PT-PT", "description": "With kale in PT-PT", "drafts": ["name", "description"]},
    }
    assert MenuVersion.objects.get().number > version
    path, headers, body = service.received[0]
    assert (path, headers["Authorization"]) == ("/v2/translate", "DeepL-Auth-Key 279a2e9d")
    assert (body["text"], body["source_lang"]) == (["With kale"], "EN")  # nothing but what is missing
    # What was read before a draft was made beside it is shown as before.
    page = client.get("/table/7", headers=GERMAN).content.decode()
    assert "Eintopf" in page
    assert "kale in" not in page
    assert "Ribollita in" not in client.get("/table/7", headers=GERMAN | {"accept-language": "pt"}).content.decode()
    assert found(managers_browser, MENU, words="draft") == [soup]
    assert "No words are missing." in words_of(act(managers_browser, MENU, DRAFT, soup, tea))
    assert "Words were drafted." in words_of(managers_browser.get(page_of(soup).replace("change", "history")))


def test_categories_and_groups_with_their_options_are_drafted(managers_browser, service, settings):
    settings.MENU_TRANSLATOR, settings.MENU_TRANSLATOR_KEY = "libretranslate", ""
    offer("zh-hans")
    add_group(make_item(), "Size", 0, 1, ("Large", "2"))
    act(managers_browser, GROUPS, DRAFT, OptionGroup.objects.get())
    act(managers_browser, CATEGORIES, DRAFT, Category.objects.get())
    assert service.received[0][2] == {"q": ["Size", "Large"], "source": "en", "target": "zh", "format": "text"}
    for model, name in ((OptionGroup, "Size"), (Option, "Large"), (Category, "Soups")):
        assert model.objects.get().words == {"zh-hans": {"name": f"{name} in zh", "drafts": ["name"]}}
    OptionGroup.objects.update(words={})
    assert found(managers_browser, GROUPS, words="draft") == [OptionGroup.objects.get()]  # of its option


def test_each_text_is_sent_once_and_fifty_at_a_time(managers_browser, service):
    offer("de")
    rows = [make_item(f"Dish {number // 2}") for number in range(140)]
    act(managers_browser, MENU, DRAFT, *rows)
    assert [len(body["text"]) for _path, _headers, body in service.received] == [50, 20]
    assert {row.words["de"]["name"] for row in MenuItem.objects.filter(name="Dish 7")} == {"Dish 7 in DE"}
    assert not MenuItem.objects.filter(words={}).exists()


FAILURES = [
    ((403, b'{"message": "no"}'), "The translation service refuses MENU_TRANSLATOR_KEY."),
    ((456, b""), "The quota of the translation service is used up."),
    ((429, b"[]"), "The translation service takes no more for now. Please try again later."),
    ((500, b"<h1>?"), "The translation service answered with an error (500)."),
    ((302, b""), "The translation service answered with an error (302)."),
    *(
        ((200, body), "The translation service sent an answer that can't be read.")
        for body in (
            b"", b"3", b'{"translations": []}', b'{"translations": [{"text": 1}]}',
            b'{"translatedText": ["\\u0000"]}', b'{"translatedText": ["\\ud800"]}',
            json.dumps({"translatedText": ["x" * 5001]}).encode(),
        )
    ),
]  # fmt: skip


def test_what_fails_is_said_and_what_was_drafted_is_kept(managers_browser, service, settings, monkeypatch):
    offer("de", "fr")
    soup, other = make_item(), make_item("Minestrone")
    for answer, sentence in FAILURES:
        service.answer = answer
        page = words_of(act(managers_browser, MENU, DRAFT, soup))
        assert f"Deutsch, Français: {sentence}" in page, answer
        soup.refresh_from_db()
        assert soup.words == {}
    service.answer = 400, b'{"error": "de is not supported"}'
    page = words_of(act(managers_browser, MENU, DRAFT, soup))
    assert "Deutsch, Français: The translation service answered with an error (400). de is not supported" in page
    service.answer = None
    monkeypatch.setattr(drafting, "BATCH", 1)
    service.meanwhile = lambda: setattr(service, "answer", (456, b"") if len(service.received) % 2 == 0 else None)
    service.received.clear()
    page = words_of(act(managers_browser, MENU, DRAFT, soup, other))
    assert "2 drafts were made." in page
    assert "Deutsch, Français: The quota of the translation service is used up." in page
    assert MenuItem.objects.exclude(words={}).count() == 1
    settings.MENU_TRANSLATOR_URL = f"http://127.0.0.1:{free_port()}"
    assert "Deutsch, Français: The translation service can't be reached." in words_of(
        act(managers_browser, MENU, DRAFT, soup, other)
    )


def test_a_service_that_is_slow_is_not_waited_for(managers_browser, service, monkeypatch):
    offer("de", "fr")
    soup = make_item()
    monkeypatch.setattr(drafting, "ENOUGH", -1)
    page = words_of(act(managers_browser, MENU, DRAFT, soup))
    assert "Deutsch, Français: This takes long: please choose the rest again." in page
    monkeypatch.setattr(drafting, "TIMEOUTS", (5, 0.05))
    monkeypatch.setattr(drafting, "ENOUGH", 60)
    is_over = threading.Event()
    service.meanwhile = lambda: is_over.wait(60)
    page = words_of(act(managers_browser, MENU, DRAFT, soup))
    is_over.set()
    assert "Deutsch, Français: The translation service did not answer in time." in page


def test_words_that_somebody_types_meanwhile_stay(managers_browser, service, monkeypatch):
    offer("de")
    soup = make_item(description="With kale")
    renamed = make_item("Minestrone")

    def type_words() -> None:
        MenuItem.objects.filter(pk=soup.pk).update(words={"de": {"name": "Eintopf"}, "tr": {"name": "Çorba"}})
        MenuItem.objects.filter(pk=renamed.pk).update(name="Goulash")

    translate = drafting.translate
    monkeypatch.setattr(drafting, "translate", lambda *texts: (translate(*texts), type_words())[0])
    act(managers_browser, MENU, DRAFT, soup, renamed)
    soup.refresh_from_db()
    renamed.refresh_from_db()
    assert soup.words == {
        "de": {"name": "Eintopf", "description": "With kale in DE", "drafts": ["description"]},
        "tr": {"name": "Çorba"},
    }
    assert renamed.words == {}  # that was the word for another dish


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_words_that_are_being_saved_stay(service):
    offer("de")
    soup = make_item()

    def type_words() -> None:
        MenuItem.objects.filter(pk=soup.pk).update(words={"de": {"name": "Eintopf"}})

    before_commit(type_words, lambda: drafting.draft([soup]))
    soup.refresh_from_db()
    assert soup.words == {"de": {"name": "Eintopf"}}


def test_a_draft_of_a_part_is_read_with_its_tick_and_typed_in_its_direction(managers_browser, soup):
    offer("ar")
    MenuItem.objects.update(words={"ar": {"name": "حساء", "description": "مع الملفوف", "drafts": ["description"]}})
    sent = form_of(managers_browser, page_of(soup))
    assert sent["words-ar-drafts"] == "description"
    assert read(managers_browser.get(page_of(soup))).one("field", "Name: العربية")["dir"] == "rtl"
    managers_browser.post(page_of(soup), sent | {"words-ar-name": "شوربة"})
    soup.refresh_from_db()
    assert soup.words["ar"] == {"name": "شوربة", "description": "مع الملفوف", "drafts": ["description"]}
    managers_browser.post(page_of(soup), sent | {"words-ar-read": "1"})
    soup.refresh_from_db()
    assert "drafts" not in soup.words["ar"]


def test_without_a_service_or_another_language_there_is_no_action(managers_browser, soup, service, settings):
    offer("de")
    for address in (MENU, CATEGORIES, GROUPS):
        add_group(soup, f"Size of {address}", 0, 1, ("Large", "2"))
        assert "Draft missing words" in words_of(managers_browser.get(address)), address
    looks = with_permissions("view_menuitem")
    assert "Draft missing words" not in words_of(looks.get(MENU))
    act(looks, MENU, DRAFT, soup)
    settings.MENU_TRANSLATOR = ""
    assert "Draft missing words" not in words_of(managers_browser.get(MENU))
    act(managers_browser, MENU, DRAFT, soup)
    settings.MENU_TRANSLATOR = "deepl"
    offer()
    assert "Draft missing words" not in words_of(managers_browser.get(MENU))
    act(managers_browser, MENU, DRAFT, soup)
    assert service.received == []
