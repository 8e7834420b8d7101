"""`/floor/plan`, where managers place the tables, and the floor that shows them there."""

import re
from functools import partial
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client

from restaurant.models import RoomFeature, Table
from tests.at_once import at_once
from tests.conftest import PAGE, make_table, make_user, own_queries, signed_in

pytestmark = pytest.mark.django_db
PLAN = "/floor/plan"
FEATURE = ("kind", "column", "row", "width", "height", "text")


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
    chosen = r'<select name="([^"]+)"(?:(?!</select>).)*?<option value="([^"]*)" selected'
    return dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form)) | dict(re.findall(chosen, form, re.DOTALL))


def entered(form: dict[str, str]) -> dict[str, str]:
    """Without Django's token and the row for one more feature, which are others each time."""
    row = tuple(f"{name}-{blank(form)}" for name in FEATURE) if "" in kinds(form).values() else ()
    return {name: text for name, text in form.items() if name not in ("csrfmiddlewaretoken", *row)}


def opened(client: Client, section: str = "Window") -> dict[str, str]:
    return fields(client.get(PLAN, {"section": section}).content.decode())


def blank(form: dict[str, str]) -> str:
    """The id of the row for one more feature."""
    return next(pk for pk, kind in kinds(form).items() if not kind)


def kinds(form: dict[str, str]) -> dict[str, str]:
    return {name[5:]: kind for name, kind in form.items() if name.startswith("kind-")}


def with_feature(form: dict[str, str], pk: str, text: str) -> dict[str, str]:
    """`text`: "bar,1,4,2,1,The bar"; empty takes it off."""
    values = zip(FEATURE, text.split(",", 5) if text else [""] * 6, strict=True)
    return form | {f"{name}-{pk}": value for name, value in values}


def features() -> dict[str, str]:
    return {str(pk): ",".join(map(str, rest)) for pk, *rest in RoomFeature.objects.values_list("pk", *FEATURE)}


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
    assert [name for name in form if name.startswith("shape")] == ["shape-1", "shape-2", "shape-3"]
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
    page = owner.get(PLAN).content.decode()
    assert re.search(r'name="tableNumber" value="4".*name="from" value="4"', page, re.DOTALL)
    token = fields(page)["csrfmiddlewaretoken"]
    form = {"csrfmiddlewaretoken": token, "plan": "1", "section": "Garden", "from": "4", "to": "5", "capacity": "4"}
    refused = owner.post("/tables/range", form | {"to": "2"})
    assert (refused.status_code, 'name="plan" value="1"' in refused.content.decode()) == (400, True)
    response = owner.post("/tables/range", form)
    assert (response.status_code, response["Location"]) == (303, "/floor/plan?section=Garden&added=4%2C5")
    page = owner.get(response["Location"]).content.decode()
    assert "Added: tables 4–5." in page
    assert 'href="/tables/print?numbers=4%2C5"' in page
    assert re.search(r'section=Garden" aria-current="page"', page)
    again = owner.post("/tables/range", form)["Location"]  # none is new
    assert again == "/tables/range?plan=1"
    assert "There already, and left as before: 4–5." in owner.get(again).content.decode()
    arranger = make_user("Cashiers", "arranger")
    arranger.user_permissions.add(Permission.objects.get(codename="change_table"))
    browser_client.force_login(arranger)
    page = browser_client.get(PLAN).content.decode()
    assert not re.search("new-table|new-section|new-row|tables/range", page)


def seats() -> list[int | None]:
    return list(Table.objects.order_by("table_number").values_list("capacity", flat=True))


# --- shapes, and what else is in the room -------------------------------------------------------------


def test_a_shape_that_was_chosen_stays_when_the_seats_change(owner, tables):
    assert opened(owner)["shape-1"] == "square"
    Table.objects.update(capacity=2)
    form = opened(owner)
    assert form["shape-1"] == "round"  # as its seats suggest
    owner.post(PLAN, form | {"shape-1": "upright"})
    assert list(Table.objects.values_list("plan_shape", flat=True)) == ["upright", "", ""]
    assert owner.post(PLAN, opened(owner) | {"shape-2": "oval"}).status_code == 400


def test_a_program_that_gives_a_table_seats_and_a_shape_at_once_gets_both(manager, tables):
    body = {"section": "Window", "tables": [{"tableNumber": 1, "capacity": 6, "shape": "square"}]}
    table = manager.post(PLAN, body, format="json").json()["tables"][0]
    assert (table["capacity"], table["shape"]) == (6, "square")


def test_what_is_in_the_room_is_added_changed_and_taken_off_with_the_tables(owner, tables):
    form = opened(owner)
    bar = blank(form)
    assert owner.post(PLAN, put(with_feature(form, bar, "bar,1,2,3,1, Oysters, wine "), t1="1,1")).status_code == 303
    assert (features(), places()[1]) == ({bar: "bar,1,2,3,1,Oysters, wine"}, (1, 1))
    form = opened(owner)
    wall = blank(form)
    owner.post(PLAN, with_feature(with_feature(form, bar, "bar,2,2,3,1,Bar"), wall, "wall,13,1,0,12,"))
    assert features() == {bar: "bar,2,2,3,1,Bar", wall: "wall,13,1,0,12,"}
    drawn = r'class="(feature[^"]*)" id="feature-(.+?)" data-column="(.+?)" data-row="(.+?)"'
    assert re.findall(drawn, owner.get("/floor").content.decode()) == [
        ("feature feature-wall feature-line feature-far feature-tall", wall, "12", "1"),  # behind the last column
        ("feature feature-bar", bar, "2", "2"),
    ]
    owner.post(PLAN, with_feature(opened(owner), wall, "wall,1,13,12,0,"))
    assert re.findall(drawn, owner.get("/floor").content.decode())[1] == (
        "feature feature-wall feature-line feature-far", wall, "1", "12",  # below the last row
    )  # fmt: skip
    owner.post(PLAN, with_feature(opened(owner), bar, ""))
    assert features() == {wall: "wall,1,13,12,0,"}


@pytest.mark.parametrize(
    "wrong", ["bar,12,1,2,1,", "bar,1,1,0,1,", "wall,1,1,1,1,", "door,1,1,0,0,", "bar,x,1,1,1,", "sofa,1,1,1,1,"]
)
def test_of_something_that_does_not_fit_in_the_room_nothing_is_saved_and_all_is_kept(owner, tables, wrong):
    form = opened(owner)
    sent = put(with_feature(form, blank(form), wrong), t1="1,1")
    response = owner.post(PLAN, sent)
    page = response.content.decode()
    assert response.status_code == 400
    of_choices = {name: text for name, text in entered(sent).items() if text != "sofa"}  # which no page offers
    assert entered(fields(page)) == of_choices
    assert len(re.findall("aria-invalid", page)) == 1
    assert not RoomFeature.objects.exists()
    assert places()[1] is None
    kind, *numbers, text = wrong.split(",")
    if "x" not in numbers and kind != "sofa":
        with pytest.raises(IntegrityError), transaction.atomic():
            RoomFeature.objects.create(**dict(zip(FEATURE, (kind, *map(int, numbers), text), strict=True)))


def test_of_two_managers_none_undoes_what_the_other_has_made_of_the_room(owner, tables):
    bar, plant = (
        RoomFeature.objects.create(section="Window", kind=kind, column=1, row=1, width=1, height=1).pk
        for kind in ("bar", "plant")
    )
    one = opened(owner) | {"shape-1": "long", "seats-1": "6"}
    other = put(opened(owner) | {"shape-2": "round", "seats-3": "2"}, t1="2,2")
    added = blank(other)
    owner.post(PLAN, with_feature(one, f"{bar}", "bar,5,5,1,1,"))
    both = with_feature(with_feature(other, f"{plant}", ""), added, "wall,1,1,2,0,")
    assert owner.post(PLAN, both).status_code == 303  # nothing of it was changed meanwhile
    assert features() == {str(bar): "bar,5,5,1,1,", added: "wall,1,1,2,0,"}
    assert list(Table.objects.order_by("table_number").values_list("plan_shape", flat=True)) == ["long", "round", ""]
    assert seats() == [6, None, 2]
    assert owner.post(PLAN, both).status_code == 303  # sent twice
    assert len(features()) == 2
    assert owner.post(PLAN, both | {"shape-1": "upright"}).status_code == 409
    late = with_feature(both, f"{bar}", "bar,7,7,1,1,") | {"shape-1": "upright", "seats-1": "8"}
    refused = owner.post(PLAN, late)
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Somebody else has changed this meanwhile: table 1, Bar. Nothing was saved. Here is your version:" in page
    assert (features()[str(bar)], seats()) == ("bar,5,5,1,1,", [6, None, 2])
    assert owner.post(PLAN, fields(page)).status_code == 303  # it has been seen now
    assert features() == {str(bar): "bar,7,7,1,1,", added: "wall,1,1,2,0,"}
    assert Table.objects.get(table_number=1).plan_shape == "upright"
    assert seats() == [8, None, 2]


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "1001"])
def test_seats_that_are_no_number_of_seats_are_refused_and_kept_in_the_form(owner, tables, wrong):
    response = owner.post(PLAN, put(opened(owner) | {"seats-2": wrong}, t1="1,1"))
    page = response.content.decode()
    assert (response.status_code, seats(), places()[1]) == (400, [None, None, None], None)
    assert (fields(page)["seats-2"], len(re.findall("aria-invalid", page))) == (wrong, 1)
    assert owner.post(PLAN, fields(page) | {"seats-2": "12"}).status_code == 303
    assert (seats(), places()[1]) == ([None, 12, None], (1, 1))
    owner.post(PLAN, opened(owner) | {"seats-2": ""})
    assert seats() == [None, None, None]


def test_what_somebody_else_has_taken_off_comes_back_only_when_it_is_sent_again(owner, tables):
    bar = RoomFeature.objects.create(section="Window", kind="bar", column=1, row=1, width=1, height=1).pk
    form = with_feature(opened(owner), f"{bar}", "bar,2,2,1,1,Bar")
    RoomFeature.objects.all().delete()
    refused = owner.post(PLAN, form)
    assert (refused.status_code, features()) == (409, {})
    owner.post(PLAN, fields(refused.content.decode()))
    assert features() == {str(bar): "bar,2,2,1,1,Bar"}


def test_programs_put_features_and_name_those_that_go(manager, tables):
    bar = {"id": str(uuid4()), "kind": "bar", "column": 1, "row": 1, "width": 2, "height": 1, "text": "Bar"}
    for changed in (bar, bar | {"column": 3}):
        response = manager.post(PLAN, {"section": "Window", "features": [changed]}, format="json")
        assert (response.status_code, response.json()["features"]) == (200, [changed])
    assert manager.post(PLAN, {"section": "Window", "features": [bar, bar]}, format="json").status_code == 400
    assert manager.post(PLAN, {"section": "None", "features": [bar]}, format="json").status_code == 409
    many = [bar | {"id": str(uuid4())} for _each in range(60)]
    assert manager.post(PLAN, {"section": "Window", "features": many}, format="json").status_code == 409
    response = manager.post(PLAN, {"section": "Window", "removed": [bar["id"]]}, format="json")
    assert response.json()["features"] == []


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


def test_the_plan_of_a_hundred_tables_takes_four_queries(manager):
    Table.objects.bulk_create(Table(table_number=number) for number in range(1, 101))
    plant = {"kind": "plant", "column": 1, "row": 1, "width": 1, "height": 1}
    RoomFeature.objects.bulk_create(RoomFeature(**plant) for _each in range(60))
    manager.get(PLAN, headers={"accept": PAGE})
    for accept, most in (("application/json", 2), (PAGE, 4)):  # the page has two more: what needs attention
        with own_queries() as queries:
            assert manager.get(PLAN, headers={"accept": accept}).status_code == 200
        assert len(queries) <= most, "\n".join(queries)


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
