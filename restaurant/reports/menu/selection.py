"""Which items the list of the menu's page has, as its parameters choose them."""

from collections import Counter
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from restaurant.reports.menu import ItemSales
from restaurant.reports.menu.classes import ON_PAGE, class_on_page
from restaurant.reports.menu.margins import GROUPS, Margin
from web.choices import Choice, with_parameter
from web.searching import has_terms
from web.templatetags.reports import shown


@dataclass(frozen=True, slots=True)
class Selection:
    """`parameters`: of the request, of which `class`, or by margin `group`, and `q`, a part of names, choose items."""

    parameters: QueryDict
    is_by_margin: bool

    @property
    def text(self) -> str:
        return self.parameters.get("q", "").strip()

    @property
    def class_or_group(self) -> str:
        """The chosen class or group; empty for all."""
        names = GROUPS.keys() if self.is_by_margin else ON_PAGE.keys()
        name = self.parameters.get(self._parameter, "")
        return name if name in names else ""

    @property
    def _parameter(self) -> str:
        return "group" if self.is_by_margin else "class"

    def has(self, sales: ItemSales, margin: Margin | None) -> bool:
        if not has_terms(sales.item.name, self.text.split()):
            return False
        if self.is_by_margin:
            return margin is not None and self.class_or_group in ("", margin.group)
        return self.class_or_group in ("", class_on_page(sales))

    def choices(self) -> list[Choice]:
        """Each leads to the list without it."""
        chosen = []
        if name := self.class_or_group:
            label = str(GROUPS[name].label if self.is_by_margin else ON_PAGE[name])
            chosen.append(Choice(label, with_parameter(self.parameters, self._parameter, ""), True))
        if self.text:
            chosen.append(Choice(f"“{self.text}”", with_parameter(self.parameters, "q", ""), True))
        return chosen

    def ways(self) -> list[Choice]:
        """Return by which figure items may be classed. Neither keeps what was chosen of the other, nor its order."""
        others = self.parameters.copy()
        for name in ("class", "group", "sort"):
            others.pop(name, None)
        return [
            Choice(_("By sales"), with_parameter(others, "by", ""), not self.is_by_margin),
            Choice(_("By margin"), with_parameter(others, "by", "margin"), self.is_by_margin),
        ]


def by_category(items: list[ItemSales], parameters: QueryDict) -> tuple[list[Choice], list[ItemSales]]:
    """Return the categories by name, the first all of them; and the items of the chosen one.

    `?category=` that there is none of is all.
    """
    counts = Counter(sales.item.category_name for sales in items)
    chosen = parameters.get("category", "")
    chosen = chosen if chosen in counts else ""
    labels = {"": _("All")} | {name: name for name in sorted(counts, key=str.casefold)}
    choices = [
        Choice(
            f"{label} {shown(counts[name] if name else len(items), 'number')}",
            with_parameter(parameters, "category", name),
            name == chosen,
        )
        for name, label in labels.items()
    ]
    return choices, [sales for sales in items if chosen in ("", sales.item.category_name)]
