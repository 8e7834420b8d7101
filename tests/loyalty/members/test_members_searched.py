"""The search for members finds the same as reading every name, email and phone."""

import re

import pytest
from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from loyalty.models import Member
from loyalty.points.queries import search
from tests.loyalty.making import make_member
from web.searching import plain, terms_of

pytestmark = pytest.mark.django_db

PEOPLE = [
    ("Anna Murphy", "anna@example.com", "+353 20 912 345"),
    ("ANNABEL O'Brien", "a.obrien@example.com", ""),
    ("Jan 50% Off", "jan_off@example.com", ""),
    ("Back\\slash", "back@example.com", ""),
    ("Zoë Ångström", "zoe@example.com", ""),
    ("ΟΔΥΣΣΕΥΣ", "odysseus@example.com", ""),
    ("İbrahim", "ibrahim@example.com", ""),
    ("Straße", "road@example.com", "030 1"),
    ("Murphy Anna", "m.a@example.com", "91"),
    ("Jo", "jo@example.com", "0170 123 45 67"),
    ("Kim", "kim@example.com", "+49 (0)170 123-4568"),
    ("Lee", "lee@example.com", "0049 170 1234569"),
    ("Flo", "flo@example.com", "(555) 123-4567"),
]  # fmt: skip
TERMS = [
    "anna",
    "ANNA",
    "nna",
    " Anna ",
    "murphy",
    "Murphy Anna",
    "a",
    "@example.com",
    "912 345",
    "%",
    "50%",
    "_",
    "n_o",
    "\\",
    "k\\s",
    "ångström",
    "ÅNGSTRÖM",
    "ζ",
    "σσ",
    "ΣΣΕΥΣ",
    "σσευσ",
    "İbra",
    "ibra",
    "ß",
    "SS",
    "o'b",
    '"',
    "murphyanna",
    "murphy\nanna",
    "com +353",
    "1",
    "nobody",
    "zoe ANGSTROM",
    "angstrom zoe",
    "anna murphy",
    "obrien",
    "O’Brien",
    "strasse",
    '"anna murphy"',
    "Zoe\u0308",
]
NUMBERS = {
    "+49 170 1234567": ["Jo"], "00491701234567": ["Jo"], "01701234567": ["Jo"], "0170/123 45 67": ["Jo"],
    "0170 1234568": ["Kim"], "+49 170 123": ["Jo", "Kim", "Lee"], "170 123 45": ["Jo", "Kim", "Lee"],
    "+49170 1234569": ["Lee"], "+1 555 123 4567": ["Flo"], "555.123": ["Flo"], "+43 170 1234568": [],
    "kim 1234568": ["Kim"],
}  # fmt: skip
WORDS = {
    "anna murphy": ["anna", "murphy"], '"anna murphy"': ["anna murphy"], "murphy 91": ["murphy", "91"],
    "a example": ["a", "example"], "50% jan": ["50%", "jan"], "'murphy anna'": ["murphy anna"],
}  # fmt: skip
# As in a database in which a term finds few members, many, or a good part of all.
SIZES = [(2_000, 100), (0, 100), (0, 1)]


@pytest.fixture
def people():
    rows = [Member(name=name, email=email, phone=phone) for name, email, phone in PEOPLE]
    for place, row in enumerate(rows):
        row.last_activity_at = timezone.now() if place % 2 else None
    return Member.objects.bulk_create(rows)


def by_reading(term: str) -> list[str]:
    """Every row is looked at."""
    members = Member.objects.order_by(F("last_activity_at").desc(nulls_last=True), "name", "id")
    terms = terms_of(term)
    return [member.name for member in members if terms and all(has(member, each) for each in terms)]


def has(member: Member, term: str) -> bool:
    if term.isdigit():
        return term.lstrip("0") in re.sub(r"\D", "", f"{member.email} {member.phone}")
    return any(plain(term) in plain(text) for text in (member.name, member.email, member.phone))


def at_the_till(client, term: str) -> list[str]:
    return [member["name"] for member in client.get("/till", {"q": term}).json()["members"]]


def test_the_till_finds_what_looking_finds(cashier, people, monkeypatch):
    expected = {term: by_reading(term.strip()) for term in TERMS}
    assert 3 < list(expected.values()).count([]) < 10
    for few, common in SIZES:
        monkeypatch.setattr(search, "FEW", few)
        monkeypatch.setattr(search, "COMMON", common)
        found = {term: [member.name for member in search.search_members(term.strip())] for term in TERMS}
        assert found == expected, (few, common)
    assert {term: at_the_till(cashier, term) for term in TERMS[:5]} == {term: expected[term] for term in TERMS[:5]}


def test_a_telephone_number_is_found_however_it_is_written(cashier, owners_browser, people, monkeypatch):
    for few, common in SIZES:
        monkeypatch.setattr(search, "FEW", few)
        monkeypatch.setattr(search, "COMMON", common)
        assert {number: sorted(at_the_till(cashier, number)) for number in NUMBERS} == NUMBERS, (few, common)
    for number, names in NUMBERS.items():
        page = owners_browser.get("/admin/loyalty/member/", {"q": number}).context["cl"]
        assert sorted(member.name for member in page.result_list) == names, number


def test_the_admins_list_has_who_has_every_word(owners_browser, people, monkeypatch):
    for term, words in WORDS.items():
        every = Q()
        for word in words:
            every &= Q(name__typed=word) | Q(email__icontains=word) | Q(phone__icontains=word)
        wanted = set(Member.objects.filter(every))
        assert wanted
        page = owners_browser.get("/admin/loyalty/member/", {"q": term}).context["cl"]
        assert (set(page.result_list), page.result_count) == (wanted, len(wanted)), term
        for few, common in SIZES:
            monkeypatch.setattr(search, "FEW", few)
            monkeypatch.setattr(search, "COMMON", common)
            assert set(search.MemberSearch(Member.objects.all(), words).for_page()) == wanted, (term, few, common)


def test_what_is_typed_is_only_searched_for(cashier, people):
    odd = ["", "%00", "%FF", "%ED%A0%80", "%25%25", "%5C%5C", "%F0%9F%98%80", "x" * 5000, "http://%5B"]
    responses = {text: cashier.get(f"/till?q={text}") for text in odd}
    answers = {text: (response.status_code, response.json()["members"]) for text, response in responses.items()}
    assert answers == dict.fromkeys(odd, (200, []))


def test_a_member_is_found_with_what_the_till_needs_and_twenty_at_most(cashier):
    member = make_member("Ben", email="ben@example.com", phone="+44 20 7946 0000")
    assert cashier.get("/till?q=7946").json()["members"] == [
        {
            "customerId": str(member.pk), "name": "Ben", "email": "ben@example.com", "tier": "bronze",
            "pointsBalance": 100,
        }
    ]  # fmt: skip
    Member.objects.bulk_create(Member(name=f"Ada {number}", email=f"{number}@example.com") for number in range(21))
    assert len(at_the_till(cashier, "ada")) == 20


def test_a_new_name_is_found_and_neither_the_old_one_nor_who_was_erased(cashier, people):
    Member.objects.filter(name="Straße").update(name="Gasse")
    Member.objects.filter(name="Anna Murphy").update(erased_at=timezone.now())
    assert at_the_till(cashier, "gass") == ["Gasse"]
    assert at_the_till(cashier, "straße") == []
    assert at_the_till(cashier, "murphy") == ["Murphy Anna"]


def test_the_index_of_trigrams_has_what_is_searched_for(people):
    """Which PostgreSQL takes among many members only: with a few, it reads them all."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_indexonlyscan = off")
        found = Member.objects.filter(*search._by_index(["murphy anna"]))
        assert "member_trigrams" in found.explain()
        assert [member.name for member in found] == ["Murphy Anna"]
