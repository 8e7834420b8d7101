"""Points at the till through forms alone: given, asked about, taken back."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import formats, timezone

from loyalty.models import Location, Member, PointTransaction, Programme, Reward
from loyalty.points.services import enrolment
from loyalty.rewards.services import redemptions
from restaurant.models import Order, TableSession
from tests.conftest import make_item, make_user, undone
from tests.loyalty.cards.till.counter import Till, hidden, purchases, take_backs
from tests.loyalty.making import earn_body, with_token
from tests.reading import Part

pytestmark = pytest.mark.django_db


def test_a_message_whose_page_never_arrived_is_not_read_as_another_guests(counter, location, mia):
    other = enrolment.enrol(email="noah@example.com", name="Noah")
    counter.open(f"/member/{mia.pk}")
    form = {name: hidden(counter.page, name) for name in ("csrfmiddlewaretoken", "customerId", "idempotencyKey")}
    counter.client.post("/earn", {**form, "locationId": counter.location, "orderTotal": "20"})
    assert "points earned" not in counter.open(f"/member/{other.pk}").page


def test_the_amount_goes_in_and_the_new_balance_comes_out(counter, location, mia):
    counter.open(f"/member/{mia.pk}")
    assert "Mia Kelly" in counter.page
    counter.give("25.90")
    assert counter.at == f"/member/{mia.pk}"
    assert "25 points earned. New balance: 125." in counter.page
    assert purchases() == [25]
    assert PointTransaction.objects.get(points=25).staff_id == "cashiers"
    assert "25 points earned" not in counter.open(f"/member/{mia.pk}").page


def test_an_amount_with_a_comma_is_understood(counter, location, mia):
    assert "12 points earned" in counter.open(f"/member/{mia.pk}").give("12,50").page
    assert str(PointTransaction.objects.get(points=12).order_total) == "12.50"


def test_a_refused_amount_stays_in_the_form_and_the_page_says_why(counter, location, mia, subtests):
    for typed in ["1,234", "0"]:
        with subtests.test(typed=typed), undone():
            counter.open(f"/member/{mia.pk}").give(typed)
            assert counter.status == 400
            assert f'value="{typed}"' in counter.page
            assert re.search("Please enter an amount such as 12.50|An amount from 0.01", counter.page)
            assert purchases() == []
            assert "7 points earned" in counter.give("7").page


def test_the_same_form_twice_counts_once(counter, location, mia):
    key = hidden(counter.open(f"/member/{mia.pk}").page, "idempotencyKey")
    counter.give("30")
    counter.give("30", idempotencyKey=key)
    assert "30 points earned. New balance: 130." in counter.page
    assert purchases() == [30]


def test_the_same_form_with_another_amount_warns_and_then_counts(counter, location, mia):
    key = hidden(counter.open(f"/member/{mia.pk}").page, "idempotencyKey")
    counter.give("30")
    counter.give("31", idempotencyKey=key)
    assert counter.status == 409
    assert "This form was already sent with another amount" in counter.page
    assert purchases() == [30]
    counter.give("31")
    assert sorted(purchases()) == [30, 31]


def test_a_recent_award_is_shown_before_points_are_added_again(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("30")
    assert "Points already added at" not in counter.page  # it is in the message already
    assert "30 for €30.00" in counter.open(f"/member/{mia.pk}").page
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert "Points already added at" not in counter.open(f"/member/{mia.pk}").page


def test_a_till_without_a_location_offers_a_choice_and_then_remembers_it(counter, location, mia):
    quay = Location.objects.create(name="Quayside")
    assert "Choose a location" in counter.open(f"/member/{mia.pk}").page
    assert " selected" not in counter.page
    assert counter.give("10", locationId=str(quay.pk)).location == str(quay.pk)
    assert counter.open(f"/member/{mia.pk}").location == str(quay.pk)


def test_a_remembered_location_stands_as_text_until_it_is_changed(counter, location, mia):
    quay = Location.objects.create(name="Quayside")
    remembered = ("details", "Location Quayside Change")
    assert counter.open(f"/member/{mia.pk}").seen.all(*remembered) == []
    assert counter.give("10", locationId=str(quay.pk)).seen.one(*remembered)
    assert "Choose a location" not in counter.page
    assert counter.give("11", locationId=str(location.pk)).location == str(location.pk)
    place_of = dict(PointTransaction.objects.filter(points__in=(10, 11)).values_list("points", "location__name"))
    assert place_of == {10: "Quayside", 11: "Harbour"}
    Location.objects.create(name="Pier")
    counter.client.cookies["till_location"] = "gone"
    assert "Choose a location" in counter.open(f"/member/{mia.pk}").page


def test_the_log_writes_days_as_lists_do_and_sums_that_were_taken_back_with_a_minus(counter, location, mia):
    award = counter.open(f"/member/{mia.pk}").give("1055", confirmedTotal="1055.00")
    assert award.at == f"/member/{mia.pk}"
    counter.send(f"/transactions/{PointTransaction.objects.get(points=1055).pk}/reverse", note="")
    assert "−€1,055.00" in counter.seen
    now = timezone.localtime().replace(hour=12, minute=30)
    for moment, words in (
        (now, "Today, 12:30"),
        (now - timedelta(days=1), "Yesterday, 12:30"),
        (datetime(2020, 3, 2, 12, 30, tzinfo=UTC), "2 Mar 2020, 12:30"),
    ):
        PointTransaction.objects.update(created_at=moment)
        counter.open(f"/member/{mia.pk}")
        assert counter.seen.texts("time").count(words) == 3


def test_the_log_shows_five_and_folds_what_is_earlier(counter, location, mia):
    for total in range(1, 8):
        counter.open(f"/member/{mia.pk}").give(str(total))
    earlier = counter.seen.one("details", "Earlier")
    assert gained(counter.seen) == ["7", "6", "5", "4", "3", "2", "1", "100"]
    assert gained(earlier) == ["2", "1", "100"]
    assert "Take back" in earlier
    counter.open(f"/member/{enrolment.enrol(email='n@example.com', name='N').pk}")
    assert counter.seen.all("details", re.compile("^Earlier")) == []


def gained(part: Part) -> list[str]:
    """The points of its entries, in their order."""
    entries = [re.search(r"\+(\d+)", item.text) for item in part.all("item")]
    return [found[1] for found in entries if found]


def test_a_refused_form_still_has_the_chosen_location(counter, location, mia):
    quay = Location.objects.create(name="Quayside")
    assert counter.open(f"/member/{mia.pk}").give("x", locationId=str(quay.pk)).location == str(quay.pk)


def test_without_a_location_the_page_says_what_to_do(counter, mia):
    counter.open(f"/member/{mia.pk}")
    assert "first create a location in the admin" in counter.page
    assert 'name="orderTotal"' not in counter.page


def test_it_shows_what_can_be_redeemed_and_what_is_missing_for_the_rest(counter, location, mia):
    near = Reward.objects.create(name="Espresso", points_required=90, reward_value={"item": "Espresso"})
    far = Reward.objects.create(name="Pasta class", points_required=150, reward_value={"item": "Class"})
    counter.open(f"/member/{mia.pk}")
    assert f'href="/rewards/{near.pk}/redeem?customerId={mia.pk}"' in counter.page
    assert f"/rewards/{far.pk}/redeem" not in counter.page
    assert "50 to go" in counter.page


def test_it_says_what_else_there_is_about_the_guest(counter, location, mia, table):
    joined = formats.date_format(timezone.localtime(mia.created_at))
    Member.objects.update(last_activity_at=None)
    nothing = {"Last visit": "No visit yet", "Bills so far": "€0.00", "Member since": joined}
    assert about(counter.open(f"/member/{mia.pk}")) == nothing
    Member.objects.update(note="Sits by the <window>", last_activity_at=datetime(2020, 3, 2, tzinfo=UTC))
    session = TableSession.objects.create(table=table)
    dishes = [make_item(name) for name in ("Ragu", "Spritz", "Toast", "Cake")]
    for had in (dishes, dishes[1:2]):
        order = Order.objects.create(session=session, table=table, total=5, collector=str(mia.pk), status="served")
        for position, item in enumerate(had):
            order.items.create(menu_item=item, name=item.name, position=position, quantity=1, price=5)
    counter.open(f"/member/{mia.pk}").give("12.50")
    shown = about(counter)
    assert shown["Usual"].startswith("Spritz · ")
    assert len(shown["Usual"].split(" · ")) == 3
    assert shown["Bills so far"] == "€12.50"
    assert shown["Last visit"].startswith("Today, ")
    assert "Note: Sits by the <window>" in counter.seen  # a short one under the name, a long one here
    assert "Note" not in shown
    Member.objects.update(note="Window. " * 21)
    assert about(counter.open(f"/member/{mia.pk}"))["Note"] == ("Window. " * 21).strip()
    assert "Note:" not in counter.seen


def about(counter: Till) -> dict[str, str]:
    return counter.seen.region("About this guest").facts()


def test_points_that_count_no_more_are_drawn_apart_from_gains(counter, location, mia, redemption):
    bonus = PointTransaction.objects.create(customer=mia, type="bonus", points=7)
    redemptions.cancel(code=redemption.redemption_code)
    page = counter.open(f"/member/{mia.pk}").page
    row = r'<li(?: class="(ledger-\w+)")?>\s*<span class="ledger-when">.*?amount( ledger-gain)?"\s*>([^<]*)<'
    rows = re.findall(row, page, re.DOTALL)
    assert ("", " ledger-gain", f"+{bonus.points}") in rows
    assert ("ledger-back", "", "+100") in rows  # what was redeemed is back: nothing was gained
    assert ("ledger-void", "", "−100") in rows
    assert "Coffee on Us · cancelled" in counter.seen


# --- unusual amounts ------------------------------------------------------------------------------


def test_an_unusual_amount_is_asked_about_first_and_then_counts_once(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("48800")
    assert counter.status == 400
    assert "€48,800.00?" in counter.page
    assert "Give 48,800 points" in counter.page
    assert purchases() == []
    form = {"orderTotal": "48800", "confirmedTotal": hidden(counter.page, "confirmedTotal")}
    key = hidden(counter.page, "idempotencyKey")
    counter.give("48800", **form)
    assert "48800 points earned" in counter.page
    counter.give("48800", **form, idempotencyKey=key)
    assert purchases() == [48800]


def test_what_was_confirmed_is_one_amount(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("501", confirmedTotal="500.01")
    assert "€501.00?" in counter.page
    assert purchases() == []


def test_the_owner_says_what_is_usual_and_programs_are_not_asked(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("500")
    assert purchases() == [500]
    Programme.objects.create(confirm_above=600)
    counter.give("600")
    assert purchases() == [500, 600]
    assert counter.give("600.01").status == 400
    program = with_token(make_user("Managers"))
    assert program.post("/earn", earn_body(mia, location, 9000), format="json").status_code == 200


# --- taking back ----------------------------------------------------------------------------------


def test_right_after_an_award_undo_takes_it_back(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("12")
    assert "12 points given to Mia Kelly." in counter.page
    address = take_backs(counter.seen)[0]
    counter.send(address)
    assert counter.at == f"/member/{mia.pk}"
    assert "12 points taken back. New balance: 100." in counter.page
    assert "given to Mia Kelly" not in counter.page
    assert "Points already added at" not in counter.open(f"/member/{mia.pk}").page
    assert "taken back" in counter.page
    assert address not in take_backs(counter.seen)


def test_a_cashier_is_offered_their_own_of_the_last_minutes_alone(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("12")
    assert len(take_backs(counter.open(f"/member/{mia.pk}").seen)) == 2  # with the warning, and in the list
    PointTransaction.objects.update(recorded_by="noah")
    assert "/reverse" not in counter.open(f"/member/{mia.pk}").page
    counter.client.force_login(make_user("Managers"))
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert len(take_backs(counter.open(f"/member/{mia.pk}").seen)) == 1


def test_a_stale_undo_says_that_it_is_too_late(counter, location, mia):
    counter.open(f"/member/{mia.pk}").give("12")
    address = take_backs(counter.seen)[0]
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=16))
    counter.send(address)
    assert counter.status == 403
    assert "Please ask a manager" in counter.page
