"""What the page of a member's report says beside its JSON."""

import pytest

from loyalty.models import Location
from tests.loyalty.reports.conftest import add, ago, make_member

pytestmark = pytest.mark.django_db


def tiles(page, member) -> dict[str, tuple]:
    context = page(f"/reports/members/{member.pk}").context
    return {each["label"]: (str(each["value"]), each.get("note", "")) for each in context["tiles"]}


def test_visits_per_month_are_those_of_the_days_that_are_read(page, read):
    member = make_member(created_at=ago(400))
    for place in range(60):
        add(member, order_total="10", at=ago(2 * place))
    shown = tiles(page, member)
    assert shown["Visits"] == ("50", "In the latest 50 transactions")
    assert shown["Spend"] == ("500.00", "In the latest 50 transactions")
    assert shown["Average order"] == ("10.00", "In the latest 50 transactions")
    assert shown["Visits per month"] == ("15.3", "In the latest 50 transactions")  # 50 in 98 days
    text = page(f"/reports/members/{member.pk}").text
    assert "In the latest 50 transactions: 50 visits, €10.00 spent on average." in text
    assert "From the first whole month in the latest 50 transactions." in text
    assert read(f"/reports/members/{member.pk}")["engagement"]["visitsPerMonth"] == 3.8  # 50 in 400


def test_of_fewer_transactions_they_are_those_since_joining(page):
    member = make_member(created_at=ago(60))
    for _ in range(6):
        add(member, order_total="10", at=ago(2))
    shown = tiles(page, member)
    assert (shown["Visits"], shown["Visits per month"]) == (("6", ""), ("3.0", ""))
    assert "n the latest 50" not in page(f"/reports/members/{member.pk}").context["sentence"]


def test_a_transaction_shows_its_sign_and_its_place_once(page):
    orchard = Location.objects.create(name="Orchard Row")
    member = make_member()
    add(member, points=138, at=ago(1), description="Purchase at Orchard Row", location=orchard)
    add(member, points=50, at=ago(2), description="With our apologies", kind="bonus", location=orchard)
    add(member, points=-150, at=ago(3), description="Redeemed: Coffee", kind="redeem")
    response = page(f"/reports/members/{member.pk}")
    assert [row[3:] for row in response.context["activity"]["rows"]] == [
        [138, "", ""], [50, "", "Orchard Row"], [-150, "", ""],
    ]  # fmt: skip
    assert ">+138<" in response.text
    assert ">-150<" in response.text


def test_a_member_s_report_leads_back_to_the_programme(page):
    text = page(f"/reports/members/{make_member().pk}").text
    assert '<a class="back" href="/reports/loyalty">Loyalty programme</a>' in text
