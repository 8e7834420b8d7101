"""The menu's words in other languages, in forms of the admin."""

import json
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.options import BaseModelAdmin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import get_language_info, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from restaurant.menu.models import DRAFTS, PARTS, Option, OptionGroup, composed, menu_languages
from restaurant.menu.services import drafting
from web import languages
from web.formats import listed


class WordsForm(BaseModelAdmin):
    """A form with the words below what they translate, its first fields, while the menu has several languages."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if not menu_languages():
            return fieldsets
        (title, options), *others = fieldsets
        fields, number = options["fields"], len(self._parts())
        return [(title, {**options, "fields": [*fields[:number], "words", *fields[number:]]}), *others]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "words":
            kwargs["widget"] = WordsWidget(self._parts())
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def _parts(self) -> list[str]:
        return [part for part in PARTS if hasattr(self.model, part)]


class DraftsFilter(admin.SimpleListFilter):
    title = gettext_lazy("language")
    parameter_name = "words"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("draft", _("Drafts to read"))] if menu_languages() else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "draft":
            return queryset
        has_draft = reduce(or_, (Q(**{f"words__{code}__has_key": DRAFTS}) for code in menu_languages()), Q(pk=None))
        if queryset.model is OptionGroup:
            has_draft |= Q(pk__in=Option.objects.filter(has_draft).values("group"))
        return queryset.filter(has_draft)


class DraftsAdmin(WordsForm, admin.ModelAdmin):
    """Its list has an action that drafts words."""

    actions = ["draft_words"]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        if not drafting.is_offered():
            actions.pop("draft_words", None)
        return actions

    @admin.action(permissions=["change"], description=gettext_lazy("Draft missing words"))
    def draft_words(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        rows = list(chosen)
        if self.model is OptionGroup and request.user.has_perm("restaurant.change_option"):
            rows += Option.objects.filter(group__in=rows)
        done = drafting.draft(rows)
        drafted = [row for row in done.rows if isinstance(row, self.model)]
        user: Any = request.user.pk
        LogEntry.objects.log_actions(user, drafted, CHANGE, change_message=_("Words were drafted."))
        if done.number or not done.problems:
            sentence = ngettext(
                "%(number)d draft was made. Guests see it once somebody has read it.",
                "%(number)d drafts were made. Guests see them once somebody has read them.",
                done.number,
            )
            messages.success(request, sentence % {"number": done.number} if done.number else _("No words are missing."))
        for sentence, of_languages in done.problems.items():
            messages.error(request, f"{listed(of_languages)}: {sentence}")


class WordsWidget(forms.Widget):
    """Fields for each language of the menu, side by side. Its value is JSON, as that of Django's widget.

    Words in languages that the menu has no more are kept.
    """

    use_fieldset = True

    def __init__(self, parts: Sequence[str]) -> None:
        super().__init__()
        self.parts = parts

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        words = _read(value)
        rows = [
            {
                "code": code,
                "label": languages.NAMES[code],
                "dir": "rtl" if get_language_info(code)["bidi"] else "ltr",
                **words.get(code, {}),
            }
            for code in menu_languages()
        ]
        kept = json.dumps({code: own for code, own in words.items() if code not in menu_languages()})
        context = {"name": name, "rows": rows, "kept": kept, "has_description": len(self.parts) > 1}
        return render_to_string("admin/restaurant/_words.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        words = _read(data.get(f"{name}-kept"))
        for code in menu_languages():
            texts = {part: data.get(f"{name}-{code}-{part}", "").strip() for part in self.parts}
            drafts = "" if data.get(f"{name}-{code}-read") else data.get(f"{name}-{code}-drafts", "")
            if own := composed(texts, drafts.split()):
                words[code] = own
        return json.dumps(words)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-kept" not in data

    def id_for_label(self, id_: str) -> str:
        return ""


def _read(text: Any) -> dict[str, Any]:
    """Return the words of a form, which `validate_words` may refuse; none where it is not one of ours."""
    try:
        return {code: composed(own, own.get(DRAFTS, ())) for code, own in json.loads(text or "{}").items()}
    except (AttributeError, TypeError, ValueError):
        return {}
