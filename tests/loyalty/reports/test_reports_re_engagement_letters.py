"""Whom a manager wrote to, to win them back. See "Member reports" in docs/behaviour/loyalty.md."""

import uuid

import pytest

from loyalty.messages.services import win_back_emails
from loyalty.models import Member, WinBackEmail
from tests.at_once import at_once
from tests.conftest import PAGE, make_user, signed_in, undone
from tests.loyalty.reports.making import NOW, TICK, add, ago, make_member
from tests.reading import Part, read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty/re-engagement"
WRITE, UNDO = f"{PATH}/letters", f"{PATH}/letters/undo"


def make_away(name: str = "Ada", **values) -> Member:
    """Who may be written to, with a discount."""
    return make_member(name, **{"active": ago(40), "lifetime": 1000, "offers_agreed_at": ago(300)} | values)


def wrote(member: Member, days: float, offer: str = "discount") -> WinBackEmail:
    return WinBackEmail.objects.create(customer=member, offer=offer, written_at=ago(days))


def counts(page: Part) -> list[tuple[str, str]]:
    return [(term, said) for term, said in page.facts().items() if said.isdigit()]


def test_who_was_written_to_is_stored_once(program):
    ada, bea, not_agreed = make_away(), make_away("Bea"), make_away("Cy", offers_agreed_at=None)
    erased = make_away("Eve", erased_at=NOW)
    body = {"offer": "discount", "members": [str(each.pk) for each in (ada, bea, not_agreed, erased)]}
    for noted in (2, 0):
        response = program.post(WRITE, {**body, "members": [*body["members"], str(uuid.uuid4())]}, format="json")
        assert (response.status_code, response.json()) == (200, {"noted": noted})
    found = WinBackEmail.objects.order_by("customer__name").values_list(
        "customer", "offer", "written_at", "recorded_by"
    )
    assert list(found) == [(each.pk, "discount", NOW, "report-program") for each in (ada, bea)]


def test_after_30_days_another_can_be_written(program):
    early, late = make_away(), make_away("Bea")
    wrote(early, 30)
    WinBackEmail.objects.filter(pk=wrote(late, 30).pk).update(written_at=ago(30) + TICK)
    body = {"offer": "reminder", "members": [str(early.pk), str(late.pk)]}
    assert program.post(WRITE, body, format="json").json() == {"noted": 1}


def test_what_is_no_list_of_members_with_an_offer_is_refused(program, subtests):
    for body in [{}, {"offer": "gift", "members": [str(uuid.uuid4())]}, {"offer": "discount", "members": []},
     {"offer": "discount", "members": "x"}, {"offer": "discount", "members": ["x"]},
     {"offer": "discount", "members": [str(uuid.uuid4())] * 1001}]:  # fmt: skip
        with subtests.test(body=body), undone():
            assert program.post(WRITE, body, format="json").status_code == 400
            assert not WinBackEmail.objects.exists()


def test_only_managers_may(cashier, floor, api):
    body = {"offer": "discount", "members": [str(make_away().pk)]}
    for path in (WRITE, UNDO):
        assert [each.post(path, body, format="json").status_code for each in (cashier, floor, api)] == [403, 403, 401]
    assert not WinBackEmail.objects.exists()


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_two_taps_at_once_one_is_stored():
    ids = [make_away(f"M{number}").pk for number in range(5)]

    def tap() -> int:
        return win_back_emails.record(member_ids=ids, offer="discount", recorded_by="orla")

    assert sorted(at_once([tap] * 4)) == [0, 0, 0, 5]
    assert WinBackEmail.objects.count() == 5


def test_a_form_marks_them_and_comes_back_to_the_list_and_the_page_says_so(loyalty_page):
    ada, bea = make_away(email="ada@example.com"), make_away("Bea", email="bea@example.com")
    browser = signed_in(make_user("Managers", "orla"))
    form = {"offer": "discount", "members": f"{ada.pk} {bea.pk}", "query": "shown=all&percent=15"}
    response = browser.post(WRITE, form, headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (303, f"{PATH}?shown=all&percent=15")
    page = read(browser.get(response["Location"], headers={"accept": PAGE}))
    assert page.texts("status") == ["2 members are marked as written to."]
    assert counts(page) == [("May be written to", "2"), ("Any letter, last 30 days", "2"), ("To write to", "0")]
    assert "Marked in the last 24 hours: 2" in page
    assert "Open mail to" not in page
    tiles = page.one("main").all("list")[0].all("item")
    assert [(each.text.removeprefix(each.names("heading")[0]).split()[0], each.links()) for each in tiles] == [
        ("2", [("2", "?percent=15&shown=all#targets-title")]),
        ("0", []),  # to write to now
        ("2", [("2", "?percent=15&shown=written#targets-title")]),
        ("0", []),  # came back
    ]
    assert page.one("heading", "Written to since 18 Mar")
    assert "This letter went to 2 since 18 Mar: nobody has come back yet." in page
    one = browser.post(UNDO, {"members": str(bea.pk)}, headers={"accept": PAGE})
    assert (one.status_code, one["Location"]) == (303, f"{PATH}#targets-title")
    told = browser.get(one["Location"].partition("#")[0], headers={"accept": PAGE}).content.decode()
    assert told.index('id="targets-title"') < told.index("1 member is not marked any more.")  # above the list
    assert list(WinBackEmail.objects.values_list("customer", flat=True)) == [ada.pk]
    assert read(loyalty_page(PATH)).one("link", "Open mail to 1")


def test_what_is_older_than_a_day_is_not_undone(program):
    ada, bea = make_away(), make_away("Bea")
    old, _new = wrote(ada, 1), wrote(bea, 0.9)
    body = {"members": [str(ada.pk), str(bea.pk)]}
    assert program.post(UNDO, body, format="json").json() == {"undone": 1}
    assert WinBackEmail.objects.get() == old


def test_the_list_says_who_was_written_to_since_they_came_last(loyalty_page, loyalty_csv):
    for name, days, offer in (("Ada", 6, "bonus_points"), ("Bea", 35, "discount"), ("Cy", 41, "discount")):
        wrote(make_away(name, email=f"{name}@example.com"), days, offer)  # Cy came after that
    make_away("Dee", email="Dee@example.com")

    def names(query: str = "") -> list[str]:
        return [row[0] for row in loyalty_page(f"{PATH}{query}").context["listed"].rows]

    assert names() == ["Bea", "Cy", "Dee"]  # Bea's letter is from long ago
    assert names("?shown=agreed") == ["Ada", "Bea", "Cy", "Dee"]
    assert names("?shown=written") == ["Ada", "Bea"]
    response = loyalty_page(f"{PATH}?shown=all")
    assert "Written 12 Mar 2026 Bonus points" in read(response)
    assert [each.label for each in response.context["shown"]] == [
        "To write to 3", "May be written to 4", "Written 2", "Everybody 4",
    ]  # fmt: skip
    # Bea was written to more than 30 days ago: she is among those of the next mail again.
    mails = {each.offer: each.addresses for each in response.context["letters"]}
    assert mails["discount"] == ["Bea@example.com", "Cy@example.com", "Dee@example.com"]
    lines = loyalty_csv(PATH)
    rows = {line[0]: line[-2:] for line in lines[lines.index(["Members to contact"]) + 2 :] if len(line) > 2}
    assert rows["Ada"] == ["2026-03-12T14:30:00+00:00", "Bonus points"]
    assert rows["Dee"] == ["", ""]


def test_the_result_counts_who_spent_after_the_letter(loyalty_page):
    came, twice, before, taken_back, early = (make_away(name) for name in ("Ada", "Bea", "Cy", "Dee", "Eve"))
    for member in (came, twice, before, taken_back):
        wrote(member, 20)
    wrote(twice, 10)
    wrote(early, 90)  # out of the window
    add(early, order_total="500", at=ago(1))
    add(came, order_total="40", at=ago(5))
    add(came, points=50, at=ago(4), kind="bonus")
    for days in (15, 5):
        add(twice, order_total="30.50", at=ago(days))
    add(before, order_total="70", at=ago(20))
    bill = add(taken_back, order_total="90", at=ago(3))
    add(taken_back, kind="reversal", points=-10, order_total="-90", at=ago(2), reverses=bill)
    Member.objects.filter(pk__in=[came.pk, twice.pk]).update(last_activity_at=ago(5))
    response = loyalty_page(PATH)
    written, came_back = response.context["strip"][2:]
    assert (written.label, written.value) == ("Written to since 26 Feb", 4)
    assert written.note == "2 of them haven't been back, and are listed below"
    assert (came_back.value, came_back.note) == (2, "50% of them, spending €101.00")
    of_discount = "This letter went to 4 since 26 Feb: 2 came back (50%), spending €101.00."
    assert [response.text.count(each) for each in (came_back.note, of_discount)] == [1, 1]
    assert loyalty_page(PATH).context["letters"][0].result == ""


def test_an_erased_member_s_letters_are_gone_and_the_file_of_a_member_has_them(program):
    member = make_away()
    wrote(member, 5)
    stored = program.get(f"/member/{member.pk}/data").json()["letters"]
    assert stored == [{"offer": "discount", "writtenAt": "2026-03-13T14:30:00Z"}]
    assert program.post(f"/member/{member.pk}/erase").status_code == 200
    assert not WinBackEmail.objects.exists()
