import tracemalloc
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission

from loyalty.models import Member, Notification, PointTransaction
from loyalty.services import points, redemptions
from tests.conftest import make_user
from tests.loyalty.admin.conftest import make_redemption
from tests.loyalty.admin.pages import MODELS, exported, list_of
from tests.loyalty.conftest import make_location, make_member, make_reward
from tests.qrservice.admin.pages import browser_of
from web.spreadsheets import harmless

# A semicolon that spreadsheets of some languages separate by, full-width and other signs, and what is skipped.
HIDDEN = ["\tx", "\rx", "＝1+1", "＋1", "－1", "＠SUM(A1)", "﹦1", " =1+1", "\u200b=1", "\ufeff=1", "'=1"]


def test_what_is_on_the_screen_is_what_is_in_the_file(manager):
    at = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    make_member("Bob", lifetime=1200, email="bob@example.com", offers_agreed_at=at)
    make_member("Ada", lifetime=1500, balance=300, email="ada@example.com", last_activity_at=at)
    make_member("Zoë", lifetime=100)
    make_member("Ada Bronze", lifetime=50)
    assert exported(manager, "member", tier__exact="silver", o="1") == [
        ["Name", "Email", "Phone", "Tier", "Points", "Lifetime points", "Last active", "Agreed to offers"],
        ["Ada", "ada@example.com", "", "silver", "300", "1500", "2026-03-01 12:30:00", ""],
        ["Bob", "bob@example.com", "", "silver", "1200", "1200", "", "2026-03-01 12:30:00"],
    ]
    assert [row[0] for row in exported(manager, "member", tier__exact="silver", o="-1")[1:]] == ["Bob", "Ada"]
    assert [row[0] for row in exported(manager, "member", q="zoë")[1:]] == ["Zoë"]


def test_all_pages_of_a_list_are_in_the_file(manager, member):
    PointTransaction.objects.bulk_create(PointTransaction(customer=member, type="bonus", points=1) for _ in range(2500))
    assert len(exported(manager, "pointtransaction")) == 1 + 2501
    assert len(exported(manager, "pointtransaction", type__exact="bonus", p="3")) == 1 + 2500


def test_columns_that_are_links_or_signs_on_the_screen_are_words_in_the_file(manager, member, reward):
    make_redemption(member, reward, "RWD-AAAAAA")
    for _ in range(2):
        redemptions.confirm(code="RWD-AAAAAA", staff_id="carla")
    heading, row = exported(manager, "redemption")
    assert heading[:5] == ["Code", "Status", "Confirmations", "Member", "Reward"]
    assert row[:5] == ["RWD-AAAAAA", "● used", "⚠ 2 times", "Ada Lovelace", "Free coffee"]
    assert exported(manager, "reward")[1] == ["Free coffee", "coffee", "yes", "100", "free item", "1"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")', *HIDDEN])
def test_no_name_is_a_formula_for_a_spreadsheet(manager, name):
    member = make_member(name)
    assert exported(manager, "member")[1][0] == f"'{name}"
    assert "'" + name in exported(manager, "pointtransaction")[1]
    assert member.name == name


@pytest.mark.parametrize("phone", ["+49 171 1234567", "+491711234567", "+44 (0)20/7946-0123", "+1.212.555.0100"])
def test_a_telephone_number_is_written_as_it_was_typed(manager, phone):
    make_member("Ada", phone=phone)
    assert exported(manager, "member")[1][2] == phone
    for formula in (f"{phone}*2", f"{phone}+1", f"{phone}=A1", f"{phone}\t=1", phone[:5], f"\t{phone}", f"-{phone}"):
        assert harmless(formula)[0] == "'"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (";=1+1", "';'=1+1"),
        ("Ada;=WEBSERVICE(A1);", "Ada;'=WEBSERVICE(A1);"),
        ("\t=1", "'\t'=1"),
        ("Ada\t=1", "Ada\t'=1"),
        ("Ada; ＝1", "Ada; '＝1"),
        ("Ada; Bob", "Ada; Bob"),
        ("1-1=0", "1-1=0"),
    ],
)
def test_no_name_becomes_a_formula_where_spreadsheets_separate_by_semicolons(manager, name, written):
    make_member(name)
    assert exported(manager, "member")[1][0] == written


def test_a_name_with_html_commas_and_lines_stays_what_it_is(manager):
    make_member('<b>Bob</b> & "Co", Ltd')
    assert exported(manager, "member")[1][0] == '<b>Bob</b> & "Co", Ltd'
    assert exported(manager, "pointtransaction")[1][1] == '<b>Bob</b> & "Co", Ltd'


def test_the_file_of_the_ledger_has_place_and_staff_in_columns_of_their_own(manager, member, location):
    points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=20, staff_id="carla")
    heading, row, _bonus = exported(manager, "pointtransaction")
    assert heading == [
        "Time", "Member", "Type", "Points", "Description", "Order total", "Location", "Staff", "Entered by",
    ]  # fmt: skip
    assert row[1:8] == ["Ada Lovelace", "earned", "20", "Purchase at Harbour", "20.00", "Harbour", "carla"]


def test_points_taken_stay_numbers(manager):
    make_member(lifetime=100, balance=40)
    assert exported(manager, "pointtransaction", type__exact="expire")[1][3] == "-60"


@pytest.mark.parametrize("model", MODELS)
def test_every_list_has_its_file_and_only_for_who_may_see_the_list(manager, cashier, client, model, db):
    assert exported(manager, model)[0]
    assert cashier.get(list_of(model) + "export/").status_code == 403
    assert client.get(list_of(model) + "export/").status_code == 302  # to the sign-in


def test_who_may_see_one_list_may_not_have_another(db):
    user = make_user("Cashiers")
    user.user_permissions.add(Permission.objects.get(codename="view_reward"))
    looker = browser_of(user)
    assert exported(looker, "reward")
    assert looker.get(list_of("member") + "export/").status_code == 403


def test_a_filter_that_makes_no_sense_leads_back_to_the_list(manager):
    response = manager.get(list_of("pointtransaction") + "export/?created_at__year=soon")
    assert response.status_code == 302
    assert response["Location"].endswith("pointtransaction/?e=1")


@pytest.mark.slow
def test_a_large_file_is_sent_in_parts_and_bounded_in_memory(manager, member):
    rows = (PointTransaction(customer=member, type="bonus", points=1, description="x" * 1000) for _ in range(10_000))
    PointTransaction.objects.bulk_create(rows, batch_size=5000)
    response = manager.get(list_of("pointtransaction") + "export/")
    tracemalloc.start()
    sizes = [len(part) for part in response.streaming_content]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(sizes) > 10_000_000
    assert peak < 8_000_000


# --- as many questions for many rows as for one ---------------------------------------------------


@pytest.fixture
def thirty(db):
    location = make_location()
    for n in range(30):
        member, reward = make_member(f"Member {n}"), make_reward(f"Reward {n}")
        member.transactions.update(location=location)
        make_redemption(member, reward, f"RWD-{n:06}")
        redemptions.confirm(code=f"RWD-{n:06}", staff_id="carla")
        Notification.objects.create(customer=member, title="Gold", message="x")
        make_location(f"Place {n}")


@pytest.mark.parametrize("model", MODELS)
def test_a_list_and_its_file_take_few_queries(manager, thirty, model, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):  # two of them for what needs attention
        assert manager.get(list_of(model)).context["cl"].result_count >= 30
    with django_assert_max_num_queries(12):
        assert len(manager.get(list_of(model) + "export/").getvalue().splitlines()) > 30


def test_a_members_page_takes_few_queries(manager, thirty, django_assert_max_num_queries):
    member = Member.objects.earliest("created_at")
    PointTransaction.objects.bulk_create(PointTransaction(customer=member, type="bonus", points=1) for _ in range(80))
    reward = make_reward()
    for n in range(60):
        make_redemption(member, reward, f"RWD-X{n:05}")
    with django_assert_max_num_queries(17):
        manager.get(f"/admin/loyalty/member/{member.pk}/change/")
