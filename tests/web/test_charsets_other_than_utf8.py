"""Bodies and query strings in any charset but UTF-8 are refused before anything decodes them."""

import encodings
import io
import json
import time
from wsgiref.util import setup_testing_defaults

import pytest

from config.wsgi import application
from loyalty.models import Member

pytestmark = pytest.mark.django_db

CHARSETS = [
    "utf-7",
    "punycode",
    "zip",
    "hex",
    "rot13",
    "undefined",
    "latin-1",
    "utf-16",
    "idna",
    "no-such",
    "",
    "utf_8",
]
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=B"
JSON = "application/json"


def part(name: str, value: str) -> bytes:
    return f"--B\r\nContent-Disposition: form-data; {name}\r\n\r\n{value}\r\n".encode()


MEMBER = part('name="email"', "+2AA-@example.com") + part('name="name"', "+2AA-") + b"--B--\r\n"
PAGES = [
    "/members",
    "/sign-in",
    "/admin/login/",
    "/member-sign-in",
    "/table/7/order",
    "/table/7/cart",
    "/v1/generate/dynamic",
]


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", [FORM, MULTIPART, JSON])
def test_a_body_in_another_charset_is_refused_everywhere(api, kind, charset):
    for path in PAGES:
        response = api.generic("POST", path, MEMBER, content_type=f"{kind}; charset={charset}")
        assert (response.status_code, set(response.json())) == (400, {"error"})
        assert "UTF-8" in response.json()["error"]
    assert not Member.objects.exists()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "utf8"])
def test_utf_8_may_be_named(api, charset):
    body = '{"email": "zoe@example.com", "name": "Zoë"}'.encode()
    assert api.generic("POST", "/members", body, content_type=f"{JSON}; charset={charset}").status_code == 201
    assert Member.objects.get().name == "Zoë"


@pytest.mark.parametrize("query", ["q=\xff", "q=\xc3", "\xff=q", "q=a&x=\xe9t\xe9", "q=\xed\xa0\x80"])
def test_a_query_string_that_is_not_utf_8_is_refused(cashier, query):
    response = cashier.get("/till", QUERY_STRING=query)
    assert (response.status_code, set(response.json())) == (400, {"error"})


@pytest.mark.parametrize("query", ["q=%C3%A9", "q=\xc3\xa9", "q=100%", "q=%zz", "q=%ED%A0%80", "q=%FF", "q=+2AA-", ""])
def test_any_other_query_string_is_read_and_can_be_looked_for(cashier, query):
    assert cashier.get("/till", QUERY_STRING=query).status_code == 200


def test_a_browser_gets_a_page(browser_client):
    response = browser_client.get("/signup", QUERY_STRING="location=\xff")
    assert response.status_code == 400
    assert b"not in UTF-8" in response.content
    assert response["Content-Type"].startswith("text/html")


# --- before there is a request of Django's ----------------------------------------------------------


def called(body: bytes = b"{}", **environ: str) -> tuple[str, dict]:
    """Status and JSON of the whole server's response to an enrolment."""
    found = {"REQUEST_METHOD": "POST", "PATH_INFO": "/members", "HTTP_HOST": "localhost", "REMOTE_ADDR": "192.0.2.1"}
    found |= {"CONTENT_TYPE": JSON, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)} | environ
    setup_testing_defaults(found)
    statuses: list[str] = []
    response = application(found, lambda status, _headers: statuses.append(status))
    return statuses[0][:3], json.loads(b"".join(response))


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_query_string_is_not_decoded_in_another_charset(charset):
    """Django decodes it while it makes its request."""
    status, response = called(
        REQUEST_METHOD="GET",
        PATH_INFO="/signup",
        QUERY_STRING="location=%2B2AA-",
        CONTENT_TYPE=f"text/plain; charset={charset}",
    )
    assert (status, "UTF-8" in response["error"]) == ("400", True)


@pytest.mark.parametrize("kind", [FORM, MULTIPART])
@pytest.mark.parametrize(
    "parameter", ["charset=punycode", 'charset="punycode"', " CharSet = punycode ", "charset=utf-8; charset=punycode"]
)
def test_a_charset_that_takes_quadratic_time_takes_none(kind, parameter):
    body = part('name="email"', "é" * 170_000) + b"--B--\r\n"
    began = time.thread_time()
    status, response = called(body, CONTENT_TYPE=f"{kind}; {parameter}")
    assert (status, list(response)) == ("400", ["error"])
    assert time.thread_time() - began < 0.5


def test_names_of_charsets_are_not_remembered():
    called(CONTENT_TYPE=f"{JSON}; charset=first")
    before = len(encodings._cache)
    for number in range(20):
        assert called(CONTENT_TYPE=f"{JSON}; charset=x{number}")[0] == "400"
    assert len(encodings._cache) == before


@pytest.mark.parametrize("parameters", [";a=b" * 90_000, ";" * 300_000, '; x="' + "a" * 300_000, ";a" * 100_000])
def test_any_number_of_parameters_is_refused_at_once(parameters):
    began = time.thread_time()
    assert called(CONTENT_TYPE=JSON + parameters)[0] == "400"
    assert time.thread_time() - began < 0.2
