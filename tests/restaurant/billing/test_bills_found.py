"""`GET /bills`: cashiers find bills, open and closed, by table, number, day and amount."""

from datetime import UTC, datetime, time, timedelta

import pytest

from config.models import Venue
from restaurant.billing.services import closing
from restaurant.models import TableSession
from tests.conftest import PAGE, make_table, order_body
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def parties(api, floor, session, soup, bread) -> dict[str, TableSession]:
    """At table 7 one that has left and one that sits there, at table 8 one of a month ago, and one without a bill."""
    made = {"left": session}
    api.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    paid = {"sessionId": str(session.pk), "method": "card", "amount": 5, "tip": 1.5}
    assert floor.post("/table/7/payments", paid, format="json").status_code == 201
    closing.close_session(table_number=7, session_id=str(session.pk))
    made["here"] = TableSession.objects.create(table=session.table)
    api.post("/table/7/order", order_body(made["here"], (bread, 1)), format="json")
    made["old"] = TableSession.objects.create(table=make_table(8))
    api.post("/table/8/order", order_body(made["old"], (bread, 2)), format="json")
    closing.close_session(table_number=8, session_id=str(made["old"].pk))
    past = made["old"].started_at - timedelta(days=30)
    TableSession.objects.filter(pk=made["old"].pk).update(started_at=past, ended_at=past)
    TableSession.objects.create(table=make_table(9))
    return made


def test_bills_are_found_by_table_number_day_and_amount(cashier, parties, subtests):
    day = (parties["old"].started_at - timedelta(days=30)).date().isoformat()
    for query, names in [
        ({}, ["here", "left"]),
        ({"q": "7"}, ["here", "left"]),
        ({"q": "8"}, ["old"]),
        ({"q": "2"}, ["old"]),  # its bill's number
        ({"q": "Anna"}, []),
        ({"day": day}, ["old"]),
        ({"amount": "19"}, ["left"]),
        ({"amount": "6,50"}, ["left"]),
        ({"amount": "5.00", "q": "7"}, ["left"]),
        ({"amount": "8.50", "day": day}, ["old"]),
        ({"amount": "8.50", "q": ""}, []),
    ]:
        with subtests.test(query=query):
            found = cashier.get("/bills", query).json()["bills"]
            assert [bill["sessionId"] for bill in found] == [str(parties[name].pk) for name in names]
    left = cashier.get("/bills", {"q": "1"}).json()["bills"][0]
    assert left | {"startedAt": "", "endedAt": ""} == {
        "tableNumber": 7, "sessionId": str(parties["left"].pk), "number": 1, "startedAt": "", "endedAt": "",
        "total": 19, "due": 14,
    }  # fmt: skip


def test_a_day_lasts_until_that_of_the_venue_ends(cashier, parties):
    Venue.objects.create(day_ends_at=time(4))
    night = datetime(2026, 3, 8, 1, 30, tzinfo=UTC)
    TableSession.objects.filter(pk=parties["old"].pk).update(started_at=night, ended_at=night + timedelta(hours=2))
    found = {day: len(cashier.get("/bills", {"day": f"2026-03-{day}"}).json()["bills"]) for day in ("07", "08")}
    assert found == {"07": 1, "08": 0}


def test_the_page_leads_to_each_bill_and_to_printing_it(cashier, floor, parties):
    page = read(cashier.get("/bills", headers={"accept": PAGE}))
    links = page.one("main").links()
    assert ("Table 7 · Bill 1", parties["left"].bill_url) in links
    assert ("Print table 7", f"{parties['left'].bill_url}&print=1") in links
    for query in ({"day": "yesterday"}, {"amount": "much"}):
        refused = cashier.get("/bills", query, headers={"accept": PAGE})
        assert (refused.status_code, len(read(refused).all("alert"))) == (400, 1)
    for client, path in ((cashier, "/till"), (floor, "/floor")):
        links = read(client.get(path, headers={"accept": PAGE})).one("main").links()
        assert "/bills" in [address for _name, address in links]
