"""Cards for the tables, to print and cut."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from num2words import num2words
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant.tables import queries
from restaurant.tables.serializers.tables import TableCards as Cards
from web import base_address
from web.fields import ErrorResponse
from web.views import Page, PageView, parse_choice, parse_day

PAPERS = {"a4": "A4", "letter": "US Letter"}
# Pixels, printed on 15 cm at the most: 206 dots an inch. A whole number for each module of a code of 25 or 29 modules
# with its quiet zone, so that nothing but that is white around it.
IMAGE_EDGE = 33 * 37


@dataclass(frozen=True, slots=True)
class Layout:
    """`on_sheet`: how many cards there are on A4 and on Letter."""

    label: Any
    size: Any
    how: Any
    on_sheet: tuple[int, int]
    faces: int = 1


LAYOUTS = {
    "card": Layout(
        gettext_lazy("Cards"),
        gettext_lazy("4 to a sheet"),
        gettext_lazy("Cut along the marks: two cuts make four cards."),
        (4, 4),
    ),
    "tent": Layout(
        gettext_lazy("Tents"),
        gettext_lazy("2 to a sheet, to stand"),
        gettext_lazy(
            "1. Cut along the marks. 2. Fold back at the dashes. 3. Glue one flap onto the other: they make the base. "
            "Thick paper, 160 to 200 g/m², stands best."
        ),
        (2, 2),
        faces=2,
    ),
    "sticker": Layout(
        gettext_lazy("Stickers"),
        "",  # its paper says how many labels
        "",  # and which
        (21, 10),
    ),
    "page": Layout(
        gettext_lazy("Posters"),
        gettext_lazy("1 to a page"),
        gettext_lazy("One page for each table, for a frame or the wall."),
        (1, 1),
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


class TableCards(PageView):
    """`GET /tables/print`: a page for the browser to print."""

    access = "restaurant.add_table"
    template_name = "restaurant/tables/table_cards.html"

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
        responses={200: Cards, **dict.fromkeys((400, 401, 403), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        paper = parse_choice("paper", self._entered("paper"), PAPERS)
        layout = parse_choice("layout", self._entered("layout"), LAYOUTS)
        tables = queries.tables_to_print(**self._tables())
        self._check_headline()
        self.used = _used_labels(self._entered("start"), most=_on_sheet(paper)) if layout == "sticker" else 0
        self.copies = _copies(self._entered("copies"))
        shown = {"paper": paper, "layout": layout, "tables": tables}
        return Response(Cards(shown, context={"edge": IMAGE_EDGE}).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        tables = [{**table, "small": _small(table)} for table in data["tables"] if table["qrCodeUrl"]]
        cards = [table for table in tables for _copy in range(self.copies)]  # a table's own beside each other
        layout = LAYOUTS[data["layout"]]
        count = layout.on_sheet[data["paper"] == "letter"]
        places = [*([None] * self.used), *cards] if cards else []
        return {
            **self._form(),
            "how": LABELS[data["paper"]] if data["layout"] == "sticker" else layout.how,
            "steps": STEPS,
            "how_last": _("Thick paper, 160 to 200 g/m², stands best."),
            "base_url": settings.APP_BASE_URL,
            "is_loopback": base_address.is_loopback(),
            "faces": range(layout.faces),
            "cards": len(cards),
            "chosen": _chosen(len(tables), which=self._which(), copies=self.copies),
            "sheets": [places[start : start + count] for start in range(0, len(places), count)],
            "next_label": len(places) % count + 1 if data["layout"] == "sticker" and len(places) % count else 0,
            "free": -len(places) % count if data["layout"] != "sticker" else 0,
            "without": [table["tableNumber"] for table in data["tables"] if not table["qrCodeUrl"]],
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page:
        return Page(self.template_name, self._form())

    # --- what is chosen -----------------------------------------------------------------------------

    def _entered(self, name: str) -> str:
        return self.request.query_params.get(name, "").strip()

    def _which(self) -> str:
        numbers, since = self._entered("numbers"), self._entered("since")
        return self._entered("tables").lower() or (numbers and "some") or (since and "new") or "all"

    def _tables(self) -> dict[str, Any]:
        """The arguments of the query. Raises ValidationError."""
        parse_choice("tables", self._entered("tables"), CHOICES)
        which = self._which()
        if which == "some":
            return {"ranges": _ranges(self._entered("numbers"))}
        return {"since": parse_day("since", self._entered("since"))} if which == "new" else {}

    def _check_headline(self) -> None:
        """Raises ValidationError."""
        if len(self._entered("headline")) > LONGEST_HEADLINE:
            sentence = _("A headline has at most %(most)s characters.") % {"most": LONGEST_HEADLINE}
            raise ValidationError({"headline": sentence})

    def _form(self) -> dict[str, Any]:
        """What the choices on the page show and where they lead."""
        entered = {
            "layout": _one_of(LAYOUTS, self._entered("layout").lower()),
            "paper": _one_of(PAPERS, self._entered("paper").lower()),
            "tables": self._which(),
            "numbers": self._entered("numbers"),
            "since": self._entered("since"),
            "copies": self._entered("copies"),
            "start": self._entered("start"),
            "headline": " ".join(self._entered("headline").split()),
        }
        usual = _("Scan to see the menu and order")
        headline = entered["headline"] or usual
        return {
            "usual_headline": usual,
            "headline": headline,
            "is_long_headline": len(headline) > _ONE_LINE,
            "longest_headline": LONGEST_HEADLINE,
            "entered": entered | {"since": entered["since"] or queries.last_day_of_new_tables()},
            "layouts": [(name, each, _address(entered, layout=name)) for name, each in LAYOUTS.items()],
            # The labels of one paper aren't those of the other.
            "papers": [(name, label, _address(entered, paper=name, start="")) for name, label in PAPERS.items()],
            "labels": _on_sheet(entered["paper"]),
            "most_copies": MOST_COPIES,
        }


def _one_of(choices: dict[str, Any], text: str) -> str:
    return text if text in choices else next(iter(choices))


def _address(entered: dict[str, str], **other: str) -> str:
    return "?" + urlencode({name: text for name, text in (entered | other).items() if text})


def _chosen(tables: int, *, which: str, copies: int) -> str:
    """What the choice of tables comes to, in a line."""
    if which == "all":
        words = ngettext("The one table", "All %(count)d tables", tables)
    else:
        words = ngettext("%(count)d table", "%(count)d tables", tables)
    each = _("%(copies)d of each") % {"copies": copies}
    return f"{words % {'count': tables}}, {each}" if tables else _("No table")


def _on_sheet(paper: str) -> int:
    """How many labels a sheet of that paper has."""
    return LAYOUTS["sticker"].on_sheet[paper == "letter"]


def _used_labels(text: str, *, most: int) -> int:
    """How many labels are gone where this is the first one. Raises ValidationError."""
    if not text:
        return 0
    if not re.fullmatch(r"[0-9]{1,2}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise ValidationError({"start": _("A label of the sheet is needed, from 1 to %(most)s.") % {"most": most}})
    return int(text) - 1


def _copies(text: str) -> int:
    """Of each card. Raises ValidationError."""
    if not re.fullmatch(r"[1-9]?", text, re.ASCII):
        raise ValidationError({"copies": _("A number of copies from 1 to 9 is needed.")})
    return int(text or 1)


def _ranges(text: str) -> list[tuple[int, int]]:
    """`1-12,15` -> [(1, 12), (15, 15)]. Raises ValidationError."""
    text = re.sub(r"\s", "", text).replace("–", "-")
    if not re.fullmatch(r"[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*", text, re.ASCII):
        raise ValidationError({"numbers": _("Table numbers separated by commas are needed, such as 1-12, 15.")})
    return list(_parts(text))


def _parts(text: str) -> Iterator[tuple[int, int]]:
    for part in text.split(","):
        low, _dash, high = part.partition("-")
        yield int(low), int(high or low)


def _small(table: dict[str, Any]) -> str:
    """What stands beside the number: its section, or else the number in words."""
    return table["section"] or in_words(table["tableNumber"])


def in_words(number: int) -> str:
    """In the page's language, or in English where num2words does not know it."""
    try:
        words = num2words(number, lang=(get_language() or "en").replace("-", "_"))
    except NotImplementedError:  # raised by num2words for a language it does not know
        words = num2words(number, lang="en")
    return str(words)
