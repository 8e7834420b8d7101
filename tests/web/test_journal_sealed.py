"""Entries of the journal get numbers without gaps and hashes over the one before, and never change again."""

from functools import partial
from threading import Event, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from config.serving import background
from tests.at_once import at_once
from tests.conftest import undone
from tests.servers import wait_for
from web import journal
from web.models import JournalEntry
from web.services import sealing

pytestmark = pytest.mark.django_db


def sealed() -> list[tuple[int, str]]:
    return list(JournalEntry.objects.exclude(number=None).order_by("number").values_list("number", "subject"))


def test_what_is_sealed_is_numbered_and_chained(db):
    for subject in "abc":
        journal.write("payment", subject, by="ada", amount="1.00")
    assert (sealing.seal(), sealing.seal()) == (3, 0)
    assert sealed() == [(1, "a"), (2, "b"), (3, "c")]
    assert not list(journal.broken_links())
    assert len(set(JournalEntry.objects.values_list("hash", flat=True))) == 3


def test_postgresql_refuses_every_change_but_sealing_and_one_signature(db):
    journal.write("payment", "a", amount="1.00")
    entries = JournalEntry.objects.all()
    changes = [{"content": "{}"}, {"kind": "x"}, {"user_name": "x"}, {"subject": "x"}, {"at": timezone.now()}]
    for more in ([], [{"number": 7, "hash": "x"}, {"number": None}, {"hash": "x"}]):
        for change in [*changes, *more]:
            with pytest.raises(IntegrityError), transaction.atomic():
                entries.update(**change)
        with pytest.raises(IntegrityError), transaction.atomic():
            entries.delete()
        sealing.seal()
    entries.update(signature="S")
    with pytest.raises(IntegrityError), transaction.atomic():
        entries.update(signature="another")


def test_whatever_is_changed_behind_it_is_named(db):
    for number in range(5):
        journal.write("payment", number, amount=f"{number}.00")
    sealing.seal()
    for spoil, named in [
        ("UPDATE web_journalentry SET content = '{}' WHERE number = 2", 2),
        ("UPDATE web_journalentry SET at = at - interval '1 day' WHERE number = 3", 3),
        ("DELETE FROM web_journalentry WHERE number = 4", 4),
        ("UPDATE web_journalentry SET number = 6 WHERE number = 5", 5),
    ]:
        with undone(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(spoil)
            assert next(journal.broken_links())[0] == named, spoil


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_commits_late_gets_the_next_number(transactional_db):
    written, may_commit = Event(), Event()

    def late() -> None:
        with transaction.atomic():
            journal.write("payment", "late")
            written.set()
            may_commit.wait(30)
        connection.close()

    thread = Thread(target=late)
    thread.start()
    written.wait(30)
    journal.write("payment", "early")
    sealing.seal()
    assert sealed() == [(1, "early")]
    may_commit.set()
    thread.join()
    sealing.seal()
    assert sealed() == [(1, "early"), (2, "late")]
    assert not list(journal.broken_links())


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_several_sealers_at_once_give_each_number_once(transactional_db):
    for round_ in range(5):
        writers = [partial(journal.write, "payment", f"{round_} {number}") for number in range(8)]
        at_once([*writers, *[sealing.seal] * 6])
        sealing.seal()
    assert [number for number, _subject in sealed()] == list(range(1, 41))
    assert not list(journal.broken_links())


@pytest.mark.django_db(transaction=True)
def test_serve_seals_again_and_again(transactional_db):
    journal.write("payment", "a")
    with background.every(0.05, background.seal_journal):
        wait_for(lambda: sealed() == [(1, "a")], "the first number")
        journal.write("payment", "b")
        wait_for(lambda: sealed() == [(1, "a"), (2, "b")], "the second number")
