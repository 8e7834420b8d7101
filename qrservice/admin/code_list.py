"""The list of codes: its filter by what they are for, and the purposes of the codes on a page."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from qrservice import purposes
from qrservice.models import OF_A_PERSON, STANDING, Code

PLACES, MEMBERS, REWARDS, ALL = "places", "members", "rewards", "all"


class KindFilter(admin.SimpleListFilter):
    """Printed codes stand apart from those that are made for every member and every reward."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            (PLACES, _("Tables and check-in")),
            (MEMBERS, _("Members")),
            (REWARDS, _("Rewards")),
            (ALL, _("All")),
        ]

    @classmethod
    def chosen(cls, request: HttpRequest) -> str:
        """Return the chosen kind. A search without one looks in all codes."""
        value = request.GET.get(cls.parameter_name)
        if value in {PLACES, MEMBERS, REWARDS, ALL}:
            return value
        return ALL if request.GET.get(SEARCH_VAR) else PLACES

    def queryset(self, request: HttpRequest, queryset: QuerySet[Code]) -> QuerySet[Code]:
        self.current = self.chosen(request)
        of_a_person = dict(zip((MEMBERS, REWARDS), OF_A_PERSON, strict=True))
        conditions = {PLACES: STANDING, ALL: Q()} | {kind: Q(metadata__type=type) for kind, type in of_a_person.items()}
        return queryset.filter(conditions[self.current])

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for value, title in self.lookup_choices:
            link = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": value == self.current, "query_string": link, "display": title}


class CodeList(ChangeList):
    """Adds its purpose to each code."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        purpose_by_target = purposes.of([code.target for code in self.result_list])
        for code in self.result_list:
            code.purpose = purpose_by_target.get(code.target)
