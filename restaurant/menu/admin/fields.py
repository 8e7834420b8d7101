"""Fields of the restaurant's forms in the admin."""

import json
from datetime import time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import GOES_WITH, Allergen, Declaration, Presence, Weekday

# --- days and times -------------------------------------------------------------------------------


class WeekdaysField(forms.TypedMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def __init__(self, **options: Any) -> None:
        kept = {name: options[name] for name in ("label", "help_text", "initial") if name in options}
        super().__init__(choices=Weekday.choices, coerce=int, required=options.get("required", False), **kept)
        self.widget.attrs["class"] = "weekdays"


def time_input() -> forms.TimeInput:
    """The browser's own, which every phone has."""
    return forms.TimeInput(attrs={"type": "time", "class": "clock-time"}, format="%H:%M")


class ClosingTimeField(forms.TimeField):
    """Takes 24:00 as well, which is midnight."""

    def to_python(self, value: Any) -> time | None:
        return super().to_python("00:00" if value == "24:00" else value)


# --- what goes well with a dish -------------------------------------------------------------------


class DishesWidget(forms.SelectMultiple):
    """A list to choose from for each dish."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        one = forms.Select(choices=[("", _("Add a dish")), *iter(self.choices)])  # without counting them first
        id_ = (attrs or {}).get("id", f"id_{name}")
        chosen = [*(value or []), *[""] * GOES_WITH][:GOES_WITH]
        rows = [one.render(name, each, _numbered(id_, number)) for number, each in enumerate(chosen, 1)]
        return format_html('<div class="dishes">{}</div>', format_html_join("", "{}", ((row,) for row in rows)))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [each for each in super().value_from_datadict(data, files, name) if each]


def _numbered(id_: str, number: int) -> dict[str, str]:
    """The field's label is that of the first."""
    return {"id": id_} if number == 1 else {"aria-label": _("Goes well with: %(number)d") % {"number": number}}


class DishesField(forms.ModelMultipleChoiceField):
    widget = DishesWidget

    def clean(self, value: Any) -> Any:
        chosen = super().clean(value)
        if len(chosen) > GOES_WITH:
            raise ValidationError(_("At most %(number)d dishes.") % {"number": GOES_WITH})
        return chosen


# --- allergens ------------------------------------------------------------------------------------


def declaration_in_words(declared: dict[str, str]) -> str:
    declaration = Declaration.of(declared)
    parts = [
        (_("contains %(what)s"), declaration.contains),
        (_("may contain %(what)s"), declaration.may_contain),
        (_("free from %(what)s"), declaration.free),
    ]
    return "; ".join(words % {"what": allergens_in_words(these)} for words, these in parts if these)


def declaration_in_short(declared: dict[str, str]) -> str:
    """What it contains or may contain. What it is free from is named only where there is nothing else to say."""
    declaration = Declaration.of(declared)
    if not declared:
        return _("Nothing declared")
    dangers = {each: level for each, level in declared.items() if level != Presence.FREE}
    words = [declaration_in_words(dangers)] if dangers else []
    if not words:
        words = [_free_in_words(declaration.free)]
    if undeclared := len(Allergen) - len(declared):
        words.append(_("%(number)d not declared") % {"number": undeclared})
    return capfirst("; ".join(words))


def _free_in_words(free: list[str]) -> str:
    if len(free) == len(Allergen):
        return _("free from all %(number)d") % {"number": len(free)}
    return _("free from %(what)s") % {"what": allergens_in_words(free)}


def allergens_in_words(allergens: list[str]) -> str:
    return ", ".join(str(Allergen(each).label) for each in allergens)


class _HiddenDeclaration(forms.HiddenInput):
    def format_value(self, value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value or {}, sort_keys=True)


class DeclarationWidget(forms.Widget):
    """A row of four choices for each allergen, behind a summary of what is declared. Those that nobody chose become
    "free" by one more box alone."""

    use_fieldset = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        declared = value if isinstance(value, dict) else {}
        levels = [*Presence.values, ""]
        rows = [
            {
                "value": each,
                "label": label,
                "levels": [(level, declared.get(each, "") == level) for level in levels],
            }
            for each, label in Allergen.choices
        ]
        context = {
            "name": name,
            "id": (attrs or {}).get("id", f"id_{name}"),
            "levels": [_("contains"), _("may contain"), _("free"), _("not declared")],
            "rows": rows,
            "words": declaration_in_short(declared),
            "undeclared": len(Allergen) - len(declared),
        }
        return render_to_string("admin/restaurant/_allergens.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> dict[str, str]:
        chosen = {each: data.get(f"{name}-{each}", "") for each in Allergen.values}
        if data.get(f"{name}-rest"):
            chosen = {each: level or Presence.FREE.value for each, level in chosen.items()}
        return {each: level for each, level in chosen.items() if level}

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not any(f"{name}-{each}" in data for each in Allergen.values)

    def id_for_label(self, id_: str) -> str:
        return ""


class DeclarationField(forms.Field):
    hidden_widget = _HiddenDeclaration

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=options.get("label", gettext_lazy("Allergens")),
            required=False,
            widget=DeclarationWidget(),
            initial=dict,
        )

    def to_python(self, value: Any) -> dict[str, str]:
        try:
            declared = json.loads(value) if isinstance(value, str) and value else value
        except ValueError:
            declared = None
        if declared in (None, ""):
            return {}
        if not isinstance(declared, dict) or not set(declared.values()) <= set(Presence.values):
            raise ValidationError(_("Please choose one of the four for each allergen."))
        return declared

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return self.to_python(initial() if callable(initial) else initial) != self.to_python(data)
        except ValidationError:
            return True
