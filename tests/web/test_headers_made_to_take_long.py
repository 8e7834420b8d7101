"""Headers that no browser sends cost next to nothing. The whole server's door is called, as a server would."""

import io
import time
from wsgiref.util import setup_testing_defaults

import pytest

from config.wsgi import application
from tests.conftest import PAGE

pytestmark = pytest.mark.django_db(transaction=True)  # a request of a server closes old connections

LENGTH = 300_000  # about what the HTTP server accepts
LONGEST_QUERY = 65_000


def call(path: str, **environ: str) -> tuple[str, float]:
    """Status, and seconds of processor time."""
    found = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_HOST": "localhost", "REMOTE_ADDR": "192.0.2.1"} | environ
    found["wsgi.input"] = io.BytesIO()
    setup_testing_defaults(found)
    statuses: list[str] = []
    began = time.thread_time()
    b"".join(application(found, lambda status, _headers: statuses.append(status)))
    return statuses[0][:3], time.thread_time() - began


HEADERS = {
    "escapes in a cookie": ("HTTP_COOKIE", 'member="' + "\\\\" * (LENGTH // 2) + '"'),
    "many cookies": ("HTTP_COOKIE", "a=b;" * (LENGTH // 4)),
    "many types": ("HTTP_ACCEPT", "text/html," + "a/b;q=0.5," * (LENGTH // 10)),
    "many encodings": ("HTTP_ACCEPT_ENCODING", "a," * (LENGTH // 2)),
    "a long host": ("HTTP_HOST", "a." * (LENGTH // 2)),
    "a long agent": ("HTTP_USER_AGENT", "Mozilla/5.0 (" * (LENGTH // 13)),
    "many hops": ("HTTP_X_FORWARDED_FOR", "1," * (LENGTH // 2)),
    "many tags": ("HTTP_IF_NONE_MATCH", 'W/"' * (LENGTH // 3)),
    "a long token": ("HTTP_AUTHORIZATION", "Token " + "a" * LENGTH),
    "many parameters": ("CONTENT_TYPE", "text/plain" + ";a=b" * (LENGTH // 4)),
    "a long query": ("QUERY_STRING", "%C3%A9" * (LONGEST_QUERY // 6)),
    "many values": ("QUERY_STRING", "a=b&" * (LONGEST_QUERY // 4)),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_very_long_header_takes_no_time(name):
    header, value = HEADERS[name]
    for path in ("/signup", "/till", "/q/ABCDEFGH", "/qr/ABCDEFGH", "/nowhere"):
        call(path, HTTP_ACCEPT=PAGE)
        status, seconds = call(path, **{"HTTP_ACCEPT": PAGE, header: value})
        assert status < "500"
        assert seconds < 0.2, path


def test_a_card_s_cookie_among_few_others_is_read():
    status, _seconds = call("/signup", HTTP_COOKIE="member=x; " + "a=b; " * 1000)
    assert status == "200"
