from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission

from loyalty.models import Member, Notification, PointTransaction
from loyalty.points.services import points
from loyalty.rewards.services import confirmations
from tests.conftest import browser_of, make_user
from tests.loyalty.admin.pages import MODELS, exported, list_of, make_redemption
from tests.loyalty.making import make_location, make_member, make_reward
from web.spreadsheets import blocks, harmless

# A semicolon that spreadsheets of some languages separate by, full-width and other signs, and what is skipped.
HIDDEN = ["\tx", "\rx", "＝1+1", "＋1", "－1", "＠SUM(A1)", "﹦1", " =1+1", "\u200b=1", "\ufeff=1", "'=1"]


def test_what_is_on_the_screen_is_what_is_in_the_file(managers_browser):
    at = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    make_member("Bob", lifetime=1200, email="bob@example.com", offers_agreed_at=at)
    make_member("Ada", lifetime=1500, balance=300, email="ada@example.com", last_activity_at=at)
    make_member("Zoë", lifetime=100)
    make_member("Ada Bronze", lifetime=50)
    assert exported(managers_browser, "member", tier__exact="silver", o="1") == [
        ["Name", "Email", "Phone", "Tier", "Points", "Lifetime points", "Last active", "Agreed to offers"],
        ["Ada", "ada@example.com", "", "silver", "300", "1500", "2026-03-01 12:30:00", ""],
        ["Bob", "bob@example.com", "", "silver", "1200", "1200", "", "2026-03-01 12:30:00"],
    ]
    assert [row[0] for row in exported(managers_browser, "member", tier__exact="silver", o="-1")[1:]] == ["Bob", "Ada"]
    assert [row[0] for row in exported(managers_browser, "member", q="zoë")[1:]] == ["Zoë"]


def test_all_pages_of_a_list_are_in_the_file_which_is_streamed(managers_browser, member):
    PointTransaction.objects.bulk_create(PointTransaction(customer=member, type="bonus", points=1) for _ in range(250))
    assert len(exported(managers_browser, "pointtransaction")) == 1 + 251
    assert len(exported(managers_browser, "pointtransaction", type__exact="bonus", p="3")) == 1 + 250
    assert managers_browser.get(list_of("pointtransaction") + "export/").streaming


def test_columns_that_are_links_or_signs_on_the_screen_are_words_in_the_file(managers_browser, member, reward):
    make_redemption(member, reward, "RWD-AAAAAA")
    for _ in range(2):
        confirmations.confirm(code="RWD-AAAAAA", staff_id="carla")
    heading, row = exported(managers_browser, "redemption")
    assert heading[:5] == ["Code", "Status", "Confirmations", "Member", "Reward"]
    assert row[:5] == ["RWD-AAAAAA", "Used", "2", "Ada Lovelace", "Free coffee"]
    assert exported(managers_browser, "reward")[1] == ["Free coffee", "coffee", "yes", "100", "free item", "1"]


def test_no_text_is_a_formula_for_a_spreadsheet():
    formulas = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")', *HIDDEN]
    assert {text: harmless(text) for text in formulas} == {text: f"'{text}" for text in formulas}
    inside = {
        ";=1+1": "';'=1+1",
        "Ada;=WEBSERVICE(A1);": "Ada;'=WEBSERVICE(A1);",
        "\t=1": "'\t'=1",
        "Ada\t=1": "Ada\t'=1",
        "Ada; ＝1": "Ada; '＝1",
        "Ada; Bob": "Ada; Bob",
        "1-1=0": "1-1=0",
    }
    assert {text: harmless(text) for text in inside} == inside


def test_a_telephone_number_is_no_formula():
    for phone in ("+49 171 1234567", "+491711234567", "+44 (0)20/7946-0123", "+1.212.555.0100"):
        assert harmless(phone) == phone
        for formula in (
            f"{phone}*2",
            f"{phone}+1",
            f"{phone}=A1",
            f"{phone}\t=1",
            phone[:5],
            f"\t{phone}",
            f"-{phone}",
        ):
            assert harmless(formula)[0] == "'"


def test_names_are_harmless_in_the_files_and_stay_as_they_are(managers_browser):
    make_member("=1+1", phone="+49 171 1234567")
    assert exported(managers_browser, "member")[1][::2][:2] == ["'=1+1", "+49 171 1234567"]
    assert "'=1+1" in exported(managers_browser, "pointtransaction")[1]
    assert Member.objects.get().name == "=1+1"


def test_a_name_with_html_commas_and_lines_stays_what_it_is(managers_browser):
    make_member('<b>Bob</b> & "Co", Ltd')
    assert exported(managers_browser, "member")[1][0] == '<b>Bob</b> & "Co", Ltd'
    assert exported(managers_browser, "pointtransaction")[1][1] == '<b>Bob</b> & "Co", Ltd'


def test_the_file_of_the_ledger_has_place_and_staff_in_columns_of_their_own(managers_browser, member, location):
    points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=20, staff_id="carla")
    heading, row, _bonus = exported(managers_browser, "pointtransaction")
    assert heading == [
        "Time", "Member", "Type", "Points", "Description", "Order total", "Location", "Staff", "Entered by",
    ]  # fmt: skip
    assert row[1:8] == ["Ada Lovelace", "earned", "20", "Purchase at Harbour", "20.00", "Harbour", "carla"]


def test_points_taken_stay_numbers(managers_browser):
    make_member(lifetime=100, balance=40)
    assert exported(managers_browser, "pointtransaction", type__exact="expire")[1][3] == "-60"


def test_every_list_has_its_file_and_only_for_who_may_see_the_list(managers_browser, cashiers_browser, client):
    for model in MODELS:
        file = list_of(model) + "export/"
        assert exported(managers_browser, model)[0]
        assert cashiers_browser.get(file).status_code == 403, model
        assert client.get(file).status_code == 302, model  # to the sign-in


def test_who_may_see_one_list_may_not_have_another(db):
    user = make_user("Cashiers")
    user.user_permissions.add(Permission.objects.get(codename="view_reward"))
    looker = browser_of(user)
    assert exported(looker, "reward")
    assert looker.get(list_of("member") + "export/").status_code == 403


def test_a_filter_that_makes_no_sense_leads_back_to_the_list(managers_browser):
    response = managers_browser.get(list_of("pointtransaction") + "export/?created_at__year=soon")
    assert response.status_code == 302
    assert response["Location"] == "../?e=1"


def test_a_file_is_made_in_parts():
    parts = list(blocks(([str(number)] for number in range(5)), size=2))
    assert [part.split() for part in parts] == [["\ufeff"], ["0", "1"], ["2", "3"], ["4"]]


# --- as many questions for many rows as for one ---------------------------------------------------


@pytest.fixture
def thirty(db):
    location = make_location()
    for n in range(30):
        member, reward = make_member(f"Member {n}"), make_reward(f"Reward {n}")
        member.transactions.update(location=location)
        make_redemption(member, reward, f"RWD-{n:06}")
        confirmations.confirm(code=f"RWD-{n:06}", staff_id="carla")
        Notification.objects.create(customer=member, title="Gold", message="x")
        make_location(f"Place {n}")


def test_a_list_and_its_file_take_few_queries(managers_browser, thirty, django_assert_max_num_queries):
    for model in MODELS:
        with django_assert_max_num_queries(14):  # two of them for what needs attention
            assert managers_browser.get(list_of(model)).context["cl"].result_count >= 30
        with django_assert_max_num_queries(12):
            assert len(managers_browser.get(list_of(model) + "export/").getvalue().splitlines()) > 30


def test_a_members_page_takes_few_queries(managers_browser, thirty, django_assert_max_num_queries):
    member = Member.objects.earliest("created_at")
    PointTransaction.objects.bulk_create(PointTransaction(customer=member, type="bonus", points=1) for _ in range(80))
    reward = make_reward()
    for n in range(60):
        make_redemption(member, reward, f"RWD-X{n:05}")
    with django_assert_max_num_queries(18):
        managers_browser.get(f"/admin/loyalty/member/{member.pk}/change/")
