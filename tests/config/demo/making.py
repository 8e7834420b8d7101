"""The demonstration restaurant, loaded into a database of its own at a moment that is always the same."""

import json
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
import time_machine

from config.demo.loading import load
from config.demo.staff import Account
from restaurant import events
from tests.database import connected_to
from tests.servers import PATIENCE, database_url

AT = datetime(2025, 11, 22, 20, 30, tzinfo=UTC)  # a Saturday
LAST = "the last event"


@dataclass(frozen=True)
class Demonstration:
    database: str
    staff: list[Account]
    announced: list[dict[str, str]]  # the events that other processes got while it was loaded


def load_into(database: str) -> Demonstration:
    with connected_to(database), psycopg.connect(database_url(), autocommit=True) as listener:
        listener.execute(f"LISTEN {events.CHANNEL}")
        with time_machine.travel(AT, tick=False):
            staff = load()
        # Its own comes after all that were sent before.
        listener.execute(f"NOTIFY {events.CHANNEL}, '{LAST}'")
        with closing(listener.notifies(timeout=PATIENCE)) as notified:
            payloads = iter(lambda: next(notified).payload, LAST)
            announced = [json.loads(payload) for payload in payloads]
    assert staff is not None
    return Demonstration(database, staff, announced)
