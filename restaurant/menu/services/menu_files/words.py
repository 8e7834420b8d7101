"""The words of menu files in thirteen languages, from `words.json`."""

import json
from pathlib import Path

from web.imports.reading import headings, meanings

_FILE = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))

ALLERGENS = meanings(_FILE["allergens"])
DIETS = meanings(_FILE["diets"])
TRUTH = meanings(_FILE["truth"])
HEADINGS = headings(_FILE)
# The longest first: "may contain" begins like nothing else, 可能含有 like 含有.
PRESENCE = sorted(
    ((verb, meaning) for meaning, verbs in _FILE["presence"].items() for verb in verbs.split(", ")),
    key=lambda pair: -len(pair[0]),
)
# By sign or word: the currency, "" where several have it.
CURRENCIES = {sign: code for code, signs in _FILE["currencies"].items() for sign in signs.split(", ")}
