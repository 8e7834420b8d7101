"""Tills and phones that undo, cancel and confirm one code at the same moment."""

import json
import threading

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from loyalty.models import Confirmation, Redemption
from loyalty.rewards.services import confirmations, redemptions
from tests.at_once import at_once
from tests.loyalty.making import make_member, make_reward
from tests.loyalty.points.test_points_races import poster, redeeming, statuses
from tests.servers import PATIENCE, database_url, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def redeemed(token) -> Redemption:
    member = make_member()
    assert redeeming(token, member, make_reward(points=60))()[0] == 200
    return Redemption.objects.get(customer=member)


def calling(token, redemption, verb: str):
    return poster(token, f"/use/{redemption.redemption_code}/{verb}", {})


def test_of_twelve_cancellations_at_once_one_gives_the_points_back(token):
    redemption = redeemed(token)
    responses = at_once([calling(token, redemption, "cancel")] * 12)
    assert statuses(responses) == [200] * 12
    assert len(set(responses)) == 1
    redemption.refresh_from_db()
    assert redemption.customer.points_balance == 100
    call_command("check_ledger")


def test_a_code_is_cancelled_or_confirmed_and_never_both(token):
    for _ in range(2):
        codes = [redeemed(token) for _ in range(4)]
        calls = [calling(token, code, verb) for code in codes for verb in ("cancel", "confirm")]
        found = [status for status, _text in at_once(calls)]
        for code, *pair in zip(codes, found[::2], found[1::2], strict=True):
            assert sorted(pair) == [200, 409]
            code.refresh_from_db()
            assert code.status == ("cancelled" if pair[0] == 200 else "used")
            assert code.customer.points_balance == (100 if pair[0] == 200 else 40)
    call_command("check_ledger")


def test_each_of_several_cancellations_of_one_member_says_the_balance_after_it(token):
    for _ in range(2):
        member, reward = make_member(), make_reward(points=20)
        for _code in range(5):
            assert redeeming(token, member, reward)()[0] == 200
        responses = at_once([calling(token, code, "cancel") for code in member.redemptions.all()])
        assert sorted(json.loads(text)["newBalance"] for _status, text in responses) == [20, 40, 60, 80, 100]
    call_command("check_ledger")


def test_undone_at_once_by_ten_tills_it_is_undone_once(token):
    redemption = redeemed(token)
    calling(token, redemption, "confirm")()
    assert statuses(at_once([calling(token, redemption, "undo")] * 10)) == [200] * 10
    redemption.refresh_from_db()
    assert (redemption.status, Confirmation.objects.get().undone_by) == ("active", "managers")
    assert statuses([calling(token, redemption, "confirm")()]) == [200]
    assert Confirmation.objects.filter(undone_at=None, found="active").count() == 1


def test_an_undo_that_waited_for_another_and_for_a_cancellation_gives_nothing_back(token):
    redemption = redeemed(token)
    calling(token, redemption, "confirm")()
    responses: list[tuple[int, str]] = []

    def undo() -> None:
        responses.append(calling(token, redemption, "undo")())
        connection.close()

    thread = threading.Thread(target=undo)
    with transaction.atomic():
        confirmations.undo(code=redemption.redemption_code, recorded_by="mia")
        redemptions.cancel(code=redemption.redemption_code)
        thread.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        with psycopg.connect(database_url(), autocommit=True) as watcher:
            wait_for(lambda: watcher.execute(waiting).fetchone()[0], "the undo to wait for the lock", 20)
    thread.join(PATIENCE)
    assert statuses(responses) == [409]
    redemption.refresh_from_db()
    assert (redemption.status, redemption.customer.points_balance) == ("cancelled", 100)
    call_command("check_ledger")
