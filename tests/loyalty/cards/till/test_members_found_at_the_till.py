"""Finding a guest at the counter, by what is typed or scanned."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from loyalty.models import Confirmation, Location, Member, PointTransaction
from loyalty.points.services import enrolment
from loyalty.rewards.services import confirmations
from tests.conftest import make_user, undone
from tests.loyalty.cards.till.counter import Till, hidden, purchases
from tests.reading import read

pytestmark = pytest.mark.django_db


def test_before_anything_is_typed_the_last_guests_are_listed(counter, location, mia):
    assert "Nobody yet." in counter.open("/till").page
    other = enrolment.enrol(email="noah@example.com", name="Noah")
    counter.open(f"/member/{other.pk}").give("20")
    counter.open(f"/member/{mia.pk}").give("12.50")
    addresses = [address for address in counter.open("/till").seen.addresses() if address.startswith("/member/")]
    assert addresses == [f"/member/{mia.pk}", f"/member/{other.pk}"]
    listed = counter.client.get("/till", headers={"Accept": "application/json"}).json()["latest"]
    assert [set(row) for row in listed] == [{"customerId", "name", "points", "orderTotal", "createdAt"}] * 2
    assert "€12.50" in counter.page
    assert "Nobody yet." not in counter.page
    assert done(counter) == ["Different guests 2", "Their bills €32.50", "Points given 32", "Rewards handed out 0"]
    assert "Nobody yet." not in counter.open("/till?q=nobody").page
    assert done(counter) == []


def done(counter: Till) -> list[str]:
    """Return the totals of this till's user today."""
    return [f"{name} {value}" for name, value in counter.seen.facts().items()]


def test_what_was_taken_back_or_undone_counts_for_nobodys_till(counter, location, mia, redemption):
    counter.open(f"/member/{mia.pk}").give("12.50")
    assert done(counter.open("/till")) == [
        "Different guests 1",
        "Their bills €12.50",
        "Points given 12",
        "Rewards handed out 0",
    ]
    counter.send(f"/transactions/{PointTransaction.objects.get(order_total='12.50').pk}/reverse")
    counter.open(f"/use/{redemption.redemption_code}").send(f"/use/{redemption.redemption_code}/confirm")
    assert done(counter.open("/till"))[2:] == ["Points given 0", "Rewards handed out 1"]
    counter.open(f"/use/{redemption.redemption_code}")
    Confirmation.objects.update(undone_at=timezone.now())
    assert done(counter.open("/till"))[3] == "Rewards handed out 0"
    counter.client.force_login(make_user("Cashiers", username="colleague"))
    assert done(counter.open("/till"))[:2] == ["Different guests 0", "Their bills €0.00"]


def test_a_guest_is_found_by_name_email_or_phone(counter, mia, subtests):
    for typed in ["kelly", "MIA.KELLY@", "555 0134"]:
        with subtests.test(typed=typed), undone():
            enrolment.enrol(email="someone@example.com", name="Someone Else")
            counter.open("/till").open(f"/till?q={typed}")
            assert f'href="/member/{mia.pk}"' in counter.page
            assert "Someone Else" not in counter.page


def test_who_is_not_found_can_be_enrolled(counter):
    counter.open("/till?q=<b>nobody</b>")
    assert "No guest found for" in counter.page
    assert 'href="/signup"' in counter.page


def test_a_long_list_says_that_it_is_cut(counter, subtests):
    for number, is_cut in [(19, False), (20, False), (21, True)]:
        with subtests.test(number=number, is_cut=is_cut), undone():
            made = [Member(email=f"{twin}@example.com", name=f"Twin {twin}") for twin in range(number)]
            Member.objects.bulk_create(made)
            counter.open("/till?q=twin")
            assert len(guests(counter)) == min(number, 20)
            assert ("More than 20 guests" in counter.seen.names("heading")) is is_cut
            assert ("The latest visit on top. Type more to narrow it down." in counter.seen) is is_cut
            assert (f"{number} guests found" in counter.seen.names("heading")) is not is_cut
            listed = counter.client.get("/till?q=twin", headers={"Accept": "application/json"}).json()["members"]
            assert len(listed) == min(number, 20)


def test_a_guests_page_names_as_much_of_mail_and_phone_as_the_list(counter):
    mia = Member.objects.create(email="mia@example.com", name="Mia Kelly", phone="+353 85 555 0134")
    assert "mi…@example.com Phone …0134" in counter.open(f"/member/{mia.pk}").seen
    assert "+353" not in counter.page
    Member.objects.update(phone="")
    seen = counter.open(f"/member/{mia.pk}").seen
    assert "mi…@example.com" in seen
    assert "Phone …" not in seen
    assert "mia@example.com" not in counter.page


def guests(counter: Till) -> list[str]:
    """Return the texts of the links to the members who match."""
    page = read(re.sub(b"</?mark>", b"", counter.response.content))
    return [name for name, address in page.links() if address.startswith("/member/")]


def marked(counter: Till) -> list[str]:
    return [mark.text for mark in counter.seen.element.iter("mark")]


def test_guests_of_one_name_are_told_apart_by_their_last_visit_and_their_phone(counter):
    now = timezone.localtime().replace(hour=12, minute=5)
    Member.objects.create(email="a@example.com", name="Mia Kelly", phone="+353 85 555 0134", last_activity_at=now)
    Member.objects.create(
        email="bernard@example.com", name="MIA KELLY", last_activity_at=datetime(2020, 3, 2, 12, tzinfo=UTC)
    )
    Member.objects.create(email="mia.k@example.com", name="Kim", last_activity_at=now - timedelta(days=1))
    Member.objects.create(email="mia@example.com", name="Ben", phone="+353 1 555 7788")
    counter.open("/till?q=mia")
    rows = ["Mia Kelly a…@example.com Phone …0134 Today, 12:05", "MIA KELLY be…d@example.com 2 Mar 2020"]
    rows += [
        "Kim mia.k@example.com Yesterday",
        "Ben mia@example.com Phone …7788 No visit yet",
    ]  # a whole mail: found by it
    assert [name.partition(" bronze")[0].partition(" Bronze")[0] for name in guests(counter)] == rows
    assert marked(counter) == ["Mia", "MIA", "mia", "mia"]
    assert "Also contain “mia”" in counter.page
    assert "+353 85 555 0134" in counter.open("/till?q=555").seen
    assert marked(counter) == ["555", "555"]


def test_names_that_begin_with_what_is_typed_come_first_and_rows_say_tier_and_points(counter):
    now = timezone.now()
    for days, (name, tier, points) in enumerate(
        [("Hannah", "Bronze", 0), ("Sean O'Dea", "Bronze", 5), ("Andrei Ban", "Gold", 1250), ("Mary Anne", "Silver", 1)]
    ):
        Member.objects.create(
            email=f"{days}@example.com",
            name=name,
            tier=tier,
            points_balance=points,
            last_activity_at=now - timedelta(days=days),
        )
    counter.open("/till?q=an")
    names = ["Andrei Ban", "Mary Anne", "Hannah", "Sean O'Dea"]
    assert all(shown.startswith(name) for shown, name in zip(guests(counter), names, strict=True))
    assert marked(counter) == ["An", "An", "an", "an"]
    text = counter.seen.text
    assert text.index("Mary") < text.index("Also contain “an”") < text.index("H an nah")
    assert [re.search(r"(Gold|Silver) ([\d,]+) points?$", guest).groups() for guest in guests(counter)[:2]] == [
        ("Gold", "1,250"), ("Silver", "1"),
    ]  # fmt: skip
    json = counter.client.get("/till?q=an", headers={"Accept": "application/json"}).json()
    assert json["members"][0]["name"] == "Hannah"  # programs get them by their last visit


def test_of_many_matches_names_that_begin_so_are_not_cut(counter):
    now = timezone.now()
    others = [Member(email=f"{number}@example.com", name="Hannah", last_activity_at=now) for number in range(21)]
    Member.objects.bulk_create([*others, Member(email="a@example.com", name="Mary-Anne", last_activity_at=None)])
    names = [name.partition(" ")[0] for name in guests(counter.open("/till?q=an"))]
    assert names == ["Mary-Anne", *["Hannah"] * 19]
    assert marked(counter) == ["An", *["an"] * 19]


def test_what_is_marked_is_written_as_text(counter):
    Member.objects.create(email="a@example.com", name="<i>Mia</i> & Co")
    [guest] = guests(counter.open("/till?q=%3Ci%3Emi"))
    assert guest.startswith("<i>Mia</i> & Co ")
    assert marked(counter) == ["<i>Mi"]


def test_the_till_says_where_it_stands(counter, location, mia):
    quay = Location.objects.create(name="Quayside")
    assert "Quayside" not in counter.open("/till").page
    counter.open(f"/member/{mia.pk}").give("10", locationId=str(quay.pk))
    assert "Quayside" in counter.open("/till").page


def test_a_typed_code_opens_its_redemption(counter, redemption):
    assert counter.open(f"/till?q=+{redemption.redemption_code.lower()}+").at == f"/use/{redemption.redemption_code}"
    assert "Coffee on Us" in counter.page


def test_what_a_scanner_types_opens_the_page_of_the_code(counter, mia, subtests):
    for host in ["http://testserver", "HTTPS://regulars.example.com"]:
        with subtests.test(host=host), undone():
            for path in (f"/member/{mia.pk}", "/use/RWD-AAAAAA", "/q/abcd1234", "/Q/ABCD1234"):
                response = counter.client.get("/till", {"q": f"{host}{path}"})
                assert (response.status_code, response["Location"]) == (302, path)


def test_other_addresses_are_only_searched_for(counter, subtests):
    for path in ["/admin/", "//evil.example.com/q/abcd1234", "/use/../admin", "/member/"]:
        with subtests.test(path=path), undone():
            response = counter.client.get("/till", {"q": f"http://testserver{path}"})
            assert response.status_code == 200
            assert "No guest found" in response.content.decode()


def test_a_reward_that_is_scanned_for_points_is_said_to_be_no_card(counter, location, mia, redemption):
    sentence = "That was a reward's code, not a card. No points were given"
    page = f"/use/{redemption.redemption_code}"
    for scanned in (redemption.redemption_code, redemption.short_url):
        counter.open(f"/member/{mia.pk}").give(scanned)
        assert counter.at.endswith(page)
        assert sentence in counter.page
        assert f'href="/member/{mia.pk}"' in counter.page
        assert sentence not in counter.open(page).page
    confirmations.confirm(code=redemption.redemption_code)
    assert sentence in counter.open(f"/member/{mia.pk}").give(redemption.short_url).page
    assert purchases() == []
    other = enrolment.enrol(email="noah@example.com", name="Noah")
    assert counter.open(f"/member/{mia.pk}").give(other.short_url).at.endswith(f"/member/{other.pk}")
    assert sentence not in counter.page
    assert sentence not in counter.open(page).page


def test_a_card_that_is_scanned_for_a_reward_is_said_to_be_none(counter, location, mia, redemption):
    sentence = "That was a guest's card, not a reward's code."
    other = enrolment.enrol(email="noah@example.com", name="Noah")
    counter.open("/use/RWD-NOSUCH")
    assert hidden(counter.page, "for") == "reward"
    counter.open(f"/till?for=reward&q={mia.short_url}")
    assert f"{sentence} Choose the reward under Rewards to hand out." in counter.seen
    assert sentence not in counter.open(f"/member/{mia.pk}").page
    counter.open(f"/till?for=reward&q={other.short_url}")
    assert f"{sentence} There is no reward to hand out to this guest." in counter.seen
    counter.open(f"/till?for=reward&q={redemption.short_url}")
    assert counter.at.endswith(f"/use/{redemption.redemption_code}")
    assert "That was" not in counter.page
