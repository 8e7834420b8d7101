"""The list of codes: its tabs, its filter, and the purposes of the codes on a page."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import ORDER_VAR, SEARCH_VAR, ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from qrservice import purposes, queries
from qrservice.models import OF_A_PERSON, STANDING, Code
from web.long_lists import LongList

_NO_TYPE = "-"
# Types in the metadata, as managers call them; others are shown as they are.
TYPES = {
    "restaurant_table": gettext_lazy("Tables"),
    "loyalty_member": gettext_lazy("Members' cards"),
    "reward_redemption": gettext_lazy("Reward codes"),
    "earn_points": gettext_lazy("Check-in"),
}
PLACES, MEMBERS, REWARDS, ALL = "places", "members", "rewards", "all"


class KindFilter(admin.SimpleListFilter):
    """The tabs of the list. Printed codes stand apart from those that are made for every member and every reward."""

    title = gettext_lazy("kinds of codes")
    parameter_name = "kind"
    template = "admin/_tabs.html"
    is_tabs = True

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            (PLACES, _("Tables and check-in")),
            (MEMBERS, _("Members")),
            (REWARDS, _("Rewards")),
            (ALL, _("All")),
        ]

    @classmethod
    def chosen(cls, request: HttpRequest) -> str:
        """Return the chosen tab. A search without one looks in all codes."""
        value = request.GET.get(cls.parameter_name)
        if value in {PLACES, MEMBERS, REWARDS, ALL}:
            return value
        return ALL if request.GET.get(SEARCH_VAR) else PLACES

    def queryset(self, request: HttpRequest, queryset: QuerySet[Code]) -> QuerySet[Code]:
        self.current = self.chosen(request)
        of_a_person = dict(zip((MEMBERS, REWARDS), OF_A_PERSON, strict=True))
        conditions = {PLACES: STANDING, ALL: Q()} | {tab: Q(metadata__type=type) for tab, type in of_a_person.items()}
        return queryset.filter(conditions[self.current])

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for value, title in self.lookup_choices:
            is_start = value == PLACES and not changelist.query
            parameters = {self.parameter_name: None if is_start else value}
            link = changelist.get_query_string(parameters, [TypeFilter.parameter_name])
            yield {"selected": value == self.current, "query_string": link, "display": title}


class TypeFilter(admin.SimpleListFilter):
    title = gettext_lazy("used for")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        tab = KindFilter.chosen(request)
        if tab in {MEMBERS, REWARDS}:
            return []
        names = [*queries.metadata_types(), *(OF_A_PERSON if tab == ALL else ())]
        types = [(name, str(TYPES.get(name, Truncator(name).chars(40)))) for name in names]
        return [*types, (_NO_TYPE, _("none"))] if types else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Code]) -> QuerySet[Code]:
        if self.value() is None:
            return queryset
        if self.value() == _NO_TYPE:
            return queryset.filter(metadata__type=None) | queryset.filter(metadata__type__isnull=True)
        if "\0" in str(self.value()):
            return queryset.none()
        return queryset.filter(metadata__type=self.value())


def has_state(code: Any) -> bool:
    """Return whether the code's state differs from plain "active"."""
    return code.status != Code.Status.ACTIVE or bool(code.purpose and code.purpose.state)


class CodeList(LongList):
    """Adds its purpose to each code, and drops the columns for state and card where no code on the page needs them."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        purpose_by_target = purposes.of([code.target for code in self.result_list])
        for code in self.result_list:
            code.purpose = purpose_by_target.get(code.target)
        if ORDER_VAR not in self.params and not any(has_state(code) for code in self.result_list):
            self.list_display = [column for column in self.list_display if column != "state"]
        if not any(code.purpose and code.purpose.print_url for code in self.result_list):
            self.list_display = [column for column in self.list_display if column != "card"]
