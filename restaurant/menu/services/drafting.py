"""Drafts of the menu's words by a machine, DeepL or LibreTranslate. Nothing but texts of the menu is sent to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import requests
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import DRAFTS, MAX_TEXT, PARTS, composed, menu_languages
from restaurant.menu.services import menu
from web import languages
from web.outgoing import OneHostSession

BATCH = 50  # texts: DeepL takes no more
TIMEOUTS = (5.0, 20.0)  # seconds until there is a connection, and then until the answer
ENOUGH = 30.0  # seconds after which nothing more is asked: proxies wait for a minute
_DEEPL_TARGETS = {"en": "EN-GB", "pt": "PT-PT"}
_CONTEXT = "Dishes, drinks and choices on the menu of a restaurant."  # which DeepL reads, and does not translate
_REFUSED = gettext_lazy("The translation service answered with an error (%(status)d). %(text)s")
_REFUSALS = {
    **dict.fromkeys((401, 403), gettext_lazy("The translation service refuses MENU_TRANSLATOR_KEY.")),
    429: gettext_lazy("The translation service takes no more for now. Please try again later."),
    456: gettext_lazy("The quota of the translation service is used up."),
}


class DraftingFailed(Exception):
    """The message is for managers."""


@dataclass
class Drafted:
    number: int = 0
    rows: dict[Any, None] = field(default_factory=dict)  # those that have drafts now
    problems: dict[str, list[str]] = field(default_factory=dict)  # languages, by what they failed of


def is_offered() -> bool:
    return bool(settings.MENU_TRANSLATOR and menu_languages())


def draft(rows: Iterable[Any]) -> Drafted:
    """Draft what these rows lack in the languages of the menu. What was drafted before a failure is kept."""
    done, rows, until = Drafted(), list(rows), monotonic() + ENOUGH
    for code in menu_languages():
        texts = list(dict.fromkeys(text for row in rows for text in _missing(row, code).values()))
        try:
            for start in range(0, len(texts), BATCH):
                if monotonic() > until:
                    raise DraftingFailed(_("This takes long: please choose the rest again."))
                batch = texts[start : start + BATCH]
                _store(rows, code, dict(zip(batch, translate(batch, languages.own(), code), strict=True)), done)
        except DraftingFailed as error:
            done.problems.setdefault(str(error), []).append(languages.NAMES[code])
    return done


def _missing(row: Any, code: str) -> dict[str, str]:
    """Return the texts by part that have no words in this language."""
    own = row.words.get(code, {})
    return {part: text for part in PARTS if (text := getattr(row, part, "").strip()) and not own.get(part)}


def _store(rows: list[Any], code: str, drafts: Mapping[str, str], done: Drafted) -> None:
    """Add the drafts to what the rows have by now: what somebody has typed meanwhile stays."""
    lacking = [row for row in rows if not drafts.keys().isdisjoint(_missing(row, code).values())]
    with menu.changing():
        models: list[Any] = list(dict.fromkeys(map(type, lacking)))
        for model in models:
            keys, changed = [row.pk for row in lacking if type(row) is model], []
            for row in model.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"):
                own = row.words.get(code, {})
                new = {part: drafts[text] for part, text in _missing(row, code).items() if drafts.get(text)}
                if new:
                    unread = [part for part in PARTS if part in new or part in own.get(DRAFTS, ())]
                    row.words = {**row.words, code: composed({**own, **new}, unread)}
                    changed.append(row)
                    done.number += len(new)
            model.objects.bulk_update(changed, ["words"])
            done.rows |= dict.fromkeys(changed)


# --- the services ---------------------------------------------------------------------------------


def translate(texts: list[str], source: str, target: str) -> list[str]:
    """Return the texts, at most BATCH, in the target language. Raises DraftingFailed."""
    key, headers = settings.MENU_TRANSLATOR_KEY, {}
    source, short = source.partition("-")[0], target.partition("-")[0]  # `zh` of `zh-hans`
    if settings.MENU_TRANSLATOR == "deepl":
        path, headers = "/v2/translate", {"Authorization": f"DeepL-Auth-Key {key}"}
        target = _DEEPL_TARGETS.get(target, target.upper())
        body = {"text": texts, "source_lang": source.upper(), "target_lang": target, "context": _CONTEXT}
    else:
        path, body = "/translate", {"q": texts, "source": source, "target": short, "format": "text"}
        body |= {"api_key": key} if key else {}
    answer = _answer(path, body, headers)
    try:
        found = answer["translatedText"] if "q" in body else [each["text"] for each in answer["translations"]]
        "".join(found).encode()  # half a surrogate can't be stored
        if len(found) == len(texts) and max(map(len, found)) <= MAX_TEXT and "\0" not in "".join(found):
            return [text.strip() for text in found]
    except (KeyError, TypeError, ValueError):
        pass
    raise DraftingFailed(_("The translation service sent an answer that can't be read."))


def _answer(path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
    """Raises DraftingFailed."""
    try:
        with OneHostSession() as session:
            url = settings.MENU_TRANSLATOR_URL + path
            no_netrc = lambda request: request  # noqa: E731
            response = session.post(url, json=body, headers=headers, timeout=TIMEOUTS, auth=no_netrc)
    except requests.Timeout as error:
        raise DraftingFailed(_("The translation service did not answer in time.")) from error
    except OSError as error:  # every error of requests is one
        raise DraftingFailed(_("The translation service can't be reached.")) from error
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if response.status_code != 200:
        own = (answer.get("error") or answer.get("message") or "") if isinstance(answer, dict) else ""
        sentence = _REFUSALS.get(response.status_code, _REFUSED)
        raise DraftingFailed(sentence % {"status": response.status_code, "text": str(own)[:200]})
    return answer
