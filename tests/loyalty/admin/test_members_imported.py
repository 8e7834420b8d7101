"""Members from elsewhere, in files as owners have them: shown line by line, and imported once."""

import re
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from loyalty.models import Member, PointTransaction
from loyalty.points.queries import points
from loyalty.reports.queries import given
from loyalty.rewards.queries.ledger import unbalanced_members
from qrservice import gateway
from qrservice.backends.base import Unavailable
from qrservice.models import Code
from tests.at_once import at_once
from tests.conftest import undone
from tests.loyalty.admin.pages import list_of, words_of
from tests.loyalty.making import change, make_member
from tests.reading import read
from tests.restaurant.admin.test_menu_files_of_owners import repacked, workbook
from web.journal import JournalEntry

IMPORT, CONFIRM = "/admin/loyalty/member/import/", "/admin/loyalty/member/process_import/"
ADA = ("Ada Kramer", "ada@example.com", "+49 30 1234567", 1250, "silver", "2021-06-01", "2024-03-31")
GERMAN = """sep=;
Vorname;Nachname;E-Mail;Telefonnummer;Punktestand;Mitglied seit;Einwilligung am;Geburtstag;Stufe
Ada;Kramer;ada@example.com;+49 30 1234567;1.250;01.06.2021;31.03.24;12.12.1980;Gold
"""


class Case(NamedTuple):
    habit: str
    file: str | bytes
    members: list[tuple[Any, ...]] = [ADA]
    says: str = ""
    asked: str = ""
    answers: dict[str, str] = {}


CASES = [
    Case("German, semicolons, Western European", GERMAN.encode("cp1252"),
         says="The columns Geburtstag, Stufe are not known and are left out."),
    Case("French, a date that begins with the day",
         "Nom complet;Courriel;Portable;Solde de points;Inscrit le;Date du consentement\n"
         "Ada Kramer;ada@example.com;+49 30 1234567;1 250;01/06/2021;31/03/2024\n"),
    Case("Italian, and an answer", "Nome;Cognome;Email;Cellulare;Punti;Iscritto dal;Consenso\n"
         "Ada;Kramer;ada@example.com;+49 30 1234567;1250;01/06/2021;2024-03-31\n",
         asked="What is in the column “Nome”", answers={"column_0": "first_name", "dates": "day"}),
    Case("Spanish, a date that nobody can read", "Nombre y apellidos;Correo;Móvil;Puntos;Fecha de alta;Consentimiento\n"
         "Ada Kramer;ada@example.com;+49 30 1234567;1250;06/01/2021;2024-03-31\n",
         asked="What comes first in “06/01/2021”", answers={"dates": "month"}),
    Case("English, a workbook, and a telephone number as a number",
         workbook([["Name", "Mobile", "Points"], ["Bob", 4917012345678, 20]]),
         [("Bob", "", "4917012345678", 20, "bronze", None, None)]),
    Case("headings as the page names the columns",
         "name,email,phone,points,joined,offers_since\n"
         "Ada Kramer,ada@example.com,+49 30 1234567,1250,2021-06-01,2024-03-31\n"),
    Case("headings as the preview calls them",
         "Name,Email,Phone,Points,Joined,Agreed to offers since\n"
         "Ada Kramer,ada@example.com,+49 30 1234567,1250,2021-06-01,2024-03-31\n"),
    Case("a day of no calendar", "name,email,joined\nBob,bob@example.com,0001-01-01T00:00+14:00\n", [],
         says="“0001-01-01T00:00+14:00” is not a day until today."),
    Case("no email, so no offers", "name,phone,consent\nBob,123,yes\n", [("Bob", "", "123", 0, "bronze", None, None)],
         says="Offers need an email."),
    Case("a month that nobody can mistake", "name,email,joined\nBob,bob@example.com,01.06.2021\n",
         [("Bob", "bob@example.com", "", 0, "bronze", "2021-06-01", None)], says="joined 1 Jun 2021"),
    Case("errors, and what is here already beside them",
         "name,email,phone,points,consent\n"
         "Ada Kramer,ada@,,5,\nBob,bob@example.com,,-5,\nCleo,,,5,\nDan,dan@example.com,4.9E+11,5,\n"
         "Eve,EVE@example.com,,5,\nEve,eve@example.com,,7,perhaps\nOther Eve,eve@Example.com,,5,\nFay,,+49 (0)30 1,5,\n"
         "Gus,gus@example.com,0049 30-1,5,\n",
         [("Eve", "EVE@example.com", "", 5, "bronze", None, None),
          ("Fay", "", "+49 (0)30 1", 5, "bronze", None, None)],
         says="2 Ada Kramer ada@ Email: Enter a valid email address. "
         "3 Bob bob@example.com “-5” is not a whole number of points, 0 or more. "
         "4 Cleo Phone: An email or a phone number is needed. "
         "5 Dan dan@example.com 4.9E+11 The spreadsheet has cut off this phone number. "
         "7 Eve eve@example.com “perhaps” is neither yes nor no, and no day until today. "
         "8 Other Eve eve@Example.com Here already: row 6 has this email. "
         "10 Gus gus@example.com 0049 30-1 Here already: row 9 has this phone number. "),
    Case("only names", "name,points\nBob,5\n", [], asked="A column with names is needed, and one with emails"),
]  # fmt: skip


def upload(browser: Client, file: str | bytes):
    data = file if isinstance(file, bytes) else file.encode()
    return browser.post(IMPORT, {"import_file": SimpleUploadedFile("members.csv", data)})


def confirm(browser: Client, page):
    return browser.post(CONFIRM, {"file": page.context["confirm"]}, follow=True)


def stored() -> list[tuple]:
    today = JournalEntry.objects.earliest("at").at.date() if Member.objects.exists() else None

    def day(moment) -> str | None:
        return None if moment is None or moment.date() == today else f"{moment:%Y-%m-%d}"

    return [
        (row.name, row.email, row.phone, row.points_balance, row.tier, day(row.created_at), day(row.offers_agreed_at))
        for row in Member.objects.order_by("name")
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.habit)
def test_files_are_read_as_owners_have_them(case, managers_browser):
    page = upload(managers_browser, case.file)
    if case.asked:
        assert case.asked in words_of(page)
        assert page.context["confirm"] is None
        page = managers_browser.post(IMPORT, {"file": page.context["file"], **case.answers})
    assert re.sub(r"\s+", " ", case.says) in words_of(page)
    assert not Member.objects.exists()
    if case.members:
        confirm(managers_browser, page)
    assert stored() == case.members


def test_an_imported_member_has_a_card_a_line_of_the_ledger_and_an_entry(managers_browser, mailoutbox):
    assert "1 member imported." in words_of(confirm(managers_browser, upload(managers_browser, GERMAN)))
    [member], [line] = Member.objects.all(), PointTransaction.objects.all()
    assert (line.type, line.points, line.recorded_by, line.description) == ("import", 1250, "mia", "Points from before")
    assert (member.lifetime_points, member.awards, member.spend, member.last_activity_at) == (1250, 0, 0, None)
    assert Code.objects.get().redirect_url.endswith(f"/member/{member.pk}")
    assert member.qr_code_url
    assert list(JournalEntry.objects.values_list("kind", "subject")) == [("import", str(line.pk))]
    assert LogEntry.objects.get().object_id == str(member.pk)
    assert not mailoutbox
    assert not unbalanced_members().exists()
    # Nobody has earned anything in this house.
    assert points.total(PointTransaction.objects.all()).earned == 0
    assert given(timezone.now() - timedelta(days=1), timezone.now()).points == 0
    call_command("verify_journal", verbosity=0)


def test_a_file_counts_once_also_after_its_members_have_changed(managers_browser):
    page = upload(managers_browser, GERMAN)
    confirm(managers_browser, page)
    change(Member.objects.get(), name="Ada Byron", email="byron@example.com", phone="")
    assert "0 members imported. 1 row left out." in words_of(confirm(managers_browser, page))
    assert "This row was imported before." in words_of(upload(managers_browser, GERMAN))
    assert Member.objects.count() == PointTransaction.objects.count() == 1


def test_somebody_of_the_same_name_is_asked_about(managers_browser, subtests):
    make_member("Ada Kramer", email="", phone="123")
    make_member("Bob", email="bob@example.com")
    file = "name,email\nADA KRAMER,ada@example.com\nBob,other@example.com\n"
    for answer, number in [("skip", 3), ("add", 4)]:
        with subtests.test(answer=answer), undone():
            page = upload(managers_browser, file)
            assert "Are these guests here already (rows 2)?" in words_of(page)
            page = managers_browser.post(IMPORT, {"file": page.context["file"], "namesakes": answer})
            confirm(managers_browser, page)
            assert Member.objects.count() == number


def test_members_who_are_here_already_keep_their_details_and_points(managers_browser):
    member = make_member("Ada", email="ada@example.com", phone="030 1234567")
    file = "name,email,phone,points\nAda K.,ADA@example.com,,500\nAnna,anna@example.com,0301234567,500\n"
    page = upload(managers_browser, file)
    assert "Here already: Ada has this email." in words_of(page)
    assert "Here already: Ada has this phone number." in words_of(page)
    assert page.context["confirm"] is None
    member.refresh_from_db()
    assert (Member.objects.count(), member.name, member.points_balance) == (1, "Ada", 100)


def test_what_was_answered_after_the_preview_is_shown_before_it_counts(managers_browser):
    page = upload(managers_browser, GERMAN)
    again = managers_browser.post(CONFIRM, {"file": page.context["confirm"], "column_4": ""})
    assert "Nothing was imported: please check again." in words_of(again)
    assert not Member.objects.exists()


def test_the_rest_is_imported_when_codes_can_be_made_again(managers_browser, monkeypatch):
    monkeypatch.setattr("loyalty.points.services.enrolment.AT_ONCE", 1)
    make = "loyalty.points.services.enrolment.gateway.create_codes"
    file = GERMAN + "Bob;Braun;bob@example.com;;7;;;;\n"
    page = upload(managers_browser, file)
    working, calls = gateway.create_codes, []

    def failing(to_create):
        calls.append(to_create)
        return working(to_create) if len(calls) == 1 else gateway.NewCodes([], Unavailable("No answer."))

    with monkeypatch.context() as broken:
        broken.setattr(make, failing)
        assert "Import the file again later for the rest" in words_of(confirm(managers_browser, page))
    assert Member.objects.count() == 1
    confirm(managers_browser, upload(managers_browser, file))
    assert set(Member.objects.values_list("name", flat=True)) == {"Ada Kramer", "Bob Braun"}


def test_a_number_that_is_none_is_refused(managers_browser):
    file = workbook([["Name", "Phone", "Points"], ["Bob", "123", 20]])
    for number in (b"1e999", b"9" * 400):
        page = upload(managers_browser, repacked(file, partial(re.sub, rb"(?<=<v>)20(?=</v>)", number)))
        assert page.status_code == 200
        assert page.context.get("confirm") is None


def test_only_who_may_add_and_change_members_imports_them(managers_browser, cashiers_browser):
    assert cashiers_browser.get(IMPORT).status_code == 403
    assert cashiers_browser.post(CONFIRM).status_code == 403
    assert read(managers_browser.get(list_of("member"))).all("link", "Import CSV")


@pytest.mark.django_db(transaction=True)
@pytest.mark.race
def test_a_double_tap_imports_each_row_once(managers_browser):
    rows = "".join(f"Guest {number},,{number:06},{number}\n" for number in range(1, 31))
    page = upload(managers_browser, "name,email,phone,points\n" + rows)

    def tap() -> int:
        browser = Client()
        browser.cookies = managers_browser.cookies
        return browser.post(CONFIRM, {"file": page.context["confirm"]}).status_code

    assert at_once([tap] * 4) == [302] * 4
    assert Member.objects.count() == PointTransaction.objects.count() == JournalEntry.objects.count() == 30
    assert not unbalanced_members().exists()
    assert Code.objects.exclude(status="disabled").count() == 30
