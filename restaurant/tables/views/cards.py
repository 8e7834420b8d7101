"""Cards for the tables, to print and cut."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from num2words import num2words
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant.tables.models import Table
from restaurant.tables.queries import card_image_url, last_day_of_new_tables, tables_in
from restaurant.tables.serializers.tables import TableCards as TableCardsState
from web.fields import ErrorResponse
from web.hosts import is_own_host_local
from web.views import ObjectResponse, Page, PageView, parse_choice, parse_day

PAPERS = {"a4": "A4", "letter": "US Letter"}


@dataclass(frozen=True, slots=True)
class Layout:
    label: str | Promise
    size: str | Promise
    how: str | Promise
    on_sheet: dict[str, int]  # how many cards, by paper
    faces: int = 1


LAYOUTS = {
    "card": Layout(
        gettext_lazy("Cards"),
        gettext_lazy("4 to a sheet"),
        gettext_lazy("Cut along the marks: two cuts make four cards."),
        dict.fromkeys(PAPERS, 4),
    ),
    "tent": Layout(
        gettext_lazy("Tents"),
        gettext_lazy("2 to a sheet, to stand"),
        gettext_lazy(
            "1. Cut along the marks. 2. Fold back at the dashes. 3. Glue one flap onto the other: they make the base. "
            "Thick paper, 160 to 200 g/m², stands best."
        ),
        dict.fromkeys(PAPERS, 2),
        faces=2,
    ),
    "sticker": Layout(
        gettext_lazy("Stickers"),
        "",  # its paper says how many labels
        "",  # and which
        {"a4": 21, "letter": 10},
    ),
    "page": Layout(
        gettext_lazy("Posters"),
        gettext_lazy("1 to a page"),
        gettext_lazy("One page for each table, for a frame or the wall."),
        dict.fromkeys(PAPERS, 1),
    ),
}
# On a tent's own flap: each with its sign.
STEPS = (
    ("cut", gettext_lazy("1. Cut along the marks.")),
    ("fold", gettext_lazy("2. Fold back at the dashes.")),
    ("stick", gettext_lazy("3. Glue one flap onto the other: they make the base.")),
)
LABELS = {
    "a4": gettext_lazy("For labels of 63.5 × 38.1 mm, 21 to a sheet (L7160)."),
    "letter": gettext_lazy("For labels of 4 × 2 in, 10 to a sheet (5163)."),
}
CHOICES = ("all", "new", "some")  # of tables
MOST_COPIES = 9
LONGEST_HEADLINE = 60  # characters that leave the codes their size
_ONE_LINE = 30  # characters that most layouts print in a line


@dataclass(frozen=True, slots=True)
class ChosenTables:
    """The tables whose cards are to be printed. A table without a code has no card."""

    paper: str
    layout: str
    tables: list[Table]


class Card(NamedTuple):
    table: Table
    image_url: str
    caption: str


class TableCards(PageView):
    """`GET /tables/print`: a page for the browser to print."""

    access = "restaurant.add_table"
    template_name = "restaurant/tables/table_cards.html"
    context_object_name = "chosen"

    @extend_schema(
        parameters=[
            OpenApiParameter("paper", str, enum=tuple(PAPERS), default="a4"),
            OpenApiParameter("layout", str, enum=tuple(LAYOUTS), default="card"),
            OpenApiParameter("tables", str, enum=CHOICES, description="Without it: what `numbers` or `since` says."),
            OpenApiParameter("numbers", str, description="Table numbers and ranges of them: `1-12,15`."),
            OpenApiParameter("since", date, description="Tables that were added on this day or later."),
            OpenApiParameter("headline", str, description="What the page prints above the codes."),
            OpenApiParameter("copies", int, default=1, description="How many cards of each table, 9 at most."),
            OpenApiParameter("start", int, default=1, description="The first label that is left on the first sheet."),
        ],
        responses={200: TableCardsState, **dict.fromkeys((400, 401, 403), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        paper = parse_choice("paper", self._entered("paper"), PAPERS)
        layout = parse_choice("layout", self._entered("layout"), LAYOUTS)
        tables = self._tables()
        self._check_headline()
        self.copies = _copies(self._entered("copies"))
        self.used_labels = _used_labels(self._entered("start"), paper) if layout == "sticker" else 0
        return ObjectResponse(TableCardsState(ChosenTables(paper, layout, list(tables))))

    def page_context(self, chosen: ChosenTables) -> dict[str, Any]:
        layout, is_sticker = LAYOUTS[chosen.layout], chosen.layout == "sticker"
        cards = [_card(table) for table in chosen.tables if table.qr_code_url]
        copies = [card for card in cards for _copy in range(self.copies)]  # of a card beside each other
        places = [*([None] * self.used_labels), *copies] if cards else []
        count = layout.on_sheet[chosen.paper]
        return {
            **self._form(),
            "how": LABELS[chosen.paper] if is_sticker else layout.how,
            "steps": STEPS,
            "how_last": _("Thick paper, 160 to 200 g/m², stands best."),
            "base_url": settings.APP_BASE_URL,
            "is_loopback": is_own_host_local(),
            "faces": range(layout.faces),
            "cards": len(copies),
            "which": _which_tables(len(cards), which=self._which(), copies=self.copies),
            "sheets": [places[start : start + count] for start in range(0, len(places), count)],
            "next_label": len(places) % count + 1 if is_sticker and len(places) % count else 0,
            "free": 0 if is_sticker else -len(places) % count,
            "without": [table.table_number for table in chosen.tables if not table.qr_code_url],
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        return Page(self.template_name, self._form())

    # --- what is chosen -----------------------------------------------------------------------------

    def _entered(self, name: str) -> str:
        return self.request.query_params.get(name, "").strip()

    def _which(self) -> str:
        numbers, since = self._entered("numbers"), self._entered("since")
        return self._entered("tables").lower() or (numbers and "some") or (since and "new") or "all"

    def _tables(self) -> QuerySet[Table]:
        """Return the chosen tables, by number. Raises ValidationError."""
        parse_choice("tables", self._entered("tables"), CHOICES)
        which = self._which()
        if which == "some":
            return tables_in(_ranges(self._entered("numbers")))
        if which == "new":
            return Table.objects.filter(created_at__date__gte=parse_day("since", self._entered("since")))
        return Table.objects.all()

    def _check_headline(self) -> None:
        """Raises ValidationError."""
        if len(self._entered("headline")) > LONGEST_HEADLINE:
            sentence = _("A headline has at most %(most)s characters.") % {"most": LONGEST_HEADLINE}
            raise ValidationError({"headline": sentence})

    def _form(self) -> dict[str, Any]:
        """Return what was entered, and where the layouts and the papers on the page lead."""
        layout, paper = self._entered("layout").lower(), self._entered("paper").lower()
        entered = {
            "layout": layout if layout in LAYOUTS else "card",
            "paper": paper if paper in PAPERS else "a4",
            "tables": self._which(),
            **{name: self._entered(name) for name in ("numbers", "since", "copies", "start")},
            "headline": " ".join(self._entered("headline").split()),
        }
        usual = _("Scan to see the menu and order")
        headline = entered["headline"] or usual
        return {
            "usual_headline": usual,
            "headline": headline,
            "is_long_headline": len(headline) > _ONE_LINE,
            "longest_headline": LONGEST_HEADLINE,
            "entered": entered | {"since": entered["since"] or last_day_of_new_tables()},
            "layouts": [(name, layout, _address(entered, layout=name)) for name, layout in LAYOUTS.items()],
            # The labels of one paper aren't those of the other.
            "papers": [(name, label, _address(entered, paper=name, start="")) for name, label in PAPERS.items()],
            "labels": LAYOUTS["sticker"].on_sheet[entered["paper"]],
            "most_copies": MOST_COPIES,
        }


def _card(table: Table) -> Card:
    return Card(table, card_image_url(table), table.section or _in_words(table.table_number))


def _in_words(number: int) -> str:
    """Return the number in words of the page's language, or in English if num2words does not know that."""
    try:
        words = num2words(number, lang=(get_language() or "en").replace("-", "_"))
    except NotImplementedError:
        words = num2words(number, lang="en")
    return str(words)


def _address(entered: dict[str, str], **other: str) -> str:
    return "?" + urlencode({name: text for name, text in (entered | other).items() if text})


def _which_tables(tables: int, *, which: str, copies: int) -> str:
    """Return a line such as: 3 tables, 2 of each."""
    if not tables:
        return _("No table")
    if which == "all":
        words = ngettext("The one table", "All %(count)d tables", tables)
    else:
        words = ngettext("%(count)d table", "%(count)d tables", tables)
    return f"{words % {'count': tables}}, {_('%(copies)d of each') % {'copies': copies}}"


def _used_labels(text: str, paper: str) -> int:
    """Return how many labels are gone where `text` is the number of the first one. Raises ValidationError."""
    most = LAYOUTS["sticker"].on_sheet[paper]
    if not text:
        return 0
    if not re.fullmatch(r"[0-9]{1,2}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise ValidationError({"start": _("A label of the sheet is needed, from 1 to %(most)s.") % {"most": most}})
    return int(text) - 1


def _copies(text: str) -> int:
    """Return how many copies of a card are printed. Raises ValidationError."""
    if not re.fullmatch(r"[1-9]?", text, re.ASCII):
        raise ValidationError({"copies": _("A number of copies from 1 to 9 is needed.")})
    return int(text or 1)


def _ranges(text: str) -> list[tuple[int, int]]:
    """`1-12,15` -> [(1, 12), (15, 15)]. Raises ValidationError."""
    text = re.sub(r"\s", "", text).replace("–", "-")
    if not re.fullmatch(r"[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*", text, re.ASCII):
        raise ValidationError({"numbers": _("Table numbers separated by commas are needed, such as 1-12, 15.")})
    ends = [numbers.split("-") for numbers in text.split(",")]
    return [(int(first_and_last[0]), int(first_and_last[-1])) for first_and_last in ends]
