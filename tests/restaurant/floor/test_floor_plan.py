"""`/floor/plan`, where managers place the tables."""

import re
from functools import partial
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction

from restaurant.models import RoomFeature, Table
from tests.at_once import at_once
from tests.conftest import PAGE, make_table, make_user, signed_in
from tests.reading import read
from tests.restaurant.floor.plans import (
    PLAN,
    entered,
    fields,
    marked,
    opened,
    places,
    put,
)
from tests.restaurant.ordering.forms import form_of

pytestmark = pytest.mark.django_db


def test_tables_get_places_change_them_with_each_other_and_lose_them(owner, tables):
    make_table(9, "Bar")
    form = opened(owner)
    assert [name for name in form if name.startswith("shape")] == ["shape-1", "shape-2", "shape-3"]
    response = owner.post(PLAN, put(form, t1="3,2", t2=" 12 , 12"))
    assert (response.status_code, response["Location"]) == (303, "/floor/plan?section=Window")
    assert "The plan is saved." in read(owner.get(response["Location"]))
    assert places() == {1: (3, 2), 2: (12, 12), 3: None, 9: None}
    owner.post(PLAN, put(opened(owner), t1="12,12", t2="3,2"))
    assert places() == {1: (12, 12), 2: (3, 2), 3: None, 9: None}
    owner.post(PLAN, put(opened(owner), t1=",", t3="12,12"))
    assert places() == {1: None, 2: (3, 2), 3: (12, 12), 9: None}
    owner.post(PLAN, put(opened(owner, "Bar"), t9="3,2"))  # of another room
    assert places() == {1: None, 2: (3, 2), 3: (12, 12), 9: (3, 2)}


def test_of_wrong_numbers_nothing_is_saved_and_all_that_was_entered_is_kept(subtests, owner, tables):
    for place in ["0,1", "13,1", "1,13", "x,1", "1,-1", "1.5,1", "3,", ",3", "\N{SUPERSCRIPT TWO},1"]:
        with subtests.test(place=place):
            form = put(opened(owner), t1="5,5", t2=place)
            response = owner.post(PLAN, form)
            page = read(response)
            assert response.status_code == 400
            assert "Nothing was saved. Please check the numbers that are marked." in page
            assert entered(fields(page)) == entered(form)
            [wrong] = marked(page)
            assert wrong in ("column-2", "row-2")
            assert page.field(wrong)["aria-describedby"].split() == ["table-2", "wrong-2"]
            wrong_row = next(item.text for item in page.all("item") if item.get("data-table") == "2")
            assert re.search(r"A (whole number from 1 to 12 is needed|place has a column and a row)\.", wrong_row)
            assert set(places().values()) == {None}


def test_two_tables_cannot_stand_in_one_place(owner, tables):
    form = put(opened(owner), t1="2,2", t3="2,2")
    response = owner.post(PLAN, form)
    page = read(response)
    assert response.status_code == 409
    assert "Tables 1 and 3 can't both stand in column 2, row 2." in page
    assert entered(fields(page)) == entered(form)
    assert marked(page) == ["column-1", "row-1", "column-3", "row-3"]
    assert set(places().values()) == {None}
    Table.objects.filter(table_number=1).update(plan_column=2, plan_row=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(table_number=3).update(plan_column=2, plan_row=2)
    for wrong in ({"plan_column": None}, {"plan_row": 13}, {"plan_column": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Table.objects.filter(table_number=1).update(**wrong)


def test_of_two_managers_each_keeps_what_the_other_has_not_touched(owner, tables):
    one, other = put(opened(owner), t1="1,1"), put(opened(owner), t2="2,1")
    assert [owner.post(PLAN, form).status_code for form in (one, other)] == [303, 303]
    assert places() == {1: (1, 1), 2: (2, 1), 3: None}


def test_who_moves_a_table_that_was_moved_meanwhile_is_asked_and_loses_nothing(owner, tables):
    one, other = put(opened(owner), t1="1,1", t3="3,3"), put(opened(owner), t1="2,2", t2="4,4")
    owner.post(PLAN, one)
    refused = owner.post(PLAN, other)
    page = read(refused)
    assert refused.status_code == 409
    assert "Somebody else has changed this meanwhile: table 1. Nothing was saved." in page
    assert places() == {1: (1, 1), 2: None, 3: (3, 3)}
    again = fields(page)
    assert (again["column-1"], again["column-2"], again["column-3"]) == ("2", "4", "3")  # 3 where the other put it
    assert owner.post(PLAN, again).status_code == 303
    assert places() == {1: (2, 2), 2: (4, 4), 3: (3, 3)}
    assert owner.post(PLAN, again).status_code == 303  # sent twice


def test_wrong_numbers_do_not_hide_that_somebody_else_has_moved_the_table(owner, tables):
    form = put(opened(owner), t1="2,2", t2="99,1")
    owner.post(PLAN, put(opened(owner), t1="1,1"))
    again = fields(owner.post(PLAN, form))
    assert owner.post(PLAN, put(again, t2="5,1")).status_code == 409
    assert places() == {1: (1, 1), 2: None, 3: None}


def test_a_table_that_is_gone_meanwhile_is_named_and_the_others_are_placed(owner, tables):
    form = put(opened(owner), t1="1,1", t2="2,1", t3="3,1")
    tables[1].delete()
    Table.objects.filter(table_number=3).update(section="Bar")
    page = read(owner.get(owner.post(PLAN, form)["Location"]))
    assert "Tables 2, 3 are not in this section any more." in page
    assert places() == {1: (1, 1), 3: None}


def test_programs_place_the_tables_that_they_name(manager, tables):
    Table.objects.filter(table_number=2).update(capacity=6)
    tables_named = [{"tableNumber": 1, "column": 2, "row": 3, "capacity": 4}, {"tableNumber": 2}, {"tableNumber": 8}]
    body = {"section": "Window", "tables": tables_named}
    response = manager.post(PLAN, body, format="json")
    assert (response.status_code, response.json()) == (200, {
        "section": "Window", "sections": ["Window"], "missing": [8], "features": [], "tables": [
            {"tableNumber": 1, "capacity": 4, "column": 2, "row": 3, "shape": "square"},
            {"tableNumber": 2, "capacity": 6, "column": None, "row": None, "shape": "long"},
            {"tableNumber": 3, "capacity": None, "column": None, "row": None, "shape": "square"},
        ]
    })  # fmt: skip
    for wrong in ({"tableNumber": 2, "column": 1}, {"tableNumber": 2, "column": "1", "row": "1"}, {"column": 1}):
        for accept in ("application/json", PAGE):
            refused = manager.post(PLAN, {"section": "", "tables": [wrong]}, format="json", headers={"accept": accept})
            assert refused.status_code == 400
    twice = [{"tableNumber": 2, "column": 5, "row": 5}, {"tableNumber": 2}]
    assert manager.post(PLAN, {"section": "Window", "tables": twice}, format="json").status_code == 400
    taken = {"section": "Window", "tables": [{"tableNumber": 3, "column": 2, "row": 3}]}
    response = manager.post(PLAN, taken, format="json")
    assert (response.status_code, response.json()["tables"]) == (409, [1, 3])


def test_a_section_is_added_from_the_plan_by_who_may_add_tables(owner, browser_client, tables):
    page = read(owner.get(PLAN))
    sheets = [form_of(page, address).fields() for address in ("/tables", "/tables/range")]
    assert (sheets[0]["tableNumber"], sheets[1]["from"]) == ("4", "4")
    form = sheets[1] | {"section": "Garden", "to": "5"}
    refused = owner.post("/tables/range", form | {"to": "2"})
    assert (refused.status_code, read(refused).field("plan")["value"]) == (400, "1")
    response = owner.post("/tables/range", form)
    assert (response.status_code, response["Location"]) == (303, "/floor/plan?section=Garden&added=4%2C5")
    page = read(owner.get(response["Location"]))
    assert "Added: tables 4–5." in page
    assert page.one("link", "Print their cards")["href"] == "/tables/print?numbers=4%2C5"
    assert page.one("link", "Garden")["aria-current"] == "page"
    again = owner.post("/tables/range", form)["Location"]  # none is new
    assert again == "/tables/range?plan=1"
    assert "There already, and left as before: 4–5." in read(owner.get(again))
    arranger = make_user("Cashiers", "arranger")
    arranger.user_permissions.add(Permission.objects.get(codename="change_table"))
    browser_client.force_login(arranger)
    page = read(browser_client.get(PLAN))
    assert not [form for form in page.all("form") if form.get("action") in ("/tables", "/tables/range")]
    assert not [address for _name, address in page.links() if "tables/range" in address]


@pytest.mark.django_db(transaction=True)
@pytest.mark.race
def test_of_two_who_choose_one_place_at_once_one_gets_it_and_the_other_is_told():
    for number in (1, 2):
        make_table(number)
    plant = {"id": str(uuid4()), "kind": "plant", "column": 1, "row": 1, "width": 1, "height": 1}
    clients = [signed_in(make_user("Managers", name)) for name in ("anna", "ben")]

    def choose(number: int, client) -> int:
        body = {"section": "Window", "tables": [{"tableNumber": number, "column": 1, "row": 1}], "features": [plant]}
        return client.post(PLAN, body, format="json").status_code

    for _round in range(8):
        Table.objects.update(plan_column=None, plan_row=None)
        RoomFeature.objects.all().delete()
        done = at_once([partial(choose, number, client) for number, client in enumerate(clients, start=1)])
        assert sorted(done) == [200, 409]
        assert Table.objects.filter(plan_column=1, plan_row=1).count() == RoomFeature.objects.count() == 1
