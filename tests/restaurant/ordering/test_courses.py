"""Courses: what the kitchen makes at once, what waits, and firing it."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from restaurant.kitchen.printing.layout import docket
from restaurant.models import Category, Order, OrderChange, OrderingRules, OrderItem, Printer, PrintJob, Station
from tests.conftest import PAGE, make_item, make_table, order_body
from tests.reading import read
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def salad(db):
    return _dish("Salad", course=1)


@pytest.fixture
def steak(db):
    return _dish("Steak", course=2)


@pytest.fixture
def cake(db):
    return _dish("Cake", course=3)


def _dish(name: str, *, course: int):
    item = make_item(name, "10.00", category=f"Course {course}")
    Category.objects.filter(name=item.category).update(course=course)
    return item


@pytest.fixture
def order(api, session, clock):
    """Places an order of these dishes, one of each, by JSON as a guest's."""
    clock(timezone.now())

    def order(*dishes, client=api, **values) -> dict:
        body = order_body(session, *((dish, 1) for dish in dishes))
        return client.post("/table/7/order", body | values, format="json").json()

    return order


def fire(client, course: int, number: int = 7, **values):
    return client.post(f"/table/{number}/fire", {"course": course, **values}, format="json")


def waiting() -> list[str]:
    """The names of the dishes that wait, whatever their order."""
    return sorted(OrderItem.objects.filter(OrderItem.WAITS).values_list("name", flat=True))


def done(client, order_id: str, position: int):
    return client.post(f"/orders/{order_id}/items/{position}/done", {"done": True}, format="json")


def test_the_first_course_goes_at_once_and_the_others_when_they_are_fired(floor, order, salad, steak, cake, bread):
    items = order(cake, steak, salad, bread)["items"]
    assert [(item.get("course"), item.get("waits")) for item in items] == [
        (3, True), (2, True), (1, None), (None, None)
    ]  # fmt: skip
    assert fire(floor, 2).json() == {"fired": 1}
    assert waiting() == ["Cake"]
    assert fire(floor, 2).json() == {"fired": 0}
    [ticket] = floor.get("/kitchen").json()["orders"]
    assert ["firedAt" in item for item in ticket["items"]] == [False, True, True, False]
    assert fire(floor, 9).json() == {"fired": 1}
    assert waiting() == []


def test_a_main_alone_goes_at_once_unless_somebody_has_a_starter(floor, order, salad, steak):
    assert "waits" not in order(steak)["items"][0]
    starter = order(salad)["orderId"]
    assert order(steak)["items"][0]["waits"] is True
    done(floor, starter, 0)
    fire(floor, 2)
    assert "waits" not in order(steak)["items"][0]


def test_whoever_orders_says_another_course_or_none(subtests, order, salad, steak):
    for course, shown in ((0, None), (None, None), (3, 3)):
        with subtests.test(course=course):
            Order.objects.all().delete()
            body = [{"menuItemId": str(salad.pk)}, {"menuItemId": str(steak.pk), "course": course}]
            items = order(items=body)["items"]
            assert (items[1].get("course"), items[1].get("waits", False)) == (shown, shown is not None)
    assert "error" in order(items=[{"menuItemId": str(steak.pk), "course": 10}])


def test_without_courses_an_order_says_nothing_of_them(floor, order, soup):
    placed = order(soup)
    [ticket] = floor.get("/kitchen").json()["orders"]
    assert not {"course", "waits", "firedAt"} & (placed["items"][0].keys() | ticket["items"][0].keys())
    assert "laterCourses" not in floor.get("/floor").json()


def test_what_waits_is_not_done_and_keeps_the_order_from_being_ready(floor, order, salad, steak):
    placed = order(salad, steak)["orderId"]
    assert done(floor, placed, 1).status_code == 409
    carried = floor.post(f"/orders/{placed}/items/served", {"positions": [1]}, format="json")
    assert carried.status_code == 409
    assert done(floor, placed, 0).json()["status"] == "pending"
    [part] = floor.get("/floor").json()["readyParts"]
    assert (part.get("station"), [item["name"] for item in part["items"]]) == (None, ["Salad"])
    floor.post(f"/orders/{placed}/items/served", {"positions": [0]}, format="json")
    assert "readyParts" not in floor.get("/floor").json()
    assert "1 of 2 made. The next course follows in time." in read(floor.get(f"/orders/{placed}", HTTP_ACCEPT=PAGE))
    fire(floor, 2)
    assert done(floor, placed, 1).json()["status"] == "ready"


def test_a_whole_ticket_marked_ready_or_served_leaves_what_waits(floor, order, salad, steak):
    placed = order(salad, steak)["orderId"]
    for status, field in (("ready", "done_at"), ("served", "served_at")):
        floor.post(f"/orders/{placed}/status", {"status": status}, format="json")
        assert Order.objects.get().status == "preparing"
        assert [item.name for item in OrderItem.objects.exclude(**{field: None})] == ["Salad"]
    fire(floor, 2)
    floor.post(f"/orders/{placed}/status", {"status": "ready"}, format="json")
    assert Order.objects.get().status == "ready"


def test_a_station_is_done_with_what_it_was_told_to_make(floor, order, salad, steak):
    Category.objects.update(station=Station.objects.create(name="The grill", slug="grill"))
    placed = order(salad, steak)["orderId"]
    done(floor, placed, 0)
    [ticket] = floor.get("/kitchen/grill").json()["orders"]
    assert ticket["doneAt"]
    assert [part["station"] for part in floor.get("/floor").json()["readyParts"]] == ["grill"]
    fire(floor, 2)
    [ticket] = floor.get("/kitchen/grill").json()["orders"]
    assert "doneAt" not in ticket


def test_it_is_late_by_when_its_course_was_fired(floor, order, salad, steak, clock, waiter, settings):
    def late() -> list[str]:
        return [need["kind"] for need in floor.get("/attention").json()["needs"] if need["kind"] == "late"]

    placed = order(salad, steak)["orderId"]
    clock(timezone.now() + timedelta(minutes=settings.KITCHEN_LATE_MINUTES))
    assert (late(), Order.objects.get().is_late) == (["late"], True)
    done(floor, placed, 0)
    assert (late(), Order.objects.get().is_late) == ([], False)
    assert "Between courses" in read(waiter.get("/floor"))
    fire(floor, 2)
    clock(timezone.now() + timedelta(minutes=settings.KITCHEN_LATE_MINUTES - 1))
    assert (late(), Order.objects.get().is_late) == ([], False)
    clock(timezone.now() + timedelta(minutes=1))
    assert (late(), Order.objects.get().is_late) == (["late"], True)


def test_it_is_unseen_after_it_was_fired_alone(floor, order, salad, steak, clock):
    def unseen() -> int:
        return len(floor.get("/floor").json().get("unseen", []))

    placed = order(salad, steak)["orderId"]
    assert floor.post("/kitchen/seen", {"orderIds": [placed]}, format="json").json() == {"seen": 1}
    clock(timezone.now() + timedelta(minutes=1))
    assert unseen() == 0
    fire(floor, 2)
    assert unseen() == 0
    clock(timezone.now() + timedelta(seconds=30))
    assert unseen() == 1


def test_it_is_on_the_docket_as_later_and_on_one_of_its_own_when_it_is_fired(floor, order, salad, steak):
    Printer.objects.create(name="Pass", host="127.0.0.1")
    said = ["1 x Salad", "LATER: course 2", "1 x Steak"]
    order(steak, salad)
    PrintJob.objects.update(attempts=1, state="printed")
    order_docket = _lines(PrintJob.objects.get())
    assert [line for line in order_docket if line in said] == said
    fire(floor, 2)
    slip = _lines(PrintJob.objects.exclude(state="printed").get())
    assert [line for line in slip if line in ["Course 2 now", *said]] == ["Course 2 now", "1 x Steak"]


def _lines(job: PrintJob) -> list[str]:
    return [line.text.strip() for line in docket(job, is_copy=False)]


def test_a_held_order_begins_its_courses_when_it_is_approved(floor, order, salad, steak):
    OrderingRules(gate="approved").save()
    placed = order(steak, salad)["orderId"]
    assert fire(floor, 2).json() == {"fired": 0}
    floor.post(f"/orders/{placed}/approve")
    assert waiting() == ["Steak"]


def test_what_staff_kept_goes_when_they_send_it(floor, order, salad, steak, cake):
    order(salad)
    kept = order(steak, cake, client=floor, later=True)["orderId"]
    floor.post(f"/orders/{kept}/approve")
    assert waiting() == ["Cake"]


def test_it_is_on_the_bill_at_once_and_moves_with_its_party(floor, order, session, salad, steak):
    order(salad, steak)
    assert floor.get("/table/7/bill").json()["total"] == 20
    make_table(8)
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    [later] = floor.get("/floor").json()["laterCourses"]
    assert (later["tableNumber"], later["course"], later["portions"], later["due"]) == (8, 2, 1, False)
    assert fire(floor, 2).status_code == 404
    assert fire(floor, 2, sessionId=str(session.pk)).json() == {"fired": 1}


def test_closing_says_what_was_never_fired_and_cancels_it(floor, order, session, salad, steak, waiter):
    order(salad, steak)
    question = read(waiter.get(f"/table/7/close?sessionId={session.pk}"))
    assert "Never fired: 1 × Steak. Closing cancels it" in question
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    assert floor.get(f"/table/7/bill?sessionId={session.pk}").json()["total"] == 10
    assert OrderChange.objects.values_list("kind", "reason", "user_name").get() == ("cancelled", "guest_left", "floor")
    assert fire(floor, 2, sessionId=str(session.pk)).status_code == 409


def test_only_the_floor_fires(api, cashier, order, salad, steak):
    order(salad, steak)
    assert [fire(client, 2).status_code for client in (api, cashier)] == [401, 403]
    assert waiting() == ["Steak"]


def test_one_tap_on_the_floor_or_the_tables_page_fires_it(subtests, floor, order, salad, steak, bread, waiter):
    order(bread, client=floor, later=True)
    for page in ("/floor", "/floor/tables/7"):
        with subtests.test(page=page):
            order(salad, steak)
            shown = waiter.get(page)
            words = [button.name for button in read(shown).all("button", re.compile("Fire course|^Send"))]
            assert [name.split()[0] for name in words] == ["Fire", "Send"]
            assert "Course 2 waits 1 dish" in read(shown)
            submit(waiter, shown, "/table/7/fire")
            assert waiting() == []
    assert "Course 2 fired · flora" in read(waiter.get("/floor/tables/7"))
