"""The search of the ledger finds the same as reading every line, as far back as it reads."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client

from loyalty.models import Member, PointTransaction
from loyalty.points.queries import search
from tests.loyalty.admin.pages import found

pytestmark = pytest.mark.django_db

# As the admin read it when it compared the texts of every line and its member, for one word.
OLD_SQL = """
SELECT line.id FROM loyalty_pointtransaction AS line JOIN loyalty_member AS member ON member.id = line.customer_id
 WHERE upper(member.name) LIKE upper(%(part)s) OR upper(member.email) LIKE upper(%(part)s)
       OR upper(line.description) LIKE upper(%(part)s) OR upper(line.staff_id) LIKE upper(%(part)s)
       OR upper(line.recorded_by) LIKE upper(%(part)s)
 ORDER BY line.created_at DESC, line.id DESC
"""
TERMS = ["murphy", "ANNA", "anna murphy", "murphy carla", "toast", "carla anna", "50%", "\\", "z", "nobody", "mia"]
NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)


@pytest.fixture
def lines():
    """Two of each member, the latest first."""
    names = ["Anna Murphy", "Brian Murphy", "Zoë 50% Off", "Back\\slash"]
    members = [Member.objects.create(name=name, email=f"m{place}@example.com") for place, name in enumerate(names)]
    texts = [("Burnt toast", "", "mia"), ("Purchase", "carla", "till")]
    rows = [(member, *text) for text in texts for member in members]
    made = [
        PointTransaction(
            customer=member, type="bonus", points=1, description=description, staff_id=staff, recorded_by=user,
            created_at=NOON - timedelta(minutes=place),
        )
        for place, (member, description, staff, user) in enumerate(rows)
    ]  # fmt: skip
    return PointTransaction.objects.bulk_create(made)


def ids(browser: Client, term: str, **by: str) -> list:
    return [row.pk for row in found(browser, "pointtransaction", q=term, **by)]


def by_the_old_sql(term: str) -> list:
    """Lines that have every word."""
    matches = []
    for word in term.split():
        part = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        with connection.cursor() as cursor:
            cursor.execute(OLD_SQL, {"part": f"%{part}%"})
            matches.append([pk for (pk,) in cursor.fetchall()])
    return [pk for pk in matches[0] if all(pk in others for others in matches)]


def test_it_finds_what_looking_at_every_line_finds(owners_browser, lines, monkeypatch):
    expected = {term: by_the_old_sql(term) for term in TERMS}
    assert {bool(pks) for pks in expected.values()} == {True, False}
    for few in (2_000, 0):  # members, and many of them
        monkeypatch.setattr(search, "FEW", few)
        rows = PointTransaction.objects.order_by("-created_at", "-id")
        matches = {term: search.search_transactions(rows, term.split()) for term in TERMS}
        assert {term: [row.pk for row in matches[term]] for term in TERMS} == expected
    assert {term: ids(owners_browser, term) for term in TERMS[2:4]} == {term: expected[term] for term in TERMS[2:4]}


def test_of_a_members_lines_it_finds_all_and_of_texts_those_of_the_latest(owners_browser, lines, monkeypatch):
    monkeypatch.setattr(search, "LATEST", 5)
    pks = [line.pk for line in lines]
    assert ids(owners_browser, "anna") == [pks[0], pks[4]]
    assert ids(owners_browser, "brian") == [pks[1], pks[5]]  # the second is older
    assert ids(owners_browser, "carla") == [pks[4]]
    assert ids(owners_browser, "brian carla") == []
    monkeypatch.setattr(search, "FEW", 0)
    assert ids(owners_browser, "murphy") == [pks[0], pks[1], pks[4]]


def test_what_is_older_is_found_by_a_filter_and_stands_in_the_file(owners_browser, lines, monkeypatch):
    monkeypatch.setattr(search, "LATEST", 1)
    assert ids(owners_browser, "carla") == []
    PointTransaction.objects.filter(pk=lines[7].pk).update(type="earn")
    assert ids(owners_browser, "carla", type__exact="earn") == [lines[7].pk]
    monkeypatch.setattr(search, "FEW", 0)
    response = owners_browser.get("/admin/loyalty/pointtransaction/export/", {"q": "carla"})
    rows = b"".join(response.streaming_content).decode().splitlines()
    assert len(rows) == 1 + 4


def test_a_members_phone_is_found(owners_browser, lines):
    Member.objects.filter(name="Brian Murphy").update(phone="+353 20 912 345")
    assert ids(owners_browser, "912") == [lines[1].pk, lines[5].pk]
