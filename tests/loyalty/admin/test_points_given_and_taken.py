from django.contrib.admin.models import LogEntry
from django.test import Client

from loyalty.models import Member, PointTransaction
from loyalty.rules import MAX_POINTS
from tests.conftest import undone
from tests.loyalty.admin.pages import page_of, text_of, words_of
from tests.loyalty.making import change
from tests.reading import read


def form_of(member: Member) -> str:
    return f"/admin/loyalty/member/{member.pk}/points/"


def fill_in(client: Client, member: Member, **values) -> dict:
    """Return the form as a browser sends it after opening its page."""
    key = read(client.get(form_of(member))).field("key")["value"]
    return {"direction": "give", "points": "25", "reason": "Burnt toast", "key": key, **values}


def send(client: Client, member: Member, **values):
    return client.post(form_of(member), fill_in(client, member, **values), follow=True)


def balance_of(member: Member) -> int:
    member.refresh_from_db()
    assert member.points_balance == sum(PointTransaction.objects.values_list("points", flat=True))
    return member.points_balance


def test_the_members_page_leads_to_the_form(managers_browser, member):
    assert f'href="{form_of(member)}"' in text_of(managers_browser.get(page_of(member)))
    assert "Balance: 100 points" in words_of(managers_browser.get(form_of(member)))


def test_points_are_given_with_a_reason(managers_browser, member):
    page = words_of(send(managers_browser, member))
    assert "25 points added. The balance of Ada Lovelace is now 125." in page
    assert balance_of(member) == 125
    row = PointTransaction.objects.get(type="bonus")
    assert (row.points, row.description, row.staff_id) == (25, "Burnt toast", "mia")
    assert (member.lifetime_points, member.tier) == (100, "bronze")
    assert LogEntry.objects.get(object_id=str(member.pk)).change_message == "25 points added. Burnt toast"


def test_thousands_are_written_as_everywhere_else(managers_browser, member):
    page = words_of(send(managers_browser, member, points="12345"))
    assert "12,345 points added. The balance of Ada Lovelace is now 12,445." in page


def test_points_are_taken_with_a_reason(managers_browser, member):
    assert "1 point removed." in words_of(send(managers_browser, member, direction="take", points="1"))
    assert balance_of(member) == 99
    assert PointTransaction.objects.get(type="expire").points == -1


def test_all_points_can_be_taken(managers_browser, member):
    send(managers_browser, member, direction="take", points="100")
    assert balance_of(member) == 0


def test_what_can_not_be_is_refused_in_words_with_what_was_entered(managers_browser, member, subtests):
    for values, sentence in [
        ({"direction": "take", "points": "101"}, "Ada Lovelace has only 100 points."),
        ({"points": str(MAX_POINTS)}, "No member can have more than 2,147,483,647 points."),
        ({"points": "0"}, "greater than or equal to 1"),
        ({"points": "-5"}, "greater than or equal to 1"),
        ({"points": str(MAX_POINTS + 1)}, f"less than or equal to {MAX_POINTS}"),
        ({"points": "2.5"}, "Enter a whole number."),
        ({"points": "9" * 5000}, "Enter a whole number."),
        ({"points": ""}, "This field is required."),
        ({"reason": "  "}, "This field is required."),
        ({"reason": "x" * 501}, "at most 500 characters"),
        ({"reason": "a\0b"}, "Null characters are not allowed."),
        ({"direction": "burn"}, "Select a valid choice."),
    ]:
        with subtests.test(values=values, sentence=sentence), undone():
            page = send(managers_browser, member, **values)
            assert sentence in words_of(page)
            assert "Burnt toast" in text_of(page) or "reason" in values
            assert balance_of(member) == 100
            assert LogEntry.objects.count() == 0


def test_a_form_that_is_sent_twice_counts_once(managers_browser, member):
    form = fill_in(managers_browser, member, direction="take", points="100")
    managers_browser.post(form_of(member), form)
    page = words_of(managers_browser.post(form_of(member), form, follow=True))
    assert "This form was sent twice but only counted once: 100 points removed." in page
    assert balance_of(member) == 0
    assert LogEntry.objects.count() == 1


def test_a_form_that_is_sent_again_with_other_values_warns_first(managers_browser, member):
    form = fill_in(managers_browser, member)
    managers_browser.post(form_of(member), form)
    page = managers_browser.post(form_of(member), form | {"points": "30"})
    assert "already sent with other values" in words_of(page)
    assert balance_of(member) == 125
    key = read(page).field("key")["value"]
    managers_browser.post(form_of(member), form | {"points": "30", "key": key})
    assert balance_of(member) == 155


def test_a_member_that_does_not_exist_gets_nothing(managers_browser, member):
    for odd in ("nobody", "00000000-0000-4000-8000-000000000000"):
        assert managers_browser.get(f"/admin/loyalty/member/{odd}/points/").status_code == 404


def test_only_who_may_change_members_may_give_points(cashiers_browser, client, member):
    form = {"direction": "give", "points": "25", "reason": "For me", "key": "1"}
    assert cashiers_browser.get(form_of(member)).status_code == 403
    assert cashiers_browser.post(form_of(member), form).status_code == 403
    assert client.post(form_of(member), form).status_code == 302  # to the sign-in
    assert balance_of(member) == 100


def test_the_form_needs_its_csrf_token(managers_browser, member):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = managers_browser.cookies
    assert strict.post(form_of(member), fill_in(managers_browser, member)).status_code == 403
    change(member)
    assert balance_of(member) == 100
