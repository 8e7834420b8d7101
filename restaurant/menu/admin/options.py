from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import ModelAdmin
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.menu.admin import words
from restaurant.menu.admin.fields import DeclarationField
from restaurant.menu.models import ItemOptionGroup, Option, OptionGroup
from restaurant.menu.services import menu
from restaurant.menu.services.menu_files.options_cell import MAX_CHOICES
from web.admin import change_link
from web.money_field import MoneyInput

MAX_NAMES = 3  # of items in a list's column


class _SortedFormSet(forms.BaseInlineFormSet):
    """New rows come last, unless they have a position."""

    def save_new(self, form: Any, commit: bool = True) -> Any:
        if not form.cleaned_data.get("position"):
            last = max(row.cleaned_data.get("position") or 0 for row in self.forms)
            form.cleaned_data["position"] = form.instance.position = last + 1
        return super().save_new(form, commit)


class ChoiceInline(words.WordsForm, admin.StackedInline):
    model = Option
    formset = _SortedFormSet
    extra = 0
    max_num = MAX_CHOICES
    verbose_name = gettext_lazy("choice")
    verbose_name_plural = gettext_lazy("choices")
    fields = [("position", "name", "price", "available"), "allergens"]

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 0 if obj else 3

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "allergens":
            return DeclarationField()
        if db_field.name == "price":
            kwargs["widget"] = MoneyInput()
        return super().formfield_for_dbfield(db_field, request, **kwargs)


class GroupInline(admin.TabularInline):
    """The groups of options of an item."""

    model = ItemOptionGroup
    formset = _SortedFormSet
    extra = 0
    verbose_name = gettext_lazy("group of options")
    verbose_name_plural = gettext_lazy("options")
    fields = ["group", "position"]


class ProblemFilter(admin.SimpleListFilter):
    title = gettext_lazy("can be met")
    parameter_name = "met"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("no", _("no: their items are not for sale"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(pk__in=_unmet().values("pk")) if self.value() == "no" else queryset


def _unmet() -> QuerySet[OptionGroup]:
    """Groups with fewer available choices than a guest has to take."""
    counted = OptionGroup.objects.annotate(number=Count("choices", filter=Q(choices__available=True)))
    return counted.filter(number__lt=F("min_choices"))


@admin.register(OptionGroup)
class OptionGroupAdmin(words.DraftsAdmin):
    list_display = ["name", "rule", "choices_in_words", "used_by"]
    list_filter = [ProblemFilter, words.DraftsFilter]
    search_fields = ["name__typed", "choices__name__typed"]
    search_help_text = gettext_lazy("Name, or that of a choice")
    fieldsets = [(None, {"fields": ["name", ("min_choices", "max_choices")]})]
    readonly_fields = ["items_of_it"]
    inlines = [ChoiceInline]

    class Media:
        css = {"all": ["css/admin/menu.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[OptionGroup]:
        return super().get_queryset(request).prefetch_related("choices", "items")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Describe in a sentence what the numbers of a saved group mean."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        *names, numbers = fieldsets[0][1]["fields"]
        how_many = {"fields": [numbers], "description": _rule_in_a_sentence(obj)}
        return [(None, {"fields": [*names, "items_of_it"]}), (_("How many"), how_many)]

    # --- writing ----------------------------------------------------------------------------------

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        group = OptionGroup.objects.prefetch_related("choices", "items").get(pk=form.instance.pk)
        for sentence in _problems(group):
            messages.warning(request, sentence)

    def delete_model(self, request: HttpRequest, obj: OptionGroup) -> None:
        with menu.changing():
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[OptionGroup]) -> None:
        with menu.changing():
            super().delete_queryset(request, queryset)

    # --- columns ----------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("guests choose"))
    def rule(self, group: OptionGroup) -> str:
        rule = _rule_in_words(group)
        if _available(group) < group.min_choices:
            return format_html("{} <strong>{}</strong>", rule, _("can't be met"))
        return rule

    @admin.display(description=gettext_lazy("choices"), empty_value="–")
    def choices_in_words(self, group: OptionGroup) -> str | None:
        return ", ".join(choice.name for choice in group.choices.all()) or None

    @admin.display(description=gettext_lazy("used by"), empty_value="–")
    def used_by(self, group: OptionGroup) -> str | None:
        names = [item.name for item in group.items.all()]
        more = len(names) - MAX_NAMES
        if more > 0:
            names[MAX_NAMES:] = [ngettext("%(number)d more", "%(number)d more", more) % {"number": more}]
        return ", ".join(names) or None

    @admin.display(description=gettext_lazy("used by"))
    def items_of_it(self, group: OptionGroup) -> str:
        items = group.items.all()
        if not items:
            return _("no item yet: open an item, and add this group under “Options”")
        return format_html_join(", ", "{}", ((change_link(item),) for item in items))


def _rule_in_words(group: OptionGroup) -> str:
    least, most = group.min_choices, group.max_choices
    if least == most:
        return _("exactly %(number)d") % {"number": most}
    if not least:
        return _("up to %(number)d") % {"number": most}
    return _("%(least)d to %(most)d") % {"least": least, "most": most}


def _rule_in_a_sentence(group: OptionGroup) -> str:
    least, most = group.min_choices, group.max_choices
    if least == most:
        return ngettext("Guests choose one.", "Guests choose exactly %(number)d.", most) % {"number": most}
    if not least:
        return ngettext("Guests may choose one.", "Guests may choose up to %(number)d.", most) % {"number": most}
    return _("Guests choose %(least)d to %(most)d.") % {"least": least, "most": most}


def _available(group: OptionGroup) -> int:
    return sum(choice.available for choice in group.choices.all())


def _problems(group: OptionGroup) -> list[str]:
    """Return warnings about a group that is saved all the same."""
    available, number = _available(group), len(group.choices.all())
    problems = []
    if available < group.min_choices:
        names = ", ".join(f"“{item.name}”" for item in group.items.all()[:MAX_NAMES]) or _("Its items")
        sentence = _(
            "Guests have to choose at least %(least)d of “%(name)s”, but only %(available)d can be chosen: "
            "%(items)s can't be ordered until there are enough."
        )
        problems.append(sentence % {"least": group.min_choices, "name": group, "available": available, "items": names})
    if number < group.max_choices:
        sentence = _("“%(name)s” allows %(most)d, but has %(number)d: a choice can be taken once.")
        problems.append(sentence % {"name": group, "most": group.max_choices, "number": number})
    return problems
