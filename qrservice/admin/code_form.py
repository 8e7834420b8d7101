"""The form of a code, which validates by the rules of `services.codes`."""

import json
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from qrservice import purposes
from qrservice.models import Code
from qrservice.purposes import Purpose
from qrservice.services import codes

# Field names at the start of the service's messages, as the form labels them.
_LABELS = {"redirect_url": gettext_lazy("The target"), "metadata": gettext_lazy("The metadata")}


def _validation_error(error: codes.InvalidCode) -> ValidationError:
    name, _space, rest = str(error).partition(" ")
    return ValidationError(f"{_LABELS.get(name, name)} {rest}")


class MetadataField(forms.CharField):
    """A JSON object as text. Django's JSONField does not report the position of an error, and fails on deep nesting."""

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else json.dumps(value or {}, ensure_ascii=False, indent=2)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return codes.check_metadata(json.loads(text) if text else {})
        except json.JSONDecodeError as error:
            sentence = _("This is not valid JSON: %(problem)s, in line %(line)d, column %(column)d.")
            where = {"problem": error.msg, "line": error.lineno, "column": error.colno}
            raise ValidationError(sentence % where) from error
        except codes.InvalidCode as error:
            raise _validation_error(error) from error
        except (ValueError, RecursionError) as error:  # a number with thousands of digits, or very deep nesting
            raise ValidationError(_("This JSON is too large or nested too deeply.")) from error

    def validate(self, value: Any) -> None:
        pass  # an empty object is valid

    def run_validators(self, value: Any) -> None:
        pass  # those of a CharField expect text

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or {}))
        except ValidationError:
            return True


def purpose_of(code: Code) -> Purpose | None:
    """Return the code's purpose, which is read once per page."""
    if not hasattr(code, "purpose"):
        code.purpose = purposes.of([code.target]).get(code.target)  # type: ignore[attr-defined]
    purpose: Purpose | None = code.purpose  # type: ignore[attr-defined]
    return purpose


def belongs_to(code: Code) -> str:
    """Return the name of the table, card, reward or location that the code belongs to; "" if there is none."""
    purpose = purpose_of(code)
    return purpose.name if purpose and purpose.row else ""


class CodeForm(forms.ModelForm):
    """Asks for confirmation before a code that belongs to something leads elsewhere."""

    # Not the model's URLField, which refuses hosts such as `http://till/`.
    target = forms.CharField(
        label=gettext_lazy("Opens the address"),
        help_text=gettext_lazy(
            "Begins with https:// or http://. You can change it at any time: what is printed stays as it is."
        ),
        widget=forms.URLInput(attrs={"class": "vURLField"}),
    )
    sure = forms.BooleanField(label=gettext_lazy("Yes, what is printed shall lead elsewhere"), required=False)
    metadata = MetadataField(
        label=gettext_lazy("Metadata"),
        required=False,
        help_text=gettext_lazy('A JSON object of at most 4 KiB, such as {"type": "restaurant_table"}.'),
        widget=AdminTextareaWidget(attrs={"rows": 6, "spellcheck": "false", "class": "vLargeTextField"}),
    )

    class Meta:
        model = Code
        fields = ["account", "target", "metadata", "status"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["target"] = self.instance.target

    @property
    def changed_data(self) -> list[str]:
        return [name for name in super().changed_data if name != "sure"]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        is_moved = "target" in values and values["target"] != self.instance.target
        if self.instance.pk and is_moved and not values.get("sure") and belongs_to(self.instance):
            sentence = _("This is the code of %(name)s. Tick this box if what is printed shall lead elsewhere.")
            self.add_error("sure", sentence % {"name": belongs_to(self.instance)})
        return values

    def clean_target(self) -> str:
        try:
            return codes.check_target(self.cleaned_data["target"], slug=self.instance.slug)
        except codes.InvalidCode as error:
            raise _validation_error(error) from error
