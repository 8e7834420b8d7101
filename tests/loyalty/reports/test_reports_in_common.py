"""What holds for each report: who reads it, in which formats, by how many queries, and that its file has all."""

import re
from datetime import datetime

import pytest
from django.core.cache import cache

from loyalty.models import Member
from loyalty.urls import urlpatterns
from tests.conftest import PAGE, own_queries
from tests.loyalty.making import enrol, make_location, make_reward
from tests.loyalty.reports.making import add, add_redemption, ago, make_member
from tests.reading import Part, read
from web.views import ReportView

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

# Of JSON, and of page and CSV, which show more. Those of the page also ask what the member orders most, the next
# reward, and of letters; what all guests spent; how it was 30 days ago. Those of authentication are not counted.
QUERIES = {
    "/reports/members/{}": (3, 8),
    "/reports/loyalty": (5, 19),
    "/reports/loyalty/segments": (1, 3),
    "/reports/loyalty/re-engagement": (1, 5),
}
KINDS = {"json": "application/json", "html": "text/html", "csv": "text/csv"}
# What the page calls otherwise than the file, whose names programs know.
IN_FILE = {
    "New and returning": "Loyal",
    "Good spenders": "Potential loyalists",
    "Everyone else": "New or casual",
    "Spend since joining": "Spend",
    "Average lifetime spend": "Average spend",
}
FIGURES = {  # of the file; the page says some of them in its words
    "/reports/members/{}": [
        "Spend", "Average order", "Visits", "Visits per month", "Points balance", "Lifetime points", "Days as a member",
        "Card scans", "Spend, last 90 days", "Visits, last 90 days", "Spend per visit, last 90 days",
    ],
    "/reports/loyalty": [
        "Active members", "New members", "Points earned", "Rewards redeemed", "Points used or removed",
        "Points redeemed, share of earned", "Redeeming members", "Members", "Outstanding points",
        "Outstanding liability",
    ],
    "/reports/loyalty/segments": ["Champions and loyal", "At risk", "Hibernating", "Members"],
    "/reports/loyalty/re-engagement": [],
}  # fmt: skip


@pytest.fixture
def member() -> Member:
    """With a code, of which the scans are read, among others."""
    location = make_location("Harbour, 'east'")
    _phone, member = enrol(name='Ada; "the first"')
    Member.objects.filter(pk=member.pk).update(last_activity_at=ago(40), lifetime_points=1500, tier="silver")
    add(member, order_total="1234.5", at=ago(40))
    add(member, points=70, order_total="70.05", location=location, description="Purchase, of wine", at=ago(2))
    add(member, kind="redeem", points=-20, at=ago(1))
    for number in range(12):
        other = make_member(f"Guest {number}", orders=["80", None], active=ago(20 * number), lifetime=100 + number)
        for _ in range(number % 4):
            add_redemption(other, make_reward(f"Reward {number}"))
    return member


def test_the_reports_are_those_of_the_urls():
    paths = {str(each.pattern) for each in urlpatterns if issubclass(each.callback.view_class, ReportView)}
    assert {f"/{path}".replace("<str:customer_id>", "{}") for path in paths} == set(QUERIES) == set(FIGURES)


def test_managers_alone_read_them_and_nobody_between_keeps_them(member, manager, cashier, floor, api, browser_client):
    wrong = []
    for path in [path.format(member.pk) for path in QUERIES]:
        for format_, kind in KINDS.items():
            response = manager.get(path, {"format": format_})
            found = (response.status_code, response["Content-Type"].split(";")[0], response["Cache-Control"])
            if found != (200, kind, "private, no-cache"):
                wrong.append((path, format_, found))
        for client, status in ((cashier, 403), (floor, 403), (api, 401)):
            for format_ in ("json", "csv"):
                response = client.get(path, {"format": format_})
                if (response.status_code, set(response.json())) != (status, {"error"}):
                    wrong.append((path, format_, response.status_code, response.content))
        response = browser_client.get(path, headers={"accept": PAGE})
        if response.status_code != 302 or not response["Location"].startswith("/sign-in?next=%2Freports%2F"):
            wrong.append((path, response.status_code, response.headers))
    assert wrong == []


def test_they_take_a_fixed_number_of_queries(member, program, manager):
    wrong = []
    for path, (of_json, of_page) in QUERIES.items():
        # A page with a period also asks whether there was anything a year ago; its header what needs attention.
        of_html = of_page + path.endswith("/loyalty") + 2
        calls = [(program, "json", of_json), (manager, "json", of_json), (manager, "csv", of_page)]
        for client, format_, expected in [*calls, (manager, "html", of_html)]:
            headers = {"accept": PAGE} if client is manager else {}
            cache.clear()  # what is read once a day
            with own_queries() as queries:
                assert client.get(path.format(member.pk), {"format": format_}, headers=headers).status_code == 200
            if len(queries) != expected:
                wrong.append((path, format_, expected, queries))
    assert wrong == []


# --- the file ---------------------------------------------------------------------------------------


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


def in_file(lines: list[list[str]], title: str) -> list[list[str]]:
    """The rows of a table, its head included."""
    rows = lines[lines.index([title]) + 1 :]
    return rows[: rows.index([])]


def test_every_table_is_in_the_file_row_by_row(member, loyalty_page, loyalty_csv):
    for path in [path.format(member.pk) for path in QUERIES if not path.endswith("/re-engagement")]:
        page, lines = read(loyalty_page(path)), loyalty_csv(path)
        tables = page.all("table")
        assert tables
        for table in tables:
            # "Slipping away" are in the file "New or casual".
            rows = [row for row in table.rows() if not row[0].startswith("Slipping away")]
            written = in_file(lines, table.name)
            if path.endswith("/segments"):  # on the page a segment's definition is below its name
                definitions = [line.pop(5) for line in written]
                named = zip(rows, definitions, strict=True)
                rows = [[row[0].removesuffix(f" {definition}"), *row[1:]] for row, definition in named]
            assert [len(row) for row in rows] == [len(line) for line in written], (path, table.name)
            for row, line in zip(rows, written, strict=True):
                assert all(same(shown, cell) for shown, cell in zip(row, line, strict=True)), (path, row, line)


def test_the_list_to_win_back_is_in_the_file_row_by_row(member, loyalty_page, loyalty_csv):
    table = read(loyalty_page("/reports/loyalty/re-engagement?shown=all")).one("table")
    heads, *rows = table.rows()
    heads = [re.sub(r"^(.+) \1$", r"\1", head) for head in heads]  # a link, and on a phone its text
    names, *written = in_file(loyalty_csv("/reports/loyalty/re-engagement"), table.name)
    assert rows
    for row, line in zip(rows, written, strict=True):
        listed, file = dict(zip(heads, row, strict=True)), dict(zip(names, line, strict=True))
        assert listed["Member"] == f"{file['Member']} {file['Email']}"
        assert listed["Offer"] == file["Offer"]
        for name in ("Last active", "Points", "Lifetime points"):
            assert same(listed[name].removeprefix(f"{name} "), file[name]), (name, row, line)


def tiles(page: Part) -> list[str]:
    """Their labels, which are headings of items."""
    return [IN_FILE.get(name, name) for item in page.all("item") for name in item.names("heading")]


def test_every_figure_is_in_the_file_which_is_named_with_the_day(member, loyalty_page, loyalty_csv, program):
    for path, figures in FIGURES.items():
        of_page, lines = tiles(read(loyalty_page(path.format(member.pk)))), loyalty_csv(path.format(member.pk))
        assert lines[0] == ["Key figures"]
        assert [line[0] for line in in_file(lines, "Key figures")[1:]] == (figures or of_page), path
        assert set(of_page) <= set(figures or of_page), (path, of_page)  # of segments there are none
        name = program.get(path.format(member.pk), {"format": "csv"})["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="[a-z0-9-]+-2026-03-18\.csv"', name)


def test_a_name_is_no_formula(loyalty_csv):
    make_member("=1+1", lifetime=100, active=ago(40))
    assert any(line and line[0] == "'=1+1" for line in loyalty_csv("/reports/loyalty/re-engagement"))
