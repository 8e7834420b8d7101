"""Bodies that Django itself does not cope with. The whole server's door is asked, as a server would."""

import io
import json
from wsgiref.util import setup_testing_defaults

import pytest

from config.wsgi import application

pytestmark = pytest.mark.django_db


def posted(body: bytes, **environ: str) -> tuple[str, dict]:
    """Status and JSON of the answer to an enrolment."""
    found = {"REQUEST_METHOD": "POST", "PATH_INFO": "/members", "HTTP_HOST": "localhost", "REMOTE_ADDR": "192.0.2.1"}
    found |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))} | environ
    found["wsgi.input"] = io.BytesIO(body)
    setup_testing_defaults(found)
    statuses: list[str] = []
    answer = application(found, lambda status, _headers: statuses.append(status))
    return statuses[0], json.loads(b"".join(answer))


@pytest.mark.parametrize("charset", ["charset*=no-such''x", "charset*=utf-8''a%00b", "charset*0*=x; charset*1=y"])
def test_a_charset_in_the_extended_form_is_not_looked_at(charset):
    status, answer = posted(b"{}", CONTENT_TYPE=f"application/json; {charset}")
    assert status.startswith("400")
    assert set(answer["fields"]) == {"email", "name"}


def test_a_body_in_pieces_is_asked_for_its_length():
    status, answer = posted(b'{"email"', HTTP_TRANSFER_ENCODING="chunked", CONTENT_LENGTH="")
    assert status.startswith("411")
    assert "Content-Length" in answer["error"]


@pytest.mark.parametrize("length", ["\xb2", "-1", "1,1", "abc", "99999999999"])
def test_a_length_that_no_body_has(length):
    status, answer = posted(b"{}", CONTENT_LENGTH=length)
    assert (status[:3], list(answer)) == ("413", ["error"])
