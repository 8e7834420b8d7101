"""Cards for the tables, to print and cut."""

import re
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from num2words import num2words
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.tables import TableCards as Cards
from web.fields import ErrorResponse
from web.views import PageView

PAPERS = ("a4", "letter")
IMAGE_EDGE = 1280  # pixels, printed on 5.5 cm: 591 dots an inch
CARDS_PER_SHEET = 8


class TableCards(PageView):
    """`GET /tables/print?paper=a4|letter&numbers=1,2`: a page for the browser to print."""

    access = "restaurant.add_table"
    template_name = "restaurant/table_cards.html"

    @extend_schema(
        parameters=[
            OpenApiParameter("paper", str, enum=PAPERS, default="a4"),
            OpenApiParameter("numbers", str, description="Table numbers with commas between; all tables without it."),
        ],
        responses={200: Cards, **dict.fromkeys((400, 401, 403), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        paper = request.query_params.get("paper", "a4").lower()
        if paper not in PAPERS:
            raise ValidationError({"paper": _("The paper must be one of %(all)s.") % {"all": ", ".join(PAPERS)}})
        tables = queries.tables(_numbers(request.query_params.get("numbers", "")))
        return Response(Cards({"paper": paper, "tables": tables}, context={"edge": IMAGE_EDGE}).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        cards = [{**table, "words": in_words(table["tableNumber"])} for table in data["tables"] if table["qrCodeUrl"]]
        return {
            "sheets": [cards[start : start + CARDS_PER_SHEET] for start in range(0, len(cards), CARDS_PER_SHEET)],
            "without": [table["tableNumber"] for table in data["tables"] if not table["qrCodeUrl"]],
            "numbers": self.request.query_params.get("numbers", ""),
            "papers": [("a4", "A4"), ("letter", "Letter")],
        }


def _numbers(text: str) -> list[int] | None:
    """None for an empty text. Raises ValidationError."""
    text = text.replace(" ", "")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,5}(,[0-9]{1,5})*", text, re.ASCII):
        raise ValidationError({"numbers": _("Table numbers separated by commas are needed, such as 1,2,12.")})
    return [int(each) for each in text.split(",")]


def in_words(number: int) -> str:
    """In the page's language, or in English where num2words does not know it."""
    try:
        words = num2words(number, lang=(get_language() or "en").replace("-", "_"))
    except NotImplementedError:
        words = num2words(number, lang="en")
    return str(words)
