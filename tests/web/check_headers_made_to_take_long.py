"""Headers and texts that no browser sends take next to no time of the processor."""

import logging
import time

import pytest

from tests.conftest import PAGE
from tests.web.server import call

pytestmark = pytest.mark.django_db

LENGTH = 300_000  # about what the HTTP server accepts
LONGEST_QUERY = 65_000
SOON = 2.0  # seconds of a processor; quadratic time is ten times that
HEADERS = {
    "escapes in a cookie": ("HTTP_COOKIE", 'member="' + "\\\\" * (LENGTH // 2) + '"'),
    "many cookies": ("HTTP_COOKIE", "a=b;" * (LENGTH // 4)),
    "many types": ("HTTP_ACCEPT", "text/html," + "a/b;q=0.5," * (LENGTH // 10)),
    "many commas": ("HTTP_ACCEPT", "text/html," + "," * LENGTH),
    "a long type": ("HTTP_ACCEPT", "x" * LENGTH),
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
    for path in ("/signup", "/till", "/q/ABCDEFGH", "/qr/ABCDEFGH", "/nowhere", "/", "/sign-in", "/api/schema"):
        call(path, HTTP_ACCEPT=PAGE)
        began = time.thread_time()
        status = call(path, **{"HTTP_ACCEPT": PAGE, header: value}).status
        assert time.thread_time() - began < SOON, path
        assert status < "500"


@pytest.mark.parametrize("text", ["a" * 1_000_000, "a@" * 500_000, "a " * 500_000, "0a" * 500_000, "://" * 300_000])
def test_a_long_text_in_the_log_takes_no_time(text):
    began = time.thread_time()
    logging.getLogger("x").error("%s", text)
    assert time.thread_time() - began < SOON
