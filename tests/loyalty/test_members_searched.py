"""The search for members finds what a look at every name, email and phone would."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F, Q
from django.test import Client
from django.utils import timezone

from loyalty import search
from loyalty.models import Member

pytestmark = pytest.mark.django_db

PEOPLE = [
    ("Anna Murphy", "anna@example.com", "+353 20 912 345"),
    ("ANNABEL O'Brien", "a.obrien@example.com", ""),
    ("Jan 50% Off", "jan_off@example.com", ""),
    ("Back\\slash", "back@example.com", ""),
    ("Zoë Ångström", "zoe@example.com", ""),
    ("ΟΔΥΣΣΕΥΣ", "odysseus@example.com", ""),
    ("İbrahim", "ibrahim@example.com", ""),
    ("Straße", "strasse@example.com", "030 1"),
    ("Murphy Anna", "m.a@example.com", "91"),
]  # fmt: skip
TERMS = [
    "anna", "ANNA", "nna", "murphy", "Murphy Anna", "a", "@example.com", "912 345", "%", "50%", "_", "n_o", "\\",
    "k\\s",
    "ångström", "ÅNGSTRÖM", "ζ", "σσ", "ΣΣΕΥΣ", "σσευσ", "İbra", "ibra", "ß", "SS", "o'b", '"', "murphyanna",
    "murphy\nanna",
    "com +353", "1", "nobody",
]  # fmt: skip


@pytest.fixture
def people():
    rows = [Member(name=name, email=email, phone=phone) for name, email, phone in PEOPLE]
    for place, row in enumerate(rows):
        row.last_activity_at = timezone.now() if place % 2 else None
    return Member.objects.bulk_create(rows)


def by_looking(term: str) -> list[str]:
    """Every row is looked at, by the database's own comparison that ignores case."""
    like = term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    where = " OR ".join(f"{column} ILIKE %s" for column in ("name", "email", "phone"))
    found = Member.objects.extra(where=[where], params=[f"%{like}%"] * 3)  # noqa: S610 (constants)
    return list(
        found.order_by(F("last_activity_at").desc(nulls_last=True), "name", "id").values_list("name", flat=True)
    )


@pytest.fixture(params=[(2_000, 100), (0, 100), (0, 1)], ids=["few", "many", "common"])
def found_as(request, monkeypatch):
    """As in a database in which a term finds few members, many, or a good part of all."""
    for name, value in zip(("FEW", "COMMON"), request.param, strict=True):
        monkeypatch.setattr(search, name, value)


@pytest.mark.usefixtures("found_as")
@pytest.mark.parametrize("term", TERMS)
def test_the_till_finds_what_looking_finds(cashier, people, term):
    found = [each["name"] for each in cashier.get("/till", {"q": term}).json()["members"]]
    assert found == by_looking(term.strip())


def test_some_of_the_terms_find_somebody_and_some_nobody(people):
    found = [len(by_looking(term)) for term in TERMS]
    assert found.count(0) > 3
    assert len(TERMS) - found.count(0) > 20


def test_a_new_name_is_found_and_the_old_one_is_not(cashier, people):
    Member.objects.filter(name="Straße").update(name="Gasse")
    assert [each["name"] for each in cashier.get("/till?q=gass").json()["members"]] == ["Gasse"]
    assert not cashier.get("/till?q=straße").json()["members"]


def test_the_till_leaves_out_who_was_erased(cashier, people):
    Member.objects.filter(name="Anna Murphy").update(erased_at=timezone.now())
    assert [each["name"] for each in cashier.get("/till?q=murphy").json()["members"]] == ["Murphy Anna"]


@pytest.mark.usefixtures("found_as")
@pytest.mark.parametrize("term", ["anna murphy", '"anna murphy"', "murphy 91", "a example", "50% jan", "'murphy anna'"])
def test_the_admins_list_has_who_has_every_word(people, term):
    manager = Client()
    manager.force_login(User.objects.create_superuser("boss"))
    words = [term.strip("\"'")] if term[0] in "\"'" else term.split()
    every = Q()
    for word in words:
        every &= Q(name__icontains=word) | Q(email__icontains=word) | Q(phone__icontains=word)
    wanted = set(Member.objects.filter(every))
    assert wanted
    page = manager.get("/admin/loyalty/member/", {"q": term}).context["cl"]
    assert set(page.result_list) == wanted
    assert page.result_count == len(wanted)


def test_the_index_of_trigrams_has_what_is_searched_for(people):
    """Which PostgreSQL takes among many members only: with a few, it reads them all."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_indexonlyscan = off")
        found = search.Found(Member.objects.all(), ["murphy anna"]).to_count()
        assert "member_trigrams" in found.explain()
        assert [member.name for member in found] == ["Murphy Anna"]
