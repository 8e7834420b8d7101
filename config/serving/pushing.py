"""Sends messages to phones under `serve`."""

import logging

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from restaurant.floor.queries import pushes
from web.services import push

log = logging.getLogger(__name__)


class Pushing:
    def __init__(self) -> None:
        self._sender = push.Sender()

    def check(self) -> None:
        try:
            self.send()
        except DatabaseError as error:
            log.info("Messages to phones can't be sent at the moment: %s", error)
        finally:
            connection.close()

    def send(self) -> None:
        """Send what is due. While nobody is subscribed it takes one query."""
        self._sender.settle()
        if push.is_wanted():
            push.end_orders(pushes.over())
            self._sender.send(pushes.due(timezone.now()))
