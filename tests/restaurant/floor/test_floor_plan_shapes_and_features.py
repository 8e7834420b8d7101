"""Shapes and seats of tables, and what else is in the room, on `/floor/plan`."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from restaurant.models import RoomFeature, Table
from tests.reading import read
from tests.restaurant.floor.plans import (
    FEATURE,
    PLAN,
    blank,
    entered,
    features,
    fields,
    marked,
    opened,
    places,
    put,
    seats,
    with_feature,
)

pytestmark = pytest.mark.django_db


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


def drawn(owner) -> list[tuple[str, str, str]]:
    """What is in the room, and in which column and row; it is there for sighted people alone."""
    found = read(owner.get("/floor")).element.xpath("//*[starts-with(@id, 'feature-')]")
    return [(each.get("id").removeprefix("feature-"), each.get("data-column"), each.get("data-row")) for each in found]


def test_what_is_in_the_room_is_added_changed_and_taken_off_with_the_tables(owner, tables):
    form = opened(owner)
    bar = blank(form)
    assert owner.post(PLAN, put(with_feature(form, bar, "bar,1,2,3,1, Oysters, wine "), t1="1,1")).status_code == 303
    assert (features(), places()[1]) == ({bar: "bar,1,2,3,1,Oysters, wine"}, (1, 1))
    form = opened(owner)
    wall = blank(form)
    owner.post(PLAN, with_feature(with_feature(form, bar, "bar,2,2,3,1,Bar"), wall, "wall,13,1,0,12,"))
    assert features() == {bar: "bar,2,2,3,1,Bar", wall: "wall,13,1,0,12,"}
    assert drawn(owner) == [(wall, "12", "1"), (bar, "2", "2")]  # the wall is behind the last column
    owner.post(PLAN, with_feature(opened(owner), wall, "wall,1,13,12,0,"))
    assert drawn(owner)[1] == (wall, "1", "12")  # below the last row
    owner.post(PLAN, with_feature(opened(owner), bar, ""))
    assert features() == {wall: "wall,1,13,12,0,"}


def test_of_something_that_does_not_fit_in_the_room_nothing_is_saved_and_all_is_kept(subtests, owner, tables):
    for wrong in ["bar,12,1,2,1,", "bar,1,1,0,1,", "wall,1,1,1,1,", "door,1,1,0,0,", "bar,x,1,1,1,", "sofa,1,1,1,1,"]:
        with subtests.test(wrong=wrong):
            form = opened(owner)
            sent = put(with_feature(form, blank(form), wrong), t1="1,1")
            response = owner.post(PLAN, sent)
            page = read(response)
            assert response.status_code == 400
            kind, *numbers, text = wrong.split(",")
            if kind != "sofa":  # which no page offers
                assert entered(fields(page)) == entered(sent)
            assert len(marked(page)) == 1
            assert not RoomFeature.objects.exists()
            assert places()[1] is None
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
    page = read(refused)
    assert refused.status_code == 409
    assert "Somebody else has changed this meanwhile: table 1, Bar. Nothing was saved. Here is your version:" in page
    assert (features()[str(bar)], seats()) == ("bar,5,5,1,1,", [6, None, 2])
    assert owner.post(PLAN, fields(page)).status_code == 303  # it has been seen now
    assert features() == {str(bar): "bar,7,7,1,1,", added: "wall,1,1,2,0,"}
    assert Table.objects.get(table_number=1).plan_shape == "upright"
    assert seats() == [8, None, 2]


def test_seats_that_are_no_number_of_seats_are_refused_and_kept_in_the_form(subtests, owner, tables):
    for wrong in ("0", "-1", "many", "1001"):
        with subtests.test(wrong=wrong):
            response = owner.post(PLAN, put(opened(owner) | {"seats-2": wrong}, t1="1,1"))
            page = read(response)
            assert (response.status_code, seats(), places()[1]) == (400, [None, None, None], None)
            assert (fields(page)["seats-2"], marked(page)) == (wrong, ["seats-2"])
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
    owner.post(PLAN, fields(refused))
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
    assert "/floor/plan" in dict(map(reversed, read(admin_client.get("/admin/restaurant/table/")).links()))
