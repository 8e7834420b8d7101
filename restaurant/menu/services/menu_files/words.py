"""The words of menu files in thirteen languages, from `words.json`."""

import json
import re
import unicodedata
from pathlib import Path

_FILE = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
_ALIKE = str.maketrans({"ı": "i", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "_": " "})


def key(text: str) -> str:
    """Return what is equal in spellings of a word: without accents, capitals and signs."""
    bare = re.sub("[\u0300-\u036f\u064b-\u0655]", "", unicodedata.normalize("NFKD", text.casefold()))
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFC", bare.translate(_ALIKE))))


def _meanings(words: dict[str, str]) -> dict[str, str]:
    return {key(word) or word: meaning for meaning, text in words.items() for word in text.split(", ")}


ALLERGENS = _meanings(_FILE["allergens"])
DIETS = _meanings(_FILE["diets"])
TRUTH = _meanings(_FILE["truth"])
# The columns that a heading may mean.
HEADINGS = {word: (column,) for word, column in _meanings(_FILE["columns"]).items()} | {
    key(word): tuple(columns) for words, columns in _FILE["several"].items() for word in words.split(", ")
}
# The longest first: "may contain" begins like nothing else, 可能含有 like 含有.
PRESENCE = sorted(
    ((verb, meaning) for meaning, verbs in _FILE["presence"].items() for verb in verbs.split(", ")),
    key=lambda pair: -len(pair[0]),
)
# By sign or word: the currency, "" where several have it.
CURRENCIES = {sign: code for code, signs in _FILE["currencies"].items() for sign in signs.split(", ")}
