"""Fields of the restaurant's forms in the admin."""

import json
from datetime import time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Field, TimeField
from django.template.loader import render_to_string
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import ALLERGENS, Allergen, Declaration, Presence, allergen_names

# --- days and times -------------------------------------------------------------------------------


class WeekdaysField(forms.TypedMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def __init__(self, *, required: bool = False, **options: Any) -> None:
        super().__init__(choices=WEEKDAYS, coerce=int, required=required, **options)
        self.widget.attrs["class"] = "weekdays"


# The browser's own, which every phone has.
TIME_INPUTS: "dict[type[Field[Any, Any]], dict[str, Any]]" = {
    TimeField: {"widget": forms.TimeInput(attrs={"type": "time", "class": "clock-time"}, format="%H:%M")}
}


class ClosingTimeField(forms.TimeField):
    """Takes 24:00 as well, which is midnight."""

    def to_python(self, value: Any) -> time | None:
        return super().to_python("00:00" if value == "24:00" else value)


# --- what goes well with a dish -------------------------------------------------------------------

MAX_GOES_WITH = 3  # dishes


class DishesWidget(forms.SelectMultiple):
    """A list to choose from for each dish."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        select = forms.Select(choices=[("", _("Add a dish")), *iter(self.choices)])  # without counting them first
        id_ = (attrs or {}).get("id", f"id_{name}")
        chosen = [*(value or []), *[""] * MAX_GOES_WITH][:MAX_GOES_WITH]
        rows = ((select.render(name, key, _numbered(id_, number)),) for number, key in enumerate(chosen, 1))
        return format_html('<div class="dishes">{}</div>', format_html_join("", "{}", rows))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [key for key in super().value_from_datadict(data, files, name) if key]


def _numbered(id_: str, number: int) -> dict[str, str]:
    """Return the attributes of the list with this number. The first has the field's label."""
    return {"id": id_} if number == 1 else {"aria-label": _("Goes well with: %(number)d") % {"number": number}}


class DishesField(forms.ModelMultipleChoiceField):
    widget = DishesWidget

    def clean(self, value: Any) -> Any:
        chosen = super().clean(value)
        if len(chosen) > MAX_GOES_WITH:
            raise ValidationError(_("At most %(number)d dishes.") % {"number": MAX_GOES_WITH})
        return chosen


# --- allergens ------------------------------------------------------------------------------------


def declaration_in_words(declared: dict[str, str]) -> str:
    """Return what is contained and may be contained, or else what it is free from; and how much is not declared."""
    if not declared:
        return _("Nothing declared")
    declaration = Declaration.of(declared)
    statements = [
        f"{presence.label} {', '.join(allergen_names(allergens))}"
        for presence, allergens in (
            (Presence.CONTAINS, declaration.contains),
            (Presence.MAY_CONTAIN, declaration.may_contain),
            (Presence.FREE, [] if declaration.contains or declaration.may_contain else declaration.free),
        )
        if allergens
    ]
    if len(declaration.free) == len(Allergen):
        statements = [_("free from all %(number)d") % {"number": len(Allergen)}]
    if undeclared := len(Allergen) - len(declared):
        statements.append(_("%(number)d not declared") % {"number": undeclared})
    return capfirst("; ".join(statements))


class _HiddenDeclaration(forms.HiddenInput):
    def format_value(self, value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value or {}, sort_keys=True)


class DeclarationWidget(forms.Widget):
    """A row of four choices for each allergen, behind a summary of what is declared.

    One more box declares those as free that nobody chose.
    """

    use_fieldset = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        declared = value if isinstance(value, dict) else {}
        levels = [*Presence.values, ""]
        rows = [
            {
                "value": allergen,
                "label": label,
                "levels": [(level, declared.get(allergen, "") == level) for level in levels],
            }
            for allergen, label in Allergen.choices
        ]
        context = {
            "name": name,
            "id": (attrs or {}).get("id", f"id_{name}"),
            "levels": [_("contains"), _("may contain"), _("free"), _("not declared")],
            "rows": rows,
            "summary": declaration_in_words(declared),
            "undeclared": len(Allergen) - len(declared),
        }
        return render_to_string("admin/restaurant/_allergens.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> dict[str, str]:
        rest = Presence.FREE.value if data.get(f"{name}-rest") else ""
        chosen = {allergen: data.get(f"{name}-{allergen}") or rest for allergen in ALLERGENS}
        return {allergen: level for allergen, level in chosen.items() if level}

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not any(f"{name}-{allergen}" in data for allergen in ALLERGENS)

    def id_for_label(self, id_: str) -> str:
        return ""


class DeclarationField(forms.Field):
    hidden_widget = _HiddenDeclaration

    widget = DeclarationWidget

    def __init__(self) -> None:
        super().__init__(label=gettext_lazy("Allergens"), required=False, initial=dict)

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
