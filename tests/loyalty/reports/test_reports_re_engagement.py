"""`/reports/loyalty/re-engagement`. See "Member reports" in docs/behaviour/loyalty.md."""

import re
import uuid
from urllib.parse import quote

import pytest

from loyalty.models import Member
from tests.conftest import undone
from tests.loyalty.reports.making import TICK, add, ago, make_member, tile
from tests.reading import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty/re-engagement"


def named(loyalty_json) -> list[str]:
    body = loyalty_json(PATH)
    assert set(body) == {"targets"}
    return [each["name"] for each in body["targets"]]


def test_it_has_the_names_of_the_document_and_no_others(loyalty_json):
    member = make_member(active=ago(40), lifetime=120, points_balance=20, tier="gold")
    [target] = loyalty_json(PATH)["targets"]
    offer = target.pop("suggestedOffer")
    assert target == {
        "id": str(member.pk), "name": "Ada", "email": member.email, "tier": "gold", "points_balance": 20,
        "lifetime_points": 120, "last_activity_at": "2026-02-06T14:30:00Z",
    }  # fmt: skip
    assert set(offer) == {"type", "message"}
    assert offer["message"]


def test_both_ends_of_the_time_count(loyalty_json, subtests):
    for active, is_listed in [
        (ago(30) + TICK, False),
        (ago(30), True),
        (ago(180), True),
        (ago(180) - TICK, False),
        (None, False),
    ]:
        with subtests.test(active=active, is_listed=is_listed), undone():
            make_member(active=active, lifetime=100)
            assert named(loyalty_json) == ["Ada"] * is_listed


def test_a_hundred_lifetime_points_are_needed(loyalty_json, subtests):
    for lifetime, is_listed in [(99, False), (100, True)]:
        with subtests.test(lifetime=lifetime, is_listed=is_listed), undone():
            make_member(active=ago(60), lifetime=lifetime, points_balance=5000)
            assert named(loyalty_json) == ["Ada"] * is_listed


def test_every_boundary_of_the_offers(loyalty_json, loyalty_page, subtests):
    for balance, active, offer in [
        (500, ago(30), "reminder"),
        (500, ago(180), "reminder"),
        (499, ago(30), "discount"),
        (499, ago(90), "discount"),
        (499, ago(91) + TICK, "discount"),
        (499, ago(91), "bonus_points"),
        (0, ago(180), "bonus_points"),
    ]:
        with subtests.test(balance=balance, active=active, offer=offer), undone():
            make_member(active=active, lifetime=1000, points_balance=balance)
            assert [each["suggestedOffer"]["type"] for each in loyalty_json(PATH)["targets"]] == [offer]
            labels = {"reminder": "Points reminder", "bonus_points": "Bonus points", "discount": "Discount"}
            response = loyalty_page(PATH)
            assert {name: tile(response, label).value for name, label in labels.items()} == {
                **dict.fromkeys(labels, 0), offer: 1,
            }  # fmt: skip


def test_a_reminder_names_the_points(loyalty_json):
    make_member(active=ago(40), lifetime=1000, points_balance=731)
    assert "731" in loyalty_json(PATH)["targets"][0]["suggestedOffer"]["message"]


def test_most_lifetime_points_come_first_then_names_then_ids(loyalty_json):
    ids = sorted(str(uuid.uuid4()) for _ in range(2))
    make_member("Bea", active=ago(40), lifetime=200, pk=ids[1])
    make_member("Bea", active=ago(40), lifetime=200, pk=ids[0])
    make_member("Ann", active=ago(40), lifetime=200)
    make_member("Zoe", active=ago(40), lifetime=201)
    targets = loyalty_json(PATH)["targets"]
    assert [each["name"] for each in targets] == ["Zoe", "Ann", "Bea", "Bea"]
    assert [each["id"] for each in targets[2:]] == ids


@pytest.fixture
def crowd():
    def fill(count: int) -> None:
        Member.objects.bulk_create(
            Member(
                name=f"Guest {n:04}",
                email=f"{n}@example.com",
                lifetime_points=5000 - n,
                last_activity_at=ago(40),
                offers_agreed_at=ago(300),
            )
            for n in range(count)
        )

    return fill


def test_a_thousand_are_all(loyalty_json, loyalty_page, crowd):
    crowd(1000)
    assert len(named(loyalty_json)) == 1000
    assert loyalty_page(PATH).context["targets_table"].note == ""


def test_of_more_the_first_thousand_are_answered_and_the_page_says_so(loyalty_json, loyalty_page, crowd):
    crowd(1002)
    names = named(loyalty_json)
    assert (len(names), names[0], names[-1]) == (1000, "Guest 0000", "Guest 0999")
    response = loyalty_page(PATH)
    assert "Top 1,000 by lifetime points; 2 more are not shown." in response.text
    assert tile(response, "Members to win back").value == tile(response, "Discount").value == 1002
    assert len(response.context["targets_table"].rows) == 1000


def test_nobody_to_win_back(loyalty_json, loyalty_page):
    make_member(lifetime=1000)
    assert named(loyalty_json) == []
    response = loyalty_page(PATH)
    assert "No members to win back right now." in response.text
    assert tile(response, "Members to win back").value == 0


# --- writing to them -------------------------------------------------------------------------------


def make_agreed(**values) -> Member:
    return make_member(**{"active": ago(40), "offers_agreed_at": ago(300), **values})


def test_nobody_is_written_to_who_has_not_agreed(loyalty_page):
    make_agreed(name="Ada", lifetime=1000, points_balance=20, email="ada@example.com")
    make_member("Bea", active=ago(40), lifetime=900, points_balance=20, email="bea@example.com")
    make_member("Eve", active=ago(40), lifetime=800, points_balance=900, email="eve@example.com")
    response = loyalty_page(PATH)
    words = " ".join(response.text.split())
    strip = response.context["strip"]
    assert [each.value for each in strip] == [3, 1, 0, None]
    assert strip[1].note == "Of 1 who agree to get offers, without those written to in the last 30 days"
    assert strip[2].note == "Nobody in the last 90 days"
    letters = {each.offer: each.addresses for each in response.context["letters"]}
    assert letters == {"reminder": [], "bonus_points": [], "discount": ["ada@example.com"]}
    assert words.count("None of them has agreed yet.") == 1
    assert 'href="mailto:ada@example.com?' in words
    assert 'href="mailto:bea@example.com' not in words
    table = response.context["targets_table"]
    place = [column.label for column in table.columns].index("Offers by email")
    assert [row[place] for row in table.rows] == ["Agreed", "Not agreed", "Not agreed"]
    # The list can have only those who may be, of all or of one offer.
    chosen = read(response).one("link", "To write to 1")
    assert (chosen["href"], chosen["aria-current"]) == ("?#targets-title", "true")
    for query, left in (
        ("", ["Ada"]),
        ("?offer=discount", ["Ada"]),
        ("?offer=reminder", []),
        ("?shown=all&offer=discount", ["Ada", "Bea"]),
        ("?shown=nonsense", ["Ada"]),
    ):
        assert [row[0] for row in loyalty_page(f"{PATH}{query}").context["listed"].rows] == left, query
    page = read(loyalty_page(f"{PATH}?shown=all&offer=reminder&page=2"))
    chosen, other = page.one("link", "Points reminder 1"), page.one("link", "To write to 0")
    assert (chosen["href"], chosen["aria-current"]) == ("?shown=all&offer=reminder#targets-title", "true")
    assert (other["href"], other.get("aria-current")) == ("?offer=reminder#targets-title", None)


def test_all_with_one_offer_are_written_to_in_one_mail_that_hides_them_from_each_other(loyalty_page):
    for number, balance in enumerate((731, 20, 10)):
        make_agreed(lifetime=1000 - number, points_balance=balance, email=f"{number}@example.com")
    response = loyalty_page(PATH)
    letters = {each.offer: each for each in response.context["letters"]}
    assert {name: each.addresses for name, each in letters.items()} == {
        "reminder": ["0@example.com"], "bonus_points": [], "discount": ["1@example.com", "2@example.com"],
    }  # fmt: skip
    assert 'href="mailto:?bcc=1@example.com,2@example.com&amp;body=We' in response.text
    assert "1@example.com, 2@example.com" in read(response).texts("field")
    assert "731" not in letters["reminder"].mailto
    counts = [each for each in read(response).texts("definition") if each.isdigit()]
    assert counts == ["1", "0", "1", "2", "0", "2"]  # they may be written to, were, and are still to be


def test_the_messages_offer_what_is_filled_in(loyalty_page, loyalty_json):
    make_agreed(lifetime=1000, points_balance=20, email="ada@example.com")
    make_member("Bea", active=ago(120), offers_agreed_at=ago(300), lifetime=900, email="bea@example.com")

    def messages(query: str) -> tuple[str, ...]:
        response = loyalty_page(f"{PATH}{query}")
        letters = {each.offer: each for each in response.context["letters"]}
        for address, offer in (("ada", "discount"), ("bea", "bonus_points")):
            body = quote(letters[offer].message)
            assert letters[offer].mailto.endswith(f"&body={body}")
            assert f'href="mailto:{address}@example.com?body={body}"'.replace("'", "%27") in response.text
        return tuple(re.search(r"get (\S+) (?:bonus|off)", each.message)[1] for each in list(letters.values())[1:])

    assert messages("") == ("50", "10%")
    assert messages("?points=75&percent=100&offer=discount&offer=") == ("75", "100%")
    for wrong in ("0", "-1", "101", "1.5", "²", "x"):
        assert messages(f"?percent={wrong}")[1] == "10%", wrong
    text = loyalty_page(f"{PATH}?percent=20&sort=member").text
    assert 'name="percent" value="20" min="1" max="100"' in text
    assert text.count('type="hidden" name="sort" value="member"') == 2  # in both forms
    assert text.count('type="hidden" name="percent"') == 1
    assert 'href="?percent=20&amp;sort=member&amp;offer=discount#targets-title"' in text
    assert "10%" not in str(loyalty_json(PATH))  # the JSON leaves it open


def test_who_came_back_had_been_away_for_a_month(loyalty_page, subtests):
    for days, came_back in [((1, 61), 1), ((30, 70), 1), ((1,), 0), ((31, 70), 0), ((1, 31, 70), 0), ((1, 59, 70), 0)]:
        with subtests.test(days=days, came_back=came_back), undone():
            member = make_member(active=ago(days[0]))
            for each in days:
                add(member, at=ago(each))
            response = loyalty_page(PATH)
            note = f"Away for 30 to 180 days. {came_back} came back in the last 30, written to or not"
            assert response.context["strip"][0].note == note


def test_the_list_is_sorted_by_lifetime_points_and_by_what_is_chosen(loyalty_page):
    for name, lifetime, balance, days in (("Ada", 500, 90, 50), ("Bob", 900, 20, 40), ("Cy", 700, 60, 60)):
        make_member(name, active=ago(days), lifetime=lifetime, points_balance=balance)

    def names(query: str = "?") -> list[str]:
        rows = read(loyalty_page(f"{PATH}{query}&shown=all")).one("table").all("row")
        return [row.names("link")[0] for row in rows[1:]]

    assert names() == ["Bob", "Cy", "Ada"]
    page = read(loyalty_page(f"{PATH}?shown=all"))
    assert page.sorting() == [("Lifetime points", "descending")]
    assert page.one("link", "Lifetime points")["href"] == "?shown=all&sort=lifetime#targets-title"
    assert names("?sort=member") == ["Ada", "Bob", "Cy"]
    assert names("?sort=active") == ["Cy", "Ada", "Bob"]
    assert names("?sort=-points") == ["Ada", "Cy", "Bob"]
    assert names("?sort=-points&offer=discount") == ["Ada", "Cy", "Bob"]


def test_a_long_list_has_pages(loyalty_page, crowd):
    crowd(60)
    page = read(loyalty_page(f"{PATH}?page=2&sort=member"))
    assert "26–50 of 60" in page
    assert len(page.one("table").rows()[1:]) == 25
    following = [each["href"] for each in page.all("link") if each.get("rel") == "next"]
    assert following == ["?sort=member&page=3#targets-title"]


def test_the_page_lists_all_or_those_with_one_offer_and_how_long_they_have_been_away(loyalty_page):
    for number, (days, balance) in enumerate(((50.7, 731), (120, 20), (40, 10))):  # 50.7 days: 51 dates ago
        make_agreed(name=f"M{number}", active=ago(days), lifetime=1000 - number, points_balance=balance)
    response = loyalty_page(PATH)
    assert [(each.label, each.query) for each in response.context["offers"]] == [
        ("Every offer 3", ""), ("Points reminder 1", "offer=reminder"), ("Bonus points 1", "offer=bonus_points"),
        ("Discount 1", "offer=discount"),
    ]  # fmt: skip
    assert response.context["listed"].ages == ["51 days ago", "120 days ago", "40 days ago"]
    assert "51 days ago" in read(response)
    assert len(loyalty_page(f"{PATH}?offer=nonsense").context["listed"].rows) == 3
    one = loyalty_page(f"{PATH}?offer=bonus_points")
    assert [row[0] for row in one.context["listed"].rows] == ["M1"]
    assert one.context["listed"].ages == ["120 days ago"]
    assert [name for name in read(one).names("link") if name in ("M0", "M1", "M2")] == ["M1"]
    assert [row[0] for row in one.context["targets_table"].rows] == ["M0", "M1", "M2"]


def test_more_than_a_mail_program_takes_are_copied(loyalty_page, crowd):
    crowd(200)
    response = loyalty_page(PATH)
    assert "mailto:?bcc" not in response.text
    assert any(each.endswith("199@example.com") for each in read(response).texts("field"))
