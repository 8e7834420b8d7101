"""The floor that shows the tables where they stand."""

import re

import pytest

from restaurant.models import RoomFeature, Table
from tests.conftest import PAGE, make_table, own_queries
from tests.reading import read
from tests.restaurant.floor.plans import (
    PLAN,
)

pytestmark = pytest.mark.django_db


def test_the_floor_says_where_tables_stand_and_lists_the_others_below(waiter, tables):
    make_table(9, "Bar")
    Table.objects.filter(table_number=2).update(plan_column=4, plan_row=6, capacity=2)
    page = read(waiter.get("/floor"))
    at = [
        (item.text[:7], item["data-column"], item["data-row"]) for item in page.all("item") if item.get("data-column")
    ]
    assert at == [("Table 2", "4", "6")]
    rest = page.one("list", "Without a place on the plan").texts("item")
    assert [text[:7] for text in rest] == ["Table 1", "Table 3"]  # nothing is placed in the bar: it stays a list
    assert [item.text[:7] for item in page.region(re.compile("^Bar")).all("item")] == ["Table 9"]
    assert "/floor/plan" not in dict(map(reversed, page.links()))
    own = waiter.get("/floor", headers={"Accept": "application/json"}).json()["tables"][1]
    assert set(own) == {"tableNumber", "section", "capacity", "session"}


def test_without_places_the_floor_has_no_plan(waiter, tables):
    response = waiter.get("/floor")
    page = read(response)
    assert "How the tables are shown" not in page.names("navigation")
    assert not [item for item in page.all("item") if item.get("data-column")]
    assert "Without a place" not in page
    assert "floor_plan" not in response.content.decode()  # no style for it either


def test_a_device_remembers_whether_it_shows_the_plan_or_the_list(waiter, tables):
    Table.objects.filter(table_number=2).update(plan_column=4, plan_row=6)

    def shown(path: str = "/floor") -> list[str]:
        ways = read(waiter.get(path)).one("navigation", "How the tables are shown").all("link")
        return [way.name for way in ways if way.get("aria-current") == "true"]

    assert shown() == ["Plan"]
    assert shown("/floor?view=list&section=Window") == ["List"]
    assert shown() == ["List"]
    assert shown("/floor?view=other") == ["Plan"]
    assert shown() == ["List"]
    assert shown("/floor?view=plan") == shown() == ["Plan"]
    assert waiter.cookies["floorView"]["path"] == "/floor"


def test_who_may_change_tables_is_led_to_the_plan(owner, tables):
    page = read(owner.get("/floor?section=Window"))
    assert page.one("link", "Arrange the tables on a plan…")["href"] == "/floor/plan?section=Window"


def test_the_plan_of_a_hundred_tables_takes_four_queries(manager):
    Table.objects.bulk_create(Table(table_number=number) for number in range(1, 101))
    plant = {"kind": "plant", "column": 1, "row": 1, "width": 1, "height": 1}
    RoomFeature.objects.bulk_create(RoomFeature(**plant) for _each in range(60))
    manager.get(PLAN, headers={"accept": PAGE})
    for accept, most in (("application/json", 2), (PAGE, 4)):  # the page has two more: what needs attention
        with own_queries() as queries:
            assert manager.get(PLAN, headers={"accept": accept}).status_code == 200
        assert len(queries) <= most, "\n".join(queries)
