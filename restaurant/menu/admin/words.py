"""The menu's words in other languages, in forms of the admin."""

import json
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from restaurant.menu.models import DRAFT, PARTS, composed, of_menu
from web import languages


def fieldsets() -> list[Any]:
    """Return the part of a form with the words; none while the menu has one language."""
    return [(_("In other languages"), {"fields": ["words"]})] if of_menu() else []


class WordsWidget(forms.Widget):
    """Fields for each language of the menu, side by side. Its value is JSON, as that of Django's widget.

    Words in languages that the menu has no more are kept.
    """

    use_fieldset = True

    def __init__(self, *, has_description: bool = False) -> None:
        super().__init__()
        self.parts = PARTS[: 1 + has_description]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        words = _read(value)
        rows = [
            {
                "code": code,
                "label": languages.NAMES[code],
                "draft": {True: "1"}.get(draft := words.get(code, {}).get(DRAFT), draft),
                **{part: words.get(code, {}).get(part, "") for part in PARTS},
            }
            for code in of_menu()
        ]
        kept = json.dumps({code: own for code, own in words.items() if code not in of_menu()})
        context = {"name": name, "rows": rows, "kept": kept, "has_description": len(self.parts) > 1}
        return render_to_string("admin/restaurant/_words.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        words = _read(data.get(f"{name}-kept"))
        for code in of_menu():
            texts = {part: data.get(f"{name}-{code}-{part}", "").strip() for part in self.parts}
            draft = "" if data.get(f"{name}-{code}-read") else data.get(f"{name}-{code}-draft")
            if own := composed(texts, PARTS if draft == "1" else [draft]):
                words[code] = own
        return json.dumps(words)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-kept" not in data

    def id_for_label(self, id_: str) -> str:
        return ""


def _read(text: Any) -> dict[str, Any]:
    try:
        words = json.loads(text or "{}")
    except ValueError:
        return {}
    return words if isinstance(words, dict) else {}
