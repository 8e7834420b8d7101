"""`?format=csv` gives the figures that the page shows: tiles, and every table."""

import re
from datetime import datetime
from html.parser import HTMLParser

import pytest

from tests.loyalty.conftest import make_location, make_reward
from tests.loyalty.reports.conftest import add, add_redemption, ago, make_member

pytestmark = pytest.mark.django_db

PATHS = ["/reports/members/{}", "/reports/loyalty", "/reports/loyalty/segments", "/reports/loyalty/re-engagement"]

# What the page calls otherwise than the file, whose names programs know.
IN_FILE = {
    "New and returning": "Loyal",
    "Good spenders": "Potential loyalists",
    "Everyone else": "New or casual",
    "Spend since joining": "Spend",
    "Average lifetime spend": "Average spend",
}
OF_PROGRAMME = [
    "Active members", "New members", "Points earned", "Rewards redeemed", "Points used or removed",
    "Points redeemed, share of earned", "Redeeming members", "Members", "Outstanding points", "Outstanding liability",
]  # fmt: skip  # the page has four as tiles, the others below
OF_MEMBER = [
    "Spend", "Average order", "Visits", "Visits per month", "Points balance", "Lifetime points", "Days as a member",
    "Card scans", "Spend, last 90 days", "Visits, last 90 days", "Spend per visit, last 90 days",
]  # fmt: skip  # the page has some of these in its words
OF_SEGMENTS = ["Champions and loyal", "At risk", "Hibernating", "Members"]  # the page has each segment's own


class Tables(HTMLParser):
    """The tables of a page: captions, and the cells of each row."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[list[str]]]] = []
        self.tiles: list[str] = []
        self._into = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.found.append(("", []))
        elif tag == "tr":
            self.found[-1][1].append([])
        elif tag in {"th", "td"}:
            self.found[-1][1][-1].append("")
            self._into = "cell"
        elif dict(attrs).get("class") == "sort-name":  # instead of the link beside it, on a phone
            self._into = ""
        elif tag == "caption":
            self._into = "caption"
        elif dict(attrs).get("class") == "tile-label":
            self.tiles.append("")
            self._into = "tile"

    def handle_endtag(self, tag):
        if tag in {"th", "td", "caption", "h2"}:
            self._into = ""

    def handle_data(self, data):
        if self._into == "cell":
            self.found[-1][1][-1][-1] += data
        elif self._into == "caption":
            self.found[-1] = (self.found[-1][0] + data, self.found[-1][1])
        elif self._into == "tile":
            self.tiles[-1] += data


def same(shown: str, written: str) -> bool:
    """A number without separators and units, a text as it is, a time by its date; what is missing is a dash."""
    if not written:
        return shown in {"", "–"}
    if re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", written):
        date = datetime.fromisoformat(written)
        return shown.startswith(f"{date.day} {date:%b}") and f" {date.year}" in shown
    if re.fullmatch(r"-?[\d.]+", written):
        digits = re.sub(r"[^\d.]", "", shown)
        is_negative = "-" in shown or "−" in shown
        return bool(digits) and float(digits) * (-1 if is_negative else 1) == float(written)
    return IN_FILE.get(shown, shown) == written


@pytest.fixture(params=PATHS)
def path(request, db):
    location = make_location("Harbour, 'east'")
    member = make_member('Ada; "the first"', orders=["1234.5", "70"], active=ago(40), lifetime=1500, tier="silver")
    add(member, points=70, order_total="70.05", location=location, description="Purchase, of wine", at=ago(2))
    add(member, kind="redeem", points=-20, at=ago(1))
    for number in range(12):
        other = make_member(f"Guest {number}", orders=["80", None], active=ago(20 * number), lifetime=100 + number)
        for _ in range(number % 4):
            add_redemption(other, make_reward(f"Reward {number}"))
    return request.param.format(member.pk)


@pytest.mark.parametrize("path", PATHS[:-1], indirect=True)
def test_every_table_is_there_row_by_row(page, sheet, path):
    response, lines = page(path), sheet(path)
    tables = Tables(response.text).found
    assert tables
    for title, rows in tables:
        assert title in {each["title"] for each in response.context["tables"]}
        start = lines.index([title])
        in_file = [row for row in rows if row[0] != "Slipping away"]  # there they are "New or casual"
        for row, line in zip(in_file, lines[start + 1 :], strict=False):
            assert len(row) == len(line)
            assert all(same(shown, written) for shown, written in zip(row, line, strict=True)), (row, line)
        end = start + 1 + len(in_file)
        assert lines[end : end + 1] in ([], [[]]), "the sheet has more rows than the page"


@pytest.mark.parametrize("path", PATHS[-1:], indirect=True)
def test_the_list_to_win_back_is_there_row_by_row(page, sheet, path):
    [(title, [heads, *rows])] = Tables(page(f"{path}?shown=all").text).found
    lines = sheet(path)
    names, *written = lines[lines.index([title]) + 1 :]
    assert rows
    for row, line in zip(rows, written[: written.index([])], strict=True):
        listed, in_file = dict(zip(heads, row, strict=True)), dict(zip(names, line, strict=True))
        assert listed["Member"] == f"{in_file['Member']} {in_file['Email']}"
        words = "point" if in_file["Points"] == "1" else "points"
        assert listed["Offer"] == f"{in_file['Offer']} {listed['Points']} {words}"
        for name in ("Last active", "Points", "Lifetime points"):
            assert same(listed[name].removeprefix(f"{name} "), in_file[name]), (name, row, line)


def test_every_tile_is_there(page, sheet, path):
    labels = Tables(page(path).text).tiles
    lines = sheet(path)
    assert lines[0] == ["Key figures"]
    on_page = [IN_FILE.get(label, label) for label in labels]
    named = OF_SEGMENTS if path.endswith("/segments") else OF_MEMBER if "/members/" in path else on_page
    if path.endswith("/loyalty"):
        named = OF_PROGRAMME
    assert path.endswith("/segments") or set(on_page) <= set(named)
    assert [line[0] for line in lines[2 : 2 + len(named)]] == named
    assert lines[2 + len(named)] == []


def test_the_file_has_a_name_with_the_day(program, path):
    name = program.get(path, {"format": "csv"})["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="[a-z0-9-]+-2026-03-18\.csv"', name)


def test_a_name_is_no_formula(sheet):
    make_member("=1+1", lifetime=100, active=ago(40))
    assert any(line and line[0] == "'=1+1" for line in sheet("/reports/loyalty/re-engagement"))
