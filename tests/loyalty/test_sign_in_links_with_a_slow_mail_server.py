"""How long the response to a request for a link takes does not tell whether there is a card."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import requests

from tests.conftest import make_user
from tests.loyalty.making import earn_body, make_location, make_member, with_token
from tests.servers import http_server, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SLOWNESS = 1.5  # seconds before each line of the mail server
CONVERSATION = 5 * SLOWNESS  # what a mail takes at the least


class SlowMailServer:
    """SMTP on a socket, one thread for each connection; every line of it comes late, until `hurry`."""

    def __init__(self) -> None:
        self._hurries = threading.Event()
        self.recipients: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _peer = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines, contextlib.suppress(OSError):
            self._say(connection, "220 slow")
            for line in lines:
                command = line.split(b":")[0].strip().upper()
                if command == b"RCPT TO":
                    self.recipients.append(line.partition(b"<")[2].partition(b">")[0].decode())
                if command == b"DATA":
                    self._say(connection, "354 go on")
                    while lines.readline().strip() != b".":
                        pass
                self._say(connection, "250 ok")

    def hurry(self) -> None:
        self._hurries.set()

    def _say(self, connection: socket.socket, line: str) -> None:
        self._hurries.wait(SLOWNESS)
        connection.sendall(f"{line}\r\n".encode())


@pytest.fixture
def mail_server() -> Iterator[SlowMailServer]:
    server = SlowMailServer()
    yield server
    server.listener.close()


def seconds(port: int, path: str, body: dict, **headers: str) -> float:
    began = time.perf_counter()
    response = requests.post(f"http://127.0.0.1:{port}{path}", json=body, headers=headers, timeout=30)
    assert response.ok, response.text
    return time.perf_counter() - began


def test_it_takes_as_long_for_an_address_without_a_card(mail_server):
    enrolled = [make_member(email=f"enrolled{number}@example.com").email for number in range(12)]
    with http_server(EMAIL_URL=f"smtp://127.0.0.1:{mail_server.port}") as port:
        seconds(port, "/member-sign-in", {"email": "first@example.com"})
        known, unknown = [], []
        for number, email in enumerate(enrolled):
            known.append(seconds(port, "/member-sign-in", {"email": email}))
            unknown.append(seconds(port, "/member-sign-in", {"email": f"unknown{number}@example.com"}))
            time.sleep(0.3)  # longer than the pause after which mail is composed
        assert max(known + unknown) < CONVERSATION
        # The quickest of each: what else this machine does only adds to them.
        assert abs(min(known) - min(unknown)) < 0.02
        mail_server.hurry()
        wait_for(lambda: enrolled[0] in mail_server.recipients, "the first mail")
    assert not any("unknown" in each for each in mail_server.recipients)


def test_an_award_does_not_wait_for_the_mail_of_a_new_tier(mail_server):
    member, location = make_member(), make_location()
    key = with_token(make_user("Cashiers"))._credentials["HTTP_AUTHORIZATION"]
    with http_server(EMAIL_URL=f"smtp://127.0.0.1:{mail_server.port}") as port:
        seconds(port, "/earn", earn_body(member, location, 1), Authorization=key)
        assert seconds(port, "/earn", earn_body(member, location, 900), Authorization=key) < CONVERSATION
        mail_server.hurry()
        wait_for(lambda: member.email in mail_server.recipients, "the mail")
