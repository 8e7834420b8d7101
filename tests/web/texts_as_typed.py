"""Texts as they are written, and as searches compare them: for the server, its database and its scripts alike."""

from unicodedata import normalize

PLAIN = {
    "Zoë Krämer": "zoe kramer", "IZGARA": "izgara", "Izgara köfte": "izgara kofte", "ızgara": "izgara",
    "İSKENDER": "iskender", "Weißwurst": "weisswurst", "GROẞ": "gross", "Smørrebrød": "smorrebrod",
    "SMØRREBRØD": "smorrebrod", "Ærø": "aero", "Œuf": "oeuf", "Łódź": "lodz", "Đà Nẵng": "da nang", "Þór": "thor",
    "chef's": "chefs", "Chef’s": "chefs", "O‘Brien": "obrien", "Crème brûlée": "creme brulee", "ΟΔΥΣΣΕΎΣ": "οδυσσευσ",
    "οδυσσεύς": "οδυσσευσ", "Борщ": "борщ", "ЙОД": "иод", "寿司": "寿司", "50% \\off_": "50% \\off_", "": "",
    "שָׁלוֹם": "שלום",
}  # fmt: skip
WRITTEN = [(form, plain) for text, plain in PLAIN.items() for form in (normalize("NFC", text), normalize("NFD", text))]
