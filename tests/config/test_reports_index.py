"""`/reports`: who may read it, the way from there to every report, and what is to be done."""

import csv
import io
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission

from loyalty.models import Member
from restaurant.models import Order, TableSession
from tests.conftest import PAGE, make_table, make_user, own_queries, signed_in
from tests.reading import read

pytestmark = pytest.mark.django_db

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 11, 20, 14, 30, tzinfo=VIENNA)


@pytest.fixture(autouse=True)
def _afternoon(clock, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    clock(NOW)


@pytest.fixture
def manager(db):
    return signed_in(make_user("Managers"))


def at(hour: int, minute: int = 0, *, days_ago: int = 0) -> datetime:
    return datetime(2026, 11, 20 - days_ago, hour, minute, tzinfo=VIENNA)


def order(session: TableSession, moment: datetime, total: str) -> None:
    Order.objects.create(session=session, table=session.table, created_at=moment, total=Decimal(total))


def addresses(page) -> list[str]:
    return [address for _name, address in read(page).links()]


def test_the_page_says_it_and_leads_to_every_report_that_it_names(manager):
    page = read(manager.get("/reports", headers={"accept": PAGE}))
    for text in (
        "No orders in this period; no new members.",
        "Points earned",
        "€0.00",
        "14–20 Nov 2026, compared with 7–13 Nov 2026, both until 14:30",
    ):
        assert text in page
    named = {each["url"] for each in manager.get("/reports", headers={"accept": "application/json"}).json()["reports"]}
    links = [address for _name, address in page.links() if address.startswith("/reports/")]
    assert len(named) == 8
    week = "from=2026-11-14&to=2026-11-20"
    sales, points = (f"{path}?{week}" for path in ("/reports/restaurant", "/reports/loyalty"))
    assert named | {sales, points} <= set(links)
    assert links.count(sales) >= 5  # every figure leads to its report, and the plot
    assert links.count(points) >= 3
    assert {manager.get(link, headers={"accept": PAGE}).status_code for link in set(links)} == {200}
    today = read(manager.get("/reports?from=2026-11-20&to=2026-11-20", headers={"accept": PAGE}))
    assert "No orders yet today; no new members." in today


def test_the_front_page_leads_there(manager):
    for client, leads in ((manager, True), (signed_in(make_user("Cashiers")), False)):
        assert ("/reports" in addresses(client.get("/", headers={"accept": PAGE}))) is leads


def test_who_may_read_one_kind_sees_that_kind(db):
    user = make_user("Cashiers")
    user.user_permissions.add(Permission.objects.get(codename="view_reports", content_type__app_label="loyalty"))
    body = signed_in(user).get("/reports", headers={"accept": "application/json"}).json()
    assert "restaurant" not in body
    assert body["loyalty"]["today"]["earned"] == 0
    assert all(report["url"].startswith("/reports/loyalty") for report in body["reports"])


def test_others_may_not(client):
    assert client.get("/reports").status_code == 401
    for group in ("Cashiers", "Floor"):
        assert signed_in(make_user(group)).get("/reports").status_code == 403
    led = client.get("/reports", headers={"accept": PAGE})
    assert (led.status_code, led["Location"]) == (302, "/sign-in?next=%2Freports")


def test_who_has_signed_in_is_where_they_wanted_to_go(browser_client):
    make_user("Managers", "mia")
    page = browser_client.get(browser_client.get("/reports")["Location"])
    form = read(page).fields() | {"username": "mia", "password": "a long pass phrase"}
    assert browser_client.post("/sign-in", form)["Location"] == "/reports"


def test_a_report_as_csv_is_a_file_of_what_its_page_shows_and_an_error_is_not(manager, client):
    response = manager.get("/reports/restaurant?format=csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="')
    lines = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert lines[0] == ["Key figures"]
    refused = client.get("/reports/restaurant?format=csv")
    assert (refused.status_code, refused["Content-Type"]) == (401, "application/json; charset=utf-8")
    assert "error" in refused.json()
    led = client.get("/reports/restaurant?format=csv", headers={"accept": PAGE})
    assert (led.status_code, led["Location"]) == (302, "/sign-in?next=%2Freports%2Frestaurant%3Fformat%3Dcsv")
    assert manager.get("/table/7?format=csv").status_code == 404


def test_it_takes_few_queries(manager):
    # Restaurant and loyalty. The page has sales of two weeks, open bills, members to win back, what needs attention
    # (two), the days of which points are summed up, and whether there is a year before.
    for form, most in (("json", 4 + 3), ("html", 4 + 3 + 5 + 3 + 1)):
        with own_queries() as queries:
            assert manager.get(f"/reports?format={form}").status_code == 200
        assert len(queries) == most, form


def test_the_page_says_what_is_to_be_done(manager):
    def tasks() -> list[tuple[str, str, str, str]]:
        page = manager.get("/reports", headers={"accept": PAGE})
        return [(task.label, task.figure, task.about, task.url) for task in page.context["tasks"]]

    day, win_back = "/reports/restaurant/day", "/reports/loyalty/re-engagement"
    assert tasks() == [
        ("Still due", "€0.00", "Every bill of today is paid", day),
        ("To win back", "Nobody", "No member has stopped coming", win_back),
    ]
    table = make_table(7)
    for number, total in enumerate(("10", "5.50")):
        session = TableSession.objects.create(table=table, started_at=at(12 + number), ended_at=at(14))
        order(session, at(13), total)
    order(TableSession.objects.create(table=table, started_at=at(12, days_ago=1), ended_at=at(14)), at(13), "3")
    Member.objects.create(email="a@example.com", name="A", lifetime_points=100, last_activity_at=NOW - timedelta(40))
    assert tasks() == [
        ("Still due", "€15.50", "on 2 of today's bills", day),
        ("To win back", "1", "member has stopped coming", win_back),
    ]


def test_what_is_due_stands_out(manager):
    def looks() -> set[str]:
        items = read(manager.get("/reports", headers={"accept": PAGE})).all("item")
        return {item["class"] for item in items if item.names("heading") in (["Still due"], ["To win back"])}

    assert len(looks()) == 1
    order(TableSession.objects.create(table=make_table(7), started_at=at(12), ended_at=at(14)), at(13), "3")
    assert len(looks()) == 2


def test_who_may_read_one_kind_is_told_of_that_kind(db):
    for app, word in (("loyalty", "To win back"), ("restaurant", "Still due")):
        user = make_user("Cashiers", username=app)
        user.user_permissions.add(Permission.objects.get(codename="view_reports", content_type__app_label=app))
        page = signed_in(user).get("/reports", headers={"accept": PAGE})
        assert [task.label for task in page.context["tasks"]] == [word]


def test_the_till_leads_managers_to_a_members_visits(manager, db):
    member = Member.objects.create(email="ada@example.com", name="Ada")
    for client, leads in ((manager, True), (signed_in(make_user("Cashiers")), False)):
        page = client.get(f"/member/{member.pk}", headers={"accept": PAGE})
        assert (f"/reports/members/{member.pk}" in addresses(page)) is leads


def test_reports_are_only_read(manager):
    make_table(7)
    listed = [report["url"] for report in manager.get("/reports").json()["reports"]]
    paths = ["/reports", *listed, "/reports/restaurant/tables/7"]
    assert len(paths) > 8
    for path in paths:
        refused = {manager.generic(method, path).status_code for method in ("POST", "PUT", "PATCH", "DELETE")}
        assert refused == {405}, path
        for accept in ("application/json", PAGE):
            head = manager.head(path, headers={"accept": accept})
            assert (head.status_code, head.content) == (200, b""), path
