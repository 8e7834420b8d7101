"""What tests of messages to phones share: push services, and what `serve` does every second."""

from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from restaurant.floor.queries import pushes
from tests.config.pushing.push_service import PushService
from tests.servers import wait_for
from web.services import push


class Turns(push.Sender):
    """What `serve` does every second, one turn after the other, in the test's own transaction."""

    def begin(self) -> None:
        push.end("order", order__in=pushes.over())
        self.send(pushes.due(timezone.now()))

    def turn(self) -> None:
        """Send what is due, and wait until every message has its answer."""
        self.begin()
        wait_for(lambda: len(self.answers) == len(self.running), "the answers")
        self.settle()


@pytest.fixture
def new_service(settings) -> Iterator[Callable[..., PushService]]:
    """`new_service()` is one more push service to which this installation sends."""
    settings.PUSH_HOSTS, made = [], []

    def make(**behaviour: object) -> PushService:
        made.append(PushService(**behaviour))
        settings.PUSH_HOSTS = [*settings.PUSH_HOSTS, made[-1].origin]
        return made[-1]

    yield make
    for service in made:
        service.close()


@pytest.fixture
def service(new_service) -> PushService:
    return new_service()


@pytest.fixture
def pushing() -> Turns:
    return Turns()
