"""What the page of a member's report says beside its JSON."""

import re

import pytest
from django.contrib.auth.models import User

from loyalty.models import Location, Member, WinBackEmail
from tests.conftest import PAGE, signed_in
from tests.loyalty.making import make_reward
from tests.loyalty.reports.making import add, ago, make_member
from tests.reading import read
from web.templatetags.reports import shown

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]


def tiles(loyalty_page, member) -> dict[str, tuple]:
    context = loyalty_page(f"/reports/members/{member.pk}").context
    found = [*context["page_tiles"], *context["card_tiles"]]
    return {each.label: (str(each.value), each.note) for each in found}


def test_the_page_counts_all_purchases_and_the_json_those_of_the_latest_50_transactions(
    loyalty_page, loyalty_json, program
):
    member = make_member(created_at=ago(400))
    for place in range(60):
        add(member, order_total="10", at=ago(2 * place))
    add(member, points=50, at=ago(1), description="With our apologies")  # neither is a visit
    add(member, points=50, at=ago(399), description="Welcome")
    wrong = add(member, order_total="500", at=ago(3))
    add(member, kind="reversal", points=-10, order_total="-500", at=ago(3), reverses=wrong)
    shown = tiles(loyalty_page, member)
    assert shown["Spend since joining"] == ("600.00", "60 visits, 4.5 a month")  # in 400 days
    response = loyalty_page(f"/reports/members/{member.pk}")
    assert response.context["sentence"] == "60 visits, €10.00 a visit on average."
    assert response.text.count("atest 50") == 1  # of which the usual day and hour are
    assert "n every" not in response.text
    months = response.context["months"]
    assert [row[0] for row in months.rows] == ["Nov 2025", "Dec 2025", "Jan 2026", "Feb 2026", "Mar 2026"]
    assert sum(row[2] for row in months.rows) == 60
    assert "Mar 2026, so far" in response.text
    assert response.text.count("column-running") == 1
    assert [tuple(each) for each in months.plot.labels] == [
        ("Nov", "N", "2025"), ("Dec", "D", ""), ("Jan", "J", "2026"), ("Feb", "F", ""), ("Mar", "M", ""),
    ]  # fmt: skip
    assert re.findall(r'month-letter">(\w)<', response.text) == ["N", "D", "J", "F", "M"]
    file = program.get(f"/reports/members/{member.pk}?format=csv").content.decode()
    assert "Spend,490.00" in file
    body = loyalty_json(f"/reports/members/{member.pk}")["engagement"]
    assert (body["totalVisits"], body["visitsPerMonth"]) == (50, 3.8)


def test_a_member_who_has_bought_nothing_has_not_visited(loyalty_page):
    member = make_member(created_at=ago(60), active=None)
    add(member, points=50, at=ago(60), description="Welcome")
    shown = tiles(loyalty_page, member)
    assert shown["Spend since joining"] == ("0", "No visits yet")
    assert shown["Visits, last 90 days"] == ("0", "")
    context = loyalty_page(f"/reports/members/{member.pk}").context
    assert (context["sentence"], len(context["months"].rows)) == ("No visits yet.", 1)


def test_of_many_months_the_latest_twelve_are_shown(loyalty_page):
    member = make_member(created_at=ago(900))
    for days in (800, 3):
        add(member, order_total="10", at=ago(days))
    months = loyalty_page(f"/reports/members/{member.pk}").context["months"].rows
    assert (len(months), months[0][0], months[-1]) == (12, "Apr 2025", ["Mar 2026", 10, 1])


def test_the_last_90_days_are_compared_with_those_before_once_the_card_is_that_old(loyalty_page, program):
    member, newer = make_member(created_at=ago(180)), make_member(created_at=ago(179))
    for days, total in ((1, "30"), (89, "10"), (90, "25"), (179, "25"), (180, "500")):
        add(member, order_total=total, at=ago(days))
    for each in (member, newer):
        figures = [
            (str(tile.value), str(tile.before))
            for tile in loyalty_page(f"/reports/members/{each.pk}").context["page_tiles"]
        ]
        expected = [("40.00", "50.00"), ("2", "2"), ("20.00", "25.00")]
        assert figures == (expected if each == member else [("0", "None"), ("0", "None"), ("None", "None")])
    file = program.get(f"/reports/members/{member.pk}?format=csv").content.decode()
    assert '"Spend, last 90 days",40.00,50.00,the 90 days before' in file


def test_of_fewer_transactions_they_are_those_since_joining(loyalty_page):
    member = make_member(created_at=ago(60))
    for _ in range(6):
        add(member, order_total="10", at=ago(2))
    assert tiles(loyalty_page, member)["Spend since joining"] == ("60.00", "6 visits, 3.0 a month")
    assert "n the latest 50" not in loyalty_page(f"/reports/members/{member.pk}").context["sentence"]


def test_the_usual_day_and_hour_are_those_of_most_visits_if_there_are_some(loyalty_page):
    member = make_member(created_at=ago(60))

    def habits() -> dict[str, tuple]:
        found = loyalty_page(f"/reports/members/{member.pk}").context["card_tiles"][3:]
        return {each.label: (each.value, each.note) for each in found}

    for days in (7, 14, 15):
        add(member, order_total="10", at=ago(days))
    add(member, points=50, at=ago(3), description="With our apologies", kind="bonus")  # no visit
    assert habits() == {}  # of three nobody knows
    add(member, order_total="10", at=ago(1).replace(hour=20))
    day, hour = f"{ago(7):%A}", f"{ago(7):%H}:00"
    assert habits() == {"Usual hour": (hour, "3 of the latest 4 visits")}  # on two days equally often
    add(member, order_total="10", at=ago(21).replace(hour=20))
    assert habits() == {
        "Usual day": (day, "3 of the latest 5 visits"),
        "Usual hour": (hour, "3 of the latest 5 visits"),
    }


def test_the_balance_says_how_far_the_next_reward_is(loyalty_page):
    member = make_member(points_balance=100, lifetime=1250)
    make_reward("Coffee", 100)
    assert tiles(loyalty_page, member)["Points balance"] == ("100", "1,250 lifetime points")
    for name, points, is_available in (("Wine", 1500, True), ("Cake", 300, False), ("Tiramisu", 1400, True)):
        make_reward(name, points, available=is_available)
    assert tiles(loyalty_page, member)["Points balance"] == ("100", "1,250 lifetime points, 1,300 more for Tiramisu")


def test_the_page_says_whether_and_how_a_member_may_be_written_to(loyalty_page):
    member = make_member("Ada", active=ago(100), orders=["100"], lifetime=200, points_balance=40)

    def found() -> tuple:
        context = loyalty_page(f"/reports/members/{member.pk}").context
        return context["offers"], context["written"], context["mail"]

    assert found() == ("Gets no offers by email", "Never written to", "")
    Member.objects.filter(pk=member.pk).update(offers_agreed_at=ago(90))
    mail = found()[2]
    assert mail.startswith("mailto:")
    assert "get%2050%20bonus%20points" in mail
    letter = WinBackEmail.objects.create(customer=member, offer="bonus_points", written_at=ago(31))
    written = f"Last written to {shown(ago(31), 'date')}: Bonus points"
    assert found() == ("Gets offers by email", written, mail)
    WinBackEmail.objects.filter(pk=letter.pk).update(written_at=ago(29))
    assert found()[2] == ""
    WinBackEmail.objects.all().delete()
    Member.objects.filter(pk=member.pk).update(last_activity_at=ago(1))
    assert "body=" not in found()[2]  # needs no winning back


def test_from_the_latest_activity_the_owner_gets_to_all(loyalty_page):
    member = make_member()
    link = ("All activity", f"/admin/loyalty/pointtransaction/?customer__id__exact={member.pk}")
    owner = signed_in(User.objects.create_superuser("owner"))

    def is_linked(client) -> bool:
        return link in read(client.get(f"/reports/members/{member.pk}", headers={"accept": PAGE})).links()

    for _ in range(10):
        add(member, order_total="10")
    assert not is_linked(owner)  # these are all
    add(member, order_total="10")
    assert is_linked(owner)
    assert link not in read(loyalty_page(f"/reports/members/{member.pk}")).links()


def test_each_entry_leads_to_that_of_the_ledger_for_whoever_may_see_it(loyalty_page):
    member = make_member()
    add(member, order_total="10")
    entry = f'<a href="/admin/loyalty/pointtransaction/{member.transactions.get().pk}/change/">'
    owner = signed_in(User.objects.create_superuser("owner"))
    assert entry in owner.get(f"/reports/members/{member.pk}", headers={"accept": PAGE}).text
    assert entry not in loyalty_page(f"/reports/members/{member.pk}").text


def test_a_transaction_shows_its_sign_and_its_place_once(loyalty_page):
    orchard = Location.objects.create(name="Orchard Row")
    member = make_member()
    add(member, points=138, at=ago(1), description="Purchase at Orchard Row", location=orchard)
    add(member, points=50, at=ago(2), description="With our apologies", kind="bonus", location=orchard)
    add(member, points=-150, at=ago(3), description="Redeemed: Coffee", kind="redeem")
    response = loyalty_page(f"/reports/members/{member.pk}")
    assert [row[3:] for row in response.context["activity"].rows] == [
        [138, "", ""], [50, "", "Orchard Row"], [-150, "", ""],
    ]  # fmt: skip
    assert ">+138<" in response.text
    assert ">\u2212150<" in response.text


def test_a_member_s_report_leads_back_to_the_programme(loyalty_page):
    text = loyalty_page(f"/reports/members/{make_member().pk}").text
    assert ("Loyalty programme", "/reports/loyalty") in read(text).links()
