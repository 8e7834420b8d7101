"""`/reports/loyalty/segments`. See "Member reports" in docs/behaviour/loyalty.md."""

import re

import pytest
from django.contrib.auth.models import User

from loyalty.models import Member, WinBackEmail
from loyalty.reports.segments import SEGMENTS
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.reports.making import NOW, TICK, add, ago, make_member
from tests.reading import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]

PATH = "/reports/loyalty/segments"


def found(loyalty_json) -> list[tuple]:
    body = loyalty_json(PATH)
    assert set(body) == {"segments"}
    assert all(set(each) == {"segment", "customer_count", "avg_spend"} for each in body["segments"])
    return [(each["segment"], each["customer_count"], each["avg_spend"]) for each in body["segments"]]


def spread(spend: str, transactions: int) -> list[str | None]:
    """So much in so many transactions."""
    return [spend, *[None] * (transactions - 1)]


def day(days: int, *, last: bool = False):
    """When so many whole days began; `last` is when they end."""
    return ago(days + 1) + TICK if last else ago(days)


# In the order of evaluation: what fits two rules stands under the first.
BOUNDARIES = [
    (day(0), 4, "200", "champions"),
    (day(30), 4, "200", "champions"),
    (day(30, last=True), 4, "200", "champions"),
    (day(31), 4, "200", "potential_loyalist"),
    (day(30), 3, "200", "loyal"),
    (day(30), 4, "199.99", "loyal"),
    (day(30, last=True), 2, "0.01", "loyal"),
    (day(30), 1, "200", "potential_loyalist"),
    (day(30), 1, "99.99", "new_or_casual"),
    (day(31), 2, "99.99", "new_or_casual"),
    (day(31), 2, "100", "potential_loyalist"),
    (day(60), 1, "100", "potential_loyalist"),
    (day(60, last=True), 1, "100", "potential_loyalist"),
    (day(61), 9, "5000", "new_or_casual"),
    (day(90, last=True), 1, "100", "new_or_casual"),
    (day(90), 1, "100", "new_or_casual"),
    (day(91), 1, "100", "at_risk"),
    (day(91), 1, "99.99", "new_or_casual"),
    (day(181), 1, "100", "at_risk"),
    (day(180), 1, "99.99", "new_or_casual"),
    (day(180, last=True), 1, "99.99", "new_or_casual"),
    (day(181), 1, "99.99", "hibernating"),
    (None, 9, "5000", "new_or_casual"),
    (NOW + 1000 * TICK, 4, "200", "champions"),  # another machine's clock is ahead
]


def test_every_boundary_in_the_report_and_in_the_admin(loyalty_json, staff):
    for number, (active, transactions, spend, _segment) in enumerate(BOUNDARIES):
        make_member(f"{number:02}", active=active, orders=spread(spend, transactions))
    expected = {name: [f"{n:02}" for n, row in enumerate(BOUNDARIES) if row[3] == name] for name in SEGMENTS}
    assert {name: count for name, count, _spend in found(loyalty_json)} == {k: len(v) for k, v in expected.items()}
    listed = {
        name: sorted(each.name for each in staff.get(f"/admin/loyalty/member/?segment={name}").context["cl"].queryset)
        for name in ("slipping", *SEGMENTS)
    }
    # Of those who fit no other, the admin tells apart who are slipping away.
    assert sorted(listed.pop("slipping") + listed["new_or_casual"]) == expected["new_or_casual"]
    assert listed | {"new_or_casual": expected["new_or_casual"]} == expected


def test_only_what_earned_points_is_counted(loyalty_json):
    member = make_member(active=day(30), orders=["100"])
    add(member, kind="bonus", points=500, order_total="500")
    add(member, kind="redeem", points=-5)
    assert found(loyalty_json) == [("potential_loyalist", 1, 100.0)]


def test_somebody_without_transactions_spent_nothing(loyalty_json):
    make_member(active=day(181))
    make_member(active=day(181), orders=["10"])
    assert found(loyalty_json) == [("hibernating", 2, 5.0)]


def test_segments_with_the_highest_average_come_first(loyalty_json):
    make_member(active=day(0), orders=spread("200", 4))
    make_member(active=day(200), orders=["100"])
    make_member(active=day(200), orders=["700"])
    make_member(active=day(0), orders=["1"])
    assert found(loyalty_json) == [("at_risk", 2, 400.0), ("champions", 1, 200.0), ("new_or_casual", 1, 1.0)]


def test_equal_averages_are_ordered_by_name_after_rounding(loyalty_json):
    for _ in range(3):
        make_member(active=day(0), orders=spread("0.01", 2))  # loyal: 0.01
    make_member(active=day(200))
    make_member(active=day(200), orders=["0.01"])  # hibernating: 0.005
    assert found(loyalty_json) == [("hibernating", 2, 0.01), ("loyal", 3, 0.01)]


def test_averages_are_rounded_half_up(loyalty_json):
    assert found(loyalty_json) == []
    for spend, count, average in (("0.01", 1, 0.01), ("0.02", 2, 0.02), ("0.01", 3, 0.01)):
        make_member(active=day(200), orders=[spend])
        assert found(loyalty_json) == [("hibernating", count, average)]


def test_the_page_has_all_six_with_their_rules_and_of_the_others_those_who_slip_away(loyalty_json, loyalty_page, staff):
    make_member(active=day(200), orders=["30"])
    make_member(active=day(0), orders=["20", None])
    make_member(active=day(0), orders=["20", None])
    for days in (day(60, last=True), day(61), day(90, last=True), day(91)):
        make_member(active=days, orders=["100"])
    make_member(active=day(61), orders=["99.99"])
    rows = loyalty_page(PATH).context["by_segment"].rows
    assert [(row[0], row[1], str(row[2]), row[4] and str(row[4])) for row in rows] == [
        ("Champions", 0, "0.0", None), ("New and returning", 2, "25.0", "20.00"),
        ("Good spenders", 1, "12.5", "100.00"), ("Slipping away", 2, "25.0", "100.00"),
        ("At risk", 1, "12.5", "100.00"), ("Hibernating", 1, "12.5", "30.00"), ("Everyone else", 1, "12.5", "99.99"),
    ]  # fmt: skip
    assert ("new_or_casual", 3, 100.0) in found(loyalty_json)  # of 99.997: programs know six
    for name in ("slipping", "new_or_casual"):
        listed = staff.get(f"/admin/loyalty/member/?segment={name}").context["cl"].queryset
        assert len(listed) == {"slipping": 2, "new_or_casual": 1}[name]
    assert rows[0][5] == "Active in the last 30 days; earned points 4 times or more and spent €200 or more in all."
    assert all(len(row[5]) > 20 and "%(" not in row[5] for row in rows)


def test_each_row_says_how_many_more_or_fewer_it_has_than_30_days_ago(loyalty_page, loyalty_csv):
    for days in (day(91), day(120, last=True), day(121), day(150)):  # the first two were slipping away
        make_member(active=days, orders=["100"])
    make_member(active=day(181), orders=["30"])  # nowhere then
    came_back = make_member(active=day(100), orders=["100"])  # slipping away then, champion now
    for at in (day(3), day(2), day(1)):
        add(came_back, order_total="50", at=at)
    Member.objects.filter(pk=came_back.pk).update(last_activity_at=day(1))
    make_member(created_at=day(5), active=day(5), orders=["20", None])
    response = loyalty_page(PATH)
    rows = response.context["by_segment"].rows
    assert [(row[1], row[3]) for row in rows] == [(1, 1), (1, 1), (0, 0), (0, -3), (4, 2), (1, 1), (0, -1)]
    assert [row[3] for row in rows_of(response)] == ["+1", "+1", "0", "−3", "+2", "+1", "−1"]
    assert "7 members, 1 more than 30 days ago" in response.text
    assert [line[3] for line in loyalty_csv(PATH) if line[:1] in (["Segment"], ["At risk"])][-2:] == [
        "30-day change",
        "2",
    ]


def test_the_sentence_begins_with_what_changed_most_and_the_largest_has_the_longest_bar(loyalty_page):
    for _ in range(40):
        make_member(active=day(100), orders=["100"])  # slipping away 30 days ago
    for _ in range(20):
        make_member(created_at=day(5), active=day(5), orders=["20", None])
    context = loyalty_page(PATH).context
    # Some of those who slipped away are at risk now.
    news = "40 more At risk than 30 days ago, 20 more New and returning"
    assert context["sentence"] == f"{news}; 20 of 60 members are in Champions or New and returning."
    bars = {each.label: each.bar for each in context["segment_rows"] if each.bar}
    assert bars == {"New and returning": 50, "At risk": 100}


def test_more_good_spenders_are_no_good_news(loyalty_page):
    """They come less often than those above them, whom they may have left."""
    for _ in range(9):
        make_member(active=day(40), orders=["50", "50"])  # 30 days ago they were coming back
        make_member(created_at=day(5), active=day(5), orders=["20", None])
    tones = {each.label: each.tone for each in loyalty_page(PATH).context["segment_rows"] if each.members}
    assert tones == {"New and returning": "", "Good spenders": ""}
    for _ in range(20):
        make_member(created_at=day(5), active=day(5), orders=["20", None])
    tones = {each.label: each.tone for each in loyalty_page(PATH).context["segment_rows"] if each.members}
    assert tones == {"New and returning": "up", "Good spenders": ""}


def test_fewer_champions_lead_to_where_they_are_now(loyalty_page):
    agreed = {"offers_agreed_at": day(100), "lifetime": 400}
    for _ in range(9):
        make_member(active=day(40), orders=spread("400", 4), **agreed)
    page = read(loyalty_page(PATH))
    good_spenders = "/reports/loyalty/re-engagement?segment=potential_loyalist#targets-title"
    assert "Champions who stay away become Good spenders" in page
    assert page.one("link", "Good spenders")["href"] == good_spenders
    for _ in range(9):
        make_member(created_at=day(5), active=day(5), orders=spread("400", 4), **agreed)
    assert "Champions who stay away" not in loyalty_page(PATH).text  # as many came


def test_without_members_30_days_ago_there_is_no_change_to_tell(loyalty_page):
    make_member(created_at=day(5), active=day(5), orders=["20", None])
    response = loyalty_page(PATH)
    assert {row[3] for row in response.context["by_segment"].rows} == {None}
    assert read(response).region("Members by segment").text.startswith("Members by segment 1 member Champions ")


def test_all_are_at_a_glance_on_a_phone_and_lead_to_their_own(loyalty_page):
    page = read(loyalty_page(PATH))
    found = [address[1:] for address in page.addresses() if address.startswith("#segment-")]
    assert len(found) == 7
    assert found == page.element.xpath("//@id[starts-with(., 'segment-')]")


def test_a_row_leads_to_those_who_may_be_written_to(loyalty_page, staff):
    agreed = {"offers_agreed_at": day(100), "lifetime": 100}
    for name, active, values in (
        ("Ada", day(100), agreed), ("Bo", day(100), {"lifetime": 100}), ("Cy", day(200), agreed),
        ("Di", day(70), agreed), ("Em", day(100), agreed | {"erased_at": day(1)}),
    ):  # fmt: skip
        make_member(name, active=active, orders=["100"], **values)
    make_member("Ira", active=day(100), orders=["100"], **agreed | {"lifetime": 20})
    for name, days in (("Joe", 20), ("Kim", 40)):  # good spenders
        make_member(name, active=day(days), orders=["100"], **agreed)
    make_member("Fay", active=day(1), orders=spread("300", 4), **agreed)
    for name, days in (("Gus", 29), ("Hal", 31)):  # only the letter to Hal is so long ago that there may be another
        written = make_member(name, active=day(100), orders=["100"], **agreed)
        WinBackEmail.objects.create(customer=written, offer="bonus_points", written_at=day(days))
    win_back = "/reports/loyalty/re-engagement"
    response = loyalty_page(PATH)
    assert {
        ("Open Win back", f"{win_back}#targets-title"),
        ("Write to 2", f"{win_back}?segment=at_risk#targets-title"),
        ("Write to 1", f"{win_back}?segment=slipping#targets-title"),
    } <= set(read(response).links())
    assert re.findall(r"\d+ who get offers.*", "\n".join(row[-1] for row in rows_of(response))) == [
        "2 who get offers: 1 came lately",  # Joe
        "5 who get offers: 1 had a letter lately, 1 under 100 points, 1 away over 180 days",  # Gus, Ira, Cy
    ]
    assert "/admin/loyalty/member/" not in response.text  # for who may not see members
    page, of = read(staff.get(PATH, headers={"accept": PAGE})), "/admin/loyalty/member/"
    gone = f"{of}?segment=at_risk&offers=yes&active=older"
    assert {
        ("those who get offers", f"{of}?segment=champions&offers=yes"),
        ("1 email address", f"{of}export/?segment=champions&offers=yes"),
        ("5 who get offers", f"{of}?segment=at_risk&offers=yes"),
        ("those away so long", gone),
    } <= set(page.links())
    for words in ("of those who get offers", "of 5 who get offers", "of those away so long , for one last offer"):
        assert words in page, words
    file = staff.get("/admin/loyalty/member/export/?segment=champions&offers=yes").getvalue().decode()
    assert [line.split(",")[0] for line in file.splitlines()[1:]] == ["Fay"]
    file = staff.get(gone.replace("member/", "member/export/")).getvalue().decode()
    assert [line.split(",")[0] for line in file.splitlines()[1:]] == ["Cy"]
    assert [each.name for each in staff.get(gone).context["cl"].queryset] == ["Cy"]
    listed = loyalty_page(f"{win_back}?segment=at_risk")
    assert [row[0] for row in listed.context["listed"].rows] == ["Ada", "Hal"]
    assert "Of the segment At risk" in read(listed)
    assert [each.label for each in listed.context["shown"]] == [
        "To write to 2", "May be written to 3", "Written 2", "Everybody 4",
    ]  # fmt: skip
    for unknown in ("", "?segment=nobody"):
        rows = loyalty_page(f"{win_back}{unknown}").context["listed"].rows
        assert {row[0] for row in rows} == {"Ada", "Di", "Hal", "Kim"}


def test_with_nobody_left_to_write_to_a_row_says_why(loyalty_page, staff):
    agreed = {"offers_agreed_at": day(100), "lifetime": 100}
    written = make_member("Gus", active=day(100), orders=["100"], **agreed)
    WinBackEmail.objects.create(customer=written, offer="bonus_points", written_at=day(1))
    make_member("Cy", active=day(200), orders=["100"], **agreed)
    make_member("Fay", active=day(1), orders=["20"], **agreed)  # everyone else: nobody asks to write to her
    text = read(loyalty_page(PATH)).text
    assert not re.search(r"Write to \d|Open Win back", text)
    assert ". 2 who get offers: 1 had a letter lately, 1 away over 180 days" in text
    page = read(staff.get(PATH, headers={"accept": PAGE}))
    assert "those who get offers : 1 had a letter lately, 1 away over 180 days" in page


def test_the_page_of_an_empty_programme_says_why(loyalty_page):
    response = loyalty_page(PATH)
    assert [row[1] for row in response.context["by_segment"].rows] == [0] * 7
    assert "No members yet" in response.text
    assert "+0" not in response.text
    assert "0 members" not in response.text


def rows_of(response) -> list[list[str]]:
    return read(response).one("table", "Members by segment").rows()[1:]


@pytest.fixture
def staff(db):
    """A manager who may sign in to the admin."""
    user = make_user("Managers")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.refresh_from_db()
    return signed_in(user)


def test_a_segment_leads_to_its_members_where_they_may_be_seen(loyalty_page, staff):
    make_member(active=day(200), orders=["30"])
    text = staff.get(PATH, headers={"accept": PAGE}).content.decode()
    assert text.count("/admin/loyalty/member/?segment=") == 1
    assert read(text).one("link", "Hibernating")["href"] == "/admin/loyalty/member/?segment=hibernating"
    assert "/admin/loyalty/member/" not in loyalty_page(PATH).text
    programme = read(staff.get("/reports/loyalty", headers={"accept": PAGE}))
    assert programme.one("link", "All members")["href"] == "/admin/loyalty/member/"


def test_the_file_keeps_the_names_that_programs_know(program):
    make_member(active=day(0), orders=["20", None])
    file = program.get(f"{PATH}?format=csv").content.decode()
    names = ["Champions", "Loyal", "Potential loyalists", "At risk", "Hibernating", "New or casual"]
    assert f"fits: {', '.join(names)}." in file
    assert all(f"\r\n{name}," in file for name in names)
    assert "Champions and loyal,1," in file
