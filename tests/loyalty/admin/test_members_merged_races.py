"""Two cards become one while both earn, spend and are merged again."""

import pytest
from django.core.management import call_command
from django.test import Client

from loyalty.models import Member
from tests.at_once import at_once
from tests.loyalty.making import make_member, make_reward
from tests.loyalty.points.test_points_races import awarding, redeeming, statuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def merging(managers_browser, *pair):
    def send() -> int:
        browser = Client()
        browser.cookies = managers_browser.cookies
        form = dict.fromkeys(("name", "email", "phone"), str(pair[0].pk)) | {"member": [str(each.pk) for each in pair]}
        return browser.post("/admin/loyalty/member/merge/", form).status_code

    return send


def test_what_both_cards_earn_and_spend_meanwhile_is_on_the_one(managers_browser, token, location):
    reward = make_reward(points=50)
    for _ in range(4):
        pair = make_member("Ada"), make_member("Ada Kramer")
        moving = [awarding(token, member, location) for member in pair]
        moving += [redeeming(token, member, reward) for member in pair]
        responses = at_once([*moving, merging(managers_browser, *pair), *moving, merging(managers_browser, *pair)])
        assert [responses.pop(), responses.pop(4)] == [302, 302]
        assert statuses(responses) == [200] * 8
        kept, gone = sorted(pair, key=lambda member: member.pk, reverse=True)
        assert Member.objects.get(pk=gone.pk).merged_into_id == kept.pk
        assert not gone.transactions.exists()
        assert not gone.redemptions.exists()
        kept.refresh_from_db()
        assert (kept.points_balance, kept.lifetime_points, kept.awards) == (200 + 4 * 10 - 4 * 50, 240, 6)
    call_command("check_ledger")
