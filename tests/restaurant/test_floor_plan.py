"""`/floor/plan`, where managers place the tables, and the floor that shows them there."""

import re
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from restaurant.models import Table
from tests.at_once import at_once
from tests.conftest import PAGE, make_table, make_user, own_queries, signed_in

pytestmark = pytest.mark.django_db
PLAN = "/floor/plan"


@pytest.fixture
def owner(browser_client) -> Client:
    browser_client.force_login(make_user("Managers"))
    return browser_client


@pytest.fixture
def tables() -> list[Table]:
    return [make_table(number) for number in (1, 2, 3)]


def fields(page: str) -> dict[str, str]:
    """Those of the form, as a browser would send them."""
    form = re.search(r'<form class="plan".*?</form>', page, re.DOTALL)[0]
    return dict(re.findall(r'name="(csrfmiddlewaretoken|section|seen|(?:column|row)-[0-9]+)" value="([^"]*)"', form))


def entered(form: dict[str, str]) -> dict[str, str]:
    """Without Django's token, which is written differently each time."""
    return {name: text for name, text in form.items() if name != "csrfmiddlewaretoken"}


def opened(client: Client, section: str = "Window") -> dict[str, str]:
    return fields(client.get(PLAN, {"section": section}).content.decode())


def places() -> dict[int, tuple[int, int] | None]:
    rows = Table.objects.values_list("table_number", "plan_column", "plan_row")
    return {number: (column, row) if column else None for number, column, row in rows}


def put(form: dict[str, str], **at: str) -> dict[str, str]:
    """`t1="3,2"`: the form with table 1 there."""
    moved = dict(form)
    for name, place in at.items():
        moved[f"column-{name[1:]}"], moved[f"row-{name[1:]}"] = place.split(",")
    return moved


def test_tables_get_places_change_them_with_each_other_and_lose_them(owner, tables):
    make_table(9, "Bar")
    form = opened(owner)
    assert [name for name in form if name.startswith("column")] == ["column-1", "column-2", "column-3"]
    response = owner.post(PLAN, put(form, t1="3,2", t2=" 12 , 12"))
    assert (response.status_code, response["Location"]) == (303, "/floor/plan?section=Window")
    assert "The plan is saved." in owner.get(response["Location"]).content.decode()
    assert places() == {1: (3, 2), 2: (12, 12), 3: None, 9: None}
    owner.post(PLAN, put(opened(owner), t1="12,12", t2="3,2"))
    assert places() == {1: (12, 12), 2: (3, 2), 3: None, 9: None}
    owner.post(PLAN, put(opened(owner), t1=",", t3="12,12"))
    assert places() == {1: None, 2: (3, 2), 3: (12, 12), 9: None}
    owner.post(PLAN, put(opened(owner, "Bar"), t9="3,2"))  # of another room
    assert places() == {1: None, 2: (3, 2), 3: (12, 12), 9: (3, 2)}


@pytest.mark.parametrize("place", ["0,1", "13,1", "1,13", "x,1", "1,-1", "1.5,1", "3,", ",3", "\N{SUPERSCRIPT TWO},1"])
def test_of_wrong_numbers_nothing_is_saved_and_all_that_was_entered_is_kept(owner, tables, place):
    form = put(opened(owner), t1="5,5", t2=place)
    response = owner.post(PLAN, form)
    page = response.content.decode()
    assert response.status_code == 400
    assert "Nothing was saved. Please check the numbers that are marked." in page
    assert entered(fields(page)) == entered(form)
    marked = re.findall(r'name="(\w+-\d)"[^>]*aria-describedby="table-2 wrong-2" aria-invalid="true"', page)
    assert len(marked) == 1
    assert len(re.findall("aria-invalid", page)) == 1
    assert re.search(r'id="wrong-2">A (whole number from 1 to 12 is needed|place has a column and a row)\.<', page)
    assert set(places().values()) == {None}


def test_two_tables_cannot_stand_in_one_place(owner, tables):
    form = put(opened(owner), t1="2,2", t3="2,2")
    response = owner.post(PLAN, form)
    page = response.content.decode()
    assert response.status_code == 409
    assert "Tables 1 and 3 can't both stand in column 2, row 2." in page.replace("&#x27;", "'")
    assert entered(fields(page)) == entered(form)
    assert set(re.findall(r'name="(\w+-\d)"[^>]*aria-invalid', page)) == {"column-1", "row-1", "column-3", "row-3"}
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
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Somebody else has moved table 1 meanwhile. Nothing was saved." in page
    assert places() == {1: (1, 1), 2: None, 3: (3, 3)}
    again = fields(page)
    assert (again["column-1"], again["column-2"], again["column-3"]) == ("2", "4", "3")  # 3 where the other put it
    assert owner.post(PLAN, again).status_code == 303
    assert places() == {1: (2, 2), 2: (4, 4), 3: (3, 3)}
    assert owner.post(PLAN, again).status_code == 303  # sent twice


def test_wrong_numbers_do_not_hide_that_somebody_else_has_moved_the_table(owner, tables):
    form = put(opened(owner), t1="2,2", t2="99,1")
    owner.post(PLAN, put(opened(owner), t1="1,1"))
    again = fields(owner.post(PLAN, form).content.decode())
    assert owner.post(PLAN, put(again, t2="5,1")).status_code == 409
    assert places() == {1: (1, 1), 2: None, 3: None}


def test_a_table_that_is_gone_meanwhile_is_named_and_the_others_are_placed(owner, tables):
    form = put(opened(owner), t1="1,1", t2="2,1", t3="3,1")
    tables[1].delete()
    Table.objects.filter(table_number=3).update(section="Bar")
    page = owner.get(owner.post(PLAN, form)["Location"]).content.decode()
    assert "Tables 2, 3 are not in this section any more." in page
    assert places() == {1: (1, 1), 3: None}


def test_programs_place_the_tables_that_they_name(manager, tables):
    body = {"section": "Window", "tables": [{"tableNumber": 1, "column": 2, "row": 3}, {"tableNumber": 8}]}
    response = manager.post(PLAN, body, format="json")
    assert (response.status_code, response.json()) == (200, {
        "section": "Window", "sections": ["Window"], "missing": [8], "tables": [
            {"tableNumber": 1, "capacity": None, "column": 2, "row": 3},
            {"tableNumber": 2, "capacity": None, "column": None, "row": None},
            {"tableNumber": 3, "capacity": None, "column": None, "row": None},
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


def test_in_the_admin_a_table_keeps_its_place_in_its_section_and_has_none_in_another(admin_client, tables):
    for number, section in ((1, "Bar"), (2, "")):
        Table.objects.filter(table_number=number).update(plan_column=2, plan_row=2, section=section)
    page = f"/admin/restaurant/table/{tables[0].pk}/change/"
    assert places() == {1: (2, 2), 2: (2, 2), 3: None}
    assert admin_client.post(page, {"section": "Bar", "capacity": 4}).status_code == 302
    assert places()[1] == (2, 2)
    assert admin_client.post(page, {"section": "", "capacity": 4}).status_code == 302
    assert places() == {1: None, 2: (2, 2), 3: None}
    assert Table.objects.get(table_number=1).section == ""
    assert 'href="/floor/plan"' in admin_client.get("/admin/restaurant/table/").content.decode()


# --- on the floor -------------------------------------------------------------------------------------


@pytest.fixture
def waiter(browser_client) -> Client:
    browser_client.force_login(make_user("Floor"))
    return browser_client


def test_the_floor_says_where_tables_stand_and_lists_the_others_below(waiter, tables):
    make_table(9, "Bar")
    Table.objects.filter(table_number=2).update(plan_column=4, plan_row=6, capacity=2)
    page = waiter.get("/floor").content.decode()
    assert re.findall(r'id="tile-(\d+)" class="place place-(\w+)" data-column="(\d+)" data-row="(\d+)"', page) == [
        ("2", "round", "4", "6")
    ]
    assert re.findall(r'id="tile-(\d+)"', page) == ["1", "2", "3", "9"]
    assert re.findall(r'id="rest-(\d+)"', page) == ["1", "3"]  # nothing is placed in the bar: it stays a list
    assert 'href="/floor/plan' not in page
    own = waiter.get("/floor", headers={"Accept": "application/json"}).json()["tables"][1]
    assert set(own) == {"tableNumber", "section", "capacity", "session"}


def test_without_places_the_floor_has_no_plan(waiter, tables):
    page = waiter.get("/floor").content.decode()
    assert not re.search('data-view|view=|floor_plan|tiles-plan|place-|id="rest', page)


def test_a_device_remembers_whether_it_shows_the_plan_or_the_list(waiter, tables):
    Table.objects.filter(table_number=2).update(plan_column=4, plan_row=6)

    def shown(path: str = "/floor") -> list[str]:
        page = waiter.get(path).content.decode()
        assert re.findall(r'data-view="(\w+)" aria-current', page) == re.findall(
            r'<div id="floor"[^>]*data-view="(\w+)"', page
        )
        return re.findall(r'data-view="(\w+)" aria-current', page)

    assert shown() == ["plan"]
    assert shown("/floor?view=list&section=Window") == ["list"]
    assert shown() == ["list"]
    assert shown("/floor?view=other") == ["plan"]
    assert shown() == ["list"]
    assert shown("/floor?view=plan") == shown() == ["plan"]
    assert waiter.cookies["floorView"]["path"] == "/floor"


def test_who_may_change_tables_is_led_to_the_plan(owner, tables):
    assert 'href="/floor/plan?section=Window"' in owner.get("/floor?section=Window").content.decode()


def test_the_plan_of_a_hundred_tables_takes_two_queries(manager):
    Table.objects.bulk_create(Table(table_number=number) for number in range(1, 101))
    manager.get(PLAN, headers={"accept": PAGE})
    for accept, most in (("application/json", 1), (PAGE, 2)):  # the page has one more: what needs attention
        with own_queries() as queries:
            assert manager.get(PLAN, headers={"accept": accept}).status_code == 200
        assert len(queries) <= most, "\n".join(queries)


@pytest.mark.django_db(transaction=True)
@pytest.mark.race
def test_of_two_who_choose_one_place_at_once_one_gets_it_and_the_other_is_told():
    for number in (1, 2):
        make_table(number)
    clients = [signed_in(make_user("Managers", name)) for name in ("anna", "ben")]

    def choose(number: int, client) -> int:
        body = {"section": "Window", "tables": [{"tableNumber": number, "column": 1, "row": 1}]}
        return client.post(PLAN, body, format="json").status_code

    for _round in range(8):
        Table.objects.update(plan_column=None, plan_row=None)
        done = at_once([partial(choose, number, client) for number, client in enumerate(clients, start=1)])
        assert sorted(done) == [200, 409]
        assert Table.objects.filter(plan_column=1, plan_row=1).count() == 1
